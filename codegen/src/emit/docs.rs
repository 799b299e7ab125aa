//! Descriptions → doc attributes. Text of a description never becomes a doctest, a link, HTML, an attribute or the
//! end of a comment by accident.

use proc_macro2::TokenStream;
use quote::quote;

use crate::markdown::{self, replace_invisible};
use crate::model::{
    Constraints, Deprecated, ElementConstraints, Encoding, Field, Format, Keys, Literal, Name, Number, Parameter,
    Range, Required, Type,
};

/// Returns the doc attributes of an item: its description, then the facts after an empty line.
pub fn attributes(doc: &str, facts: &[String]) -> TokenStream {
    let text = markdown(doc);
    let first = (!text.is_empty()).then(|| line_attribute(&text));
    let gap = (first.is_some() && !facts.is_empty()).then(|| line_attribute(""));
    let facts = (!facts.is_empty()).then(|| line_attribute(&facts.join(" ")));
    quote! { #first #gap #facts }
}

/// Returns a doc attribute for each line of safe Markdown.
pub fn line_attribute(text: &str) -> TokenStream {
    let lines = doc_lines(text);
    quote! { #(#[doc = #lines])* }
}

/// Returns an inner doc attribute for each line, for the head of a file.
pub fn inner_attribute(text: &str) -> TokenStream {
    let lines = doc_lines(text);
    quote! { #(#![doc = #lines])* }
}

/// Returns the lines of a text as rustdoc expects them in an attribute: a space before each non-empty line.
fn doc_lines(text: &str) -> impl Iterator<Item = String> {
    text.split('\n').map(|line| if line.is_empty() { String::new() } else { format!(" {line}") })
}

/// Converts a description to Markdown with the same rendering, including all its blocks.
pub fn markdown(text: &str) -> String {
    markdown::normalize(text)
}

/// Converts a description to one paragraph of Markdown with the same rendering.
pub fn paragraph(text: &str) -> String {
    markdown::paragraph(text)
}

/// Returns a text as a code span, whatever it contains.
pub fn code_span(text: &str) -> String {
    let formatted: String = text.chars().map(|c| if c == '`' { '\u{2019}' } else { replace_invisible(c) }).collect();
    if formatted.trim().is_empty() { "an empty text".to_owned() } else { format!("`{}`", formatted.trim()) }
}

/// Returns a link to a struct field, whose name rustdoc finds without `r#`.
pub fn link(target: &str, name: &Name) -> String {
    let formatted = name.ident.trim_start_matches("r#");
    format!("[`{formatted}`]({target}::{formatted})")
}

/// Returns the facts about a field, one sentence each.
pub fn field_facts(field: &Field, enum_value: &dyn Fn(&Literal) -> String) -> Vec<String> {
    let behavior = &field.behavior;
    let mut facts = Vec::new();
    let mut say = |holds: bool, text: &str| {
        if holds {
            facts.push(text.to_owned());
        }
    };
    say(behavior.required == Required::Everywhere, "Required.");
    say(matches!(behavior.required, Required::In(_)), "Required in some operations.");
    let dropped = behavior.output_only.as_ref();
    say(dropped.is_some_and(|only| only.except.is_empty()), "Output only.");
    say(dropped.is_some_and(|only| !only.except.is_empty()), "Output only, except in some operations.");
    say(behavior.input_only, "Input only.");
    say(behavior.immutable, "Immutable.");
    say(behavior.identifier, "Identifier.");
    say(field.sensitive, "Sensitive: not in `Debug` output.");
    facts.extend(constraint_facts(&field.constraints, &field.ty));
    facts.extend(field.default.as_ref().map(|default| format!("Default: {}.", enum_value(default))));
    facts.extend(field.example.as_ref().map(|example| format!("Example: {}.", enum_value(example))));
    facts
}

/// Returns the facts about a parameter, one sentence each.
pub fn parameter_facts(parameter: &Parameter, enum_value: &dyn Fn(&Literal) -> String) -> Vec<String> {
    let mut facts = constraint_facts(&parameter.constraints, &parameter.ty);
    let clamp = parameter.constraints.clamp;
    facts.extend(clamp.map(|clamp| format!("Larger values are clamped to {}.", number(clamp))));
    facts.extend(parameter.default.as_ref().map(|default| format!("Default: {}.", enum_value(default))));
    facts.extend(parameter.example.as_ref().map(|example| format!("Example: {}.", enum_value(example))));
    facts
}

/// Returns a description that continues a sentence, with its first letter in lower case.
pub fn lower_first(text: &str) -> String {
    let text = paragraph(text);
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        // Two leading capitals are a name.
        (Some(first), Some(second)) if first.is_uppercase() && !second.is_uppercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text,
    }
}

/// Returns the facts about the values of a type, one sentence each.
pub fn constraint_facts(constraints: &Constraints, ty: &Type) -> Vec<String> {
    // Destructured, so that a new constraint does not compile without a sentence. `clamp` is described with the
    // default.
    let Constraints {
        length,
        pattern,
        format,
        schemes,
        min,
        max,
        exclusive,
        clamp: _,
        multiple_of,
        items,
        keys,
        unique,
        elements,
        constant,
        known,
    } = constraints;
    let mut facts = Vec::new();
    let unit = if matches!(ty.innermost_type(), Type::Bytes(_)) { "byte" } else { "character" };
    facts.extend(constant.as_ref().map(|constant| format!("Always {}.", literal(constant))));
    facts.extend(length.map(|range| count_sentence(range, unit)));
    facts.extend(pattern.as_ref().map(|pattern| format!("Matches {}.", code_span(pattern))));
    facts.extend(format.map(|format| format_fact(format).to_owned()));
    if !schemes.is_empty() {
        let schemes: Vec<String> = schemes.iter().map(|scheme| code_span(scheme)).collect();
        facts.push(format!("Scheme: {}.", schemes.join(", ")));
    }
    let (least, most) =
        (if exclusive.min { "Greater than" } else { "At least" }, if exclusive.max { "Less than" } else { "At most" });
    facts.extend(min.map(|min| format!("{least} {}.", number(min))));
    facts.extend(max.map(|max| format!("{most} {}.", number(max))));
    facts.extend(multiple_of.map(|divisor| format!("A multiple of {}.", number(divisor))));
    facts.extend(items.map(|range| count_sentence(range, "element")));
    facts.extend(keys.as_ref().map(keys_fact));
    facts.extend(unique.then(|| "No duplicates.".to_owned()));
    let mut each = "Each element".to_owned();
    for ElementConstraints { items, keys, unique } in elements {
        let own = items.map(|range| count_sentence(range, "element"));
        let own =
            own.into_iter().chain(keys.as_ref().map(keys_fact)).chain(unique.then(|| "No duplicates.".to_owned()));
        facts.extend(own.map(|fact| format!("{each}: {}", lower_first(&fact))));
        each += " of each element";
    }
    facts.extend(encoding_sentence(ty.innermost_type()).map(str::to_owned));
    for known in known {
        facts.push(format!("{}: {}", code_span(&known.value), paragraph(&known.doc)));
    }
    facts
}

/// Returns the sentence about the keys of a map.
fn keys_fact(keys: &Keys) -> String {
    let length = keys.length.map(|range| lower_first(count_sentence(range, "character").trim_end_matches('.')));
    let pattern = keys.pattern.as_ref().map(|pattern| format!("matches {}", code_span(pattern)));
    format!("Keys: {}.", length.into_iter().chain(pattern).collect::<Vec<_>>().join(", "))
}

/// Returns the description of an encoding that the Rust type does not imply.
fn encoding_sentence(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        ty if ty.is_decimal_string() => "A decimal string on the wire.",
        Type::Int64(Encoding::UnixSeconds) => "Seconds since 1970 on the wire.",
        Type::Int64(Encoding::UnixMilliseconds) => "Milliseconds since 1970 on the wire.",
        Type::Bytes(Encoding::Base64Unpadded | Encoding::Base64UrlUnpadded) => "Base64 without padding on the wire.",
        _ => return None,
    })
}

/// Returns a sentence about a count: `At least 1 character.`, `2 to 5 elements.`
fn count_sentence(range: Range, of: &str) -> String {
    let (many, last) = match (range.min, range.max) {
        (Some(min), Some(max)) if min == max => (format!("Exactly {min}"), max),
        (Some(min), Some(max)) => (format!("{min} to {max}"), max),
        (Some(min), None) => (format!("At least {min}"), min),
        (None, Some(max)) => (format!("At most {max}"), max),
        (None, None) => ("Any number of".to_owned(), 0),
    };
    format!("{many} {of}{}.", if last == 1 { "" } else { "s" })
}

/// Formats a number for a sentence; large floats in scientific notation.
fn number(value: Number) -> String {
    match value {
        Number::Int(value) => value.to_string(),
        Number::Float(value) if value.abs() >= 1e15 => format!("{value:e}"),
        Number::Float(value) => value.to_string(),
        Number::Decimal(value) => value.to_string(),
    }
}

/// Returns a literal as a code span; enum values need their enum, see [`field_facts`].
pub fn literal(value: &Literal) -> String {
    match value {
        Literal::Bool(value) => format!("`{value}`"),
        Literal::Number(value) => format!("`{}`", number(*value)),
        Literal::Text(text) => code_span(text),
        Literal::Enum(..) => String::new(),
        Literal::Json(value) => code_span(&value.to_string()),
    }
}

fn format_fact(format: Format) -> &'static str {
    match format {
        Format::Email => "A mail address (RFC 5322).",
        Format::Uri => "A URI (RFC 3986).",
        Format::TimeZone => "A zone of the IANA Time Zone Database.",
        Format::Recurrence => "A recurrence line (RFC 5545).",
        Format::MediaType => "A media type (RFC 6838).",
        Format::Etag => "An entity tag (RFC 9110).",
        Format::PageToken | Format::SyncToken => "An opaque token.",
        Format::Hostname => "A host name (RFC 1123).",
        Format::Ip => "An IP address.",
        Format::Uuid => "A UUID (RFC 9562).",
        Format::Html => "May be HTML.",
        Format::FieldMask => "A field mask: field paths separated by commas.",
    }
}

/// Returns `#[deprecated]` with the replacement.
pub fn deprecated(deprecated: Option<&Deprecated>) -> Option<TokenStream> {
    let deprecated = deprecated?;
    let instead = deprecated.replacement.as_ref().map(|instead| format!("use `{instead}`"));
    let since = deprecated.since.as_ref().map(|since| format!("deprecated since {since}"));
    let notes: Vec<String> = [since, instead, deprecated.doc.clone()].into_iter().flatten().collect();
    Some(if notes.is_empty() {
        quote! { #[deprecated] }
    } else {
        let note: String = notes.join("; ").chars().map(replace_invisible).collect();
        quote! { #[deprecated(note = #note)] }
    })
}
