//! Names: the single place for casing, keywords and collisions. Maps wire names to Rust identifiers.

use std::collections::HashMap;

use heck::ToSnakeCase as _;

use crate::diagnostics::{Code, Sink, Span};
use crate::model::keywords::{is_keyword, is_rawable, is_unrawable};
use crate::model::{Name, upper_camel};
use crate::schema::Text;

/// Names of the prelude that emitted code uses unqualified where it can.
pub const PRELUDE: &[&str] = &["Option", "Result", "Into", "IntoIterator", "Vec", "String", "Box"];

/// Maximum length of a name, which file systems and registries accept.
const MAX_LENGTH: usize = 128;

/// Kind of identifier, which decides its case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Casing {
    /// `snake_case`: fields, parameters, methods, modules.
    Member,
    /// `PascalCase`: types and variants.
    Type,
}

/// Returns the Rust name of a wire name, or of the explicit `name:`.
pub fn name(wire: &Text, given: Option<&Text>, casing: Casing, sink: &mut Sink) -> Option<Name> {
    let advice = if given.is_none() { "add a Rust name: `name: …`" } else { PLAIN };
    named(wire, given, casing, advice, sink)
}

/// Returns the Rust name of a wire name that cannot have an explicit `name:`.
pub fn only_name(wire: &Text, casing: Casing, sink: &mut Sink) -> Option<Name> {
    named(wire, None, casing, PLAIN, sink)
}

/// Help for a name that cannot be converted, where `name:` is already given or not permitted.
const PLAIN: &str = "use ASCII letters, digits and `_`";

/// Returns the Rust name of a wire name or the explicit one; reports a name that has none, with advice.
fn named(wire: &Text, given: Option<&Text>, casing: Casing, advice: &str, sink: &mut Sink) -> Option<Name> {
    let source = given.unwrap_or(wire);
    let error = match stem(&source.text, casing) {
        Ok(stem) => {
            let ident = ident(&stem, casing);
            // `with_3d_model`, but `_3d_model` on its own.
            let stem = if casing == Casing::Member { stem.trim_start_matches('_').to_owned() } else { stem };
            return Some(Name { wire: wire.text.clone(), ident, stem });
        }
        Err(error) => error,
    };
    sink.report(
        Code::BadName,
        source.span,
        format!("`{}` cannot be converted to a Rust name: {error}", source.text.escape_debug()),
    )
    .help(advice);
    None
}

/// Converts a text to a Rust name, which may be a keyword; the error is the reason why it has none.
fn stem(text: &str, casing: Casing) -> Result<String, &'static str> {
    if text.len() > MAX_LENGTH {
        return Err("it is longer than 128 bytes");
    }
    if !text.is_ascii() {
        return Err("it contains non-ASCII characters");
    }
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return Err("it contains control characters");
    }
    let words: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let cased = match casing {
        Casing::Member => words.to_snake_case(),
        Casing::Type => upper_camel(&words),
    };
    if cased.is_empty() {
        return Err("it contains no letters or digits");
    }
    Ok(if cased.starts_with(|c: char| c.is_ascii_digit()) { format!("_{cased}") } else { cased })
}

/// Converts a name to an identifier: `r#type` for a keyword, `self_` for one that cannot be raw.
fn ident(stem: &str, casing: Casing) -> String {
    if is_unrawable(stem) {
        format!("{stem}_")
    } else if casing == Casing::Member && is_rawable(stem) {
        format!("r#{stem}")
    } else {
        stem.to_owned()
    }
}

/// Returns the pascal-cased form of a name that has already been converted, as a part of type names. It is not
/// checked against keywords: it is always combined with other text, or it is the name of a group, where only `Self`
/// would be a keyword in this case.
pub fn type_stem(wire: &str) -> String {
    let cased = stem(wire, Casing::Type).unwrap_or_default();
    if cased == "Self" { "SelfGroup".to_owned() } else { cased }
}

/// Returns the type name of the merge patch of a resource: `NotePatch`, or `NotePatchUpdate` if the resource is
/// already named like a patch.
pub fn patch_name(stem: &str) -> String {
    if stem.ends_with("Patch") { format!("{stem}Update") } else { format!("{stem}Patch") }
}

/// Returns the pascal-cased form of several names as one type name: `EventsInsert`, and `_3Gpp1Get` for `3gpp` and `1get`.
/// An underscore is kept only between two digits, where the compiler permits it and the names would run together.
pub fn joined_type_stem<'n>(wires: impl IntoIterator<Item = &'n str>) -> String {
    wires.into_iter().map(type_stem).fold(String::new(), |mut joined, stem| {
        let keeps_mark = joined.is_empty() || joined.ends_with(|c: char| c.is_ascii_digit());
        joined.push_str(if keeps_mark { &stem } else { stem.trim_start_matches('_') });
        joined
    })
}

/// Returns the module of a group of operations in a client crate.
pub fn client_module(wire: &str) -> String {
    // Modules of the client crates themselves.
    const TAKEN: &[&str] = &[
        "all",
        "client",
        "endpoints",
        "lib",
        "main",
        "mod",
        "fake",
        "fields",
        "requests",
        "runtime",
        "scopes",
        "security_schemes",
        "types",
    ];
    match stem(wire, Casing::Member) {
        Ok(name) if TAKEN.contains(&name.as_str()) || is_keyword(&name) => format!("{name}_"),
        Ok(name) if name.starts_with('_') => format!("group{name}"),
        Ok(name) => name,
        Err(_) => "group".to_owned(),
    }
}

/// Returns the setter of a parameter on a call, avoiding the methods that every call has.
pub fn setter(name: &Name) -> String {
    const TAKEN: &[&str] = &[
        "changes",
        "download",
        "fields",
        "from_call",
        "from_start",
        "if_match",
        "if_none_match",
        "if_unchanged",
        "into_call",
        "items",
        "pages",
        "parameter",
        "patch_with",
        "poller",
        "pretty_print",
        "quota_user",
        "request",
        "retry",
        "send",
        "send_blocking",
        "send_media",
        "send_versioned",
        "since",
        "synchronize",
        "timeout",
        "update_with",
        "upload",
    ];
    if TAKEN.contains(&name.stem.as_str()) { format!("set_{}", name.stem) } else { name.ident.clone() }
}

/// Returns a module name for the stem of a file name.
pub fn module(file_stem: &str) -> String {
    // Modules and files of the generated crates themselves.
    const TAKEN: &[&str] = &["lib", "main", "mod", "wire", "patch", "runtime", "requests", "fields"];
    match stem(file_stem, Casing::Member) {
        Ok(name) if TAKEN.contains(&name.as_str()) || is_keyword(&name) => format!("{name}_"),
        // `_3d` could be a type too, and types and modules share a namespace.
        Ok(name) if name.starts_with('_') => format!("file{name}"),
        Ok(name) => name,
        Err(_) => "schema".to_owned(),
    }
}

/// What [`is_api_name`] accepts, for messages.
pub const API_NAME_SYNTAX: &str =
    "up to 48 lower-case letters and digits, with single hyphens between them, starting with a letter";

/// Returns whether a text is a valid name of an API, and thus of crates and folders: [`API_NAME_SYNTAX`].
pub fn is_api_name(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.len() <= 48
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && !text.ends_with('-')
        && !text.contains("--")
        && text.bytes().all(inner)
}

/// Names in use in a namespace, and what uses them.
#[derive(Default)]
pub struct ReservedNames {
    names: HashMap<String, (Span, String)>,
}

impl ReservedNames {
    /// Reserves a Rust name; reports a collision, and returns whether the name was free. `what` describes it in
    /// messages.
    pub fn take(&mut self, ident: &str, what: &str, span: Span, sink: &mut Sink) -> bool {
        self.reserve_with_advice(ident, what, span, "give one of them a different Rust name: `name: …`", sink)
    }

    /// Reserves a name that cannot have an explicit `name:`, with its own advice.
    pub fn reserve_with_advice(&mut self, ident: &str, what: &str, span: Span, advice: &str, sink: &mut Sink) -> bool {
        if let Some((first, other)) = self.names.get(ident) {
            let (first, other) = (*first, other.clone());
            let report =
                sink.report(Code::NameCollision, span, format!("{what} and {other} have the same Rust name `{ident}`"));
            // Names of the generated code itself have no span.
            let report =
                if first == Span::default() { report } else { report.related(first, format!("used by {other}")) };
            report.help(advice);
            return false;
        }
        self.names.insert(ident.to_owned(), (span, what.to_owned()));
        true
    }
}

/// Wire names in use in a namespace, including aliases.
#[derive(Default)]
pub struct WireNames {
    spellings: HashMap<String, Span>,
}

impl WireNames {
    /// Reserves a canonical name and its aliases; returns whether all were free.
    pub fn take(&mut self, wire: &str, span: Span, aliases: &[Text], sink: &mut Sink) -> bool {
        let mut free = true;
        let own = std::iter::once((wire, span));
        for (spelling, span) in own.chain(aliases.iter().map(|alias| (alias.text.as_str(), alias.span))) {
            if let Some(first) = self.spellings.insert(spelling.to_owned(), span) {
                sink.report(
                    Code::AliasConflict,
                    span,
                    format!("the name `{}` is already in use", spelling.escape_debug()),
                )
                .related(first, "first used here")
                .help("remove it or choose another name");
                free = false;
            }
        }
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(wire: &str) -> String {
        let text = Text { text: wire.into(), span: Span::default() };
        name(&text, None, Casing::Member, &mut Sink::new()).map_or_else(|| "-".into(), |name| name.ident)
    }

    #[test]
    fn every_wire_name_has_one_rust_form_or_none() {
        let table = [
            ("iCalUID", "i_cal_uid"),
            ("type", "r#type"),
            ("self", "self_"),
            ("$.xgafv", "xgafv"),
            ("@type", "r#type"),
            ("3d-model", "_3d_model"),
            ("X-Goog-Id", "x_goog_id"),
            ("größe", "-"),
            ("", "-"),
            ("_", "-"),
            ("Self", "self_"),
            ("userProcessFilter.types", "user_process_filter_types"),
            ("a\nb", "-"),
            ("gen", "r#gen"),
        ];
        for (wire, rust) in table {
            assert_eq!(member(wire), rust, "{wire}");
        }
    }

    #[test]
    fn joined_names_are_in_upper_camel_case() {
        let joined = |names: [&str; 2]| joined_type_stem(names);
        assert_eq!(
            [joined(["a", "get"]), joined(["3gpp", "1get"]), joined(["a1", "2"])],
            ["AGet", "_3Gpp1Get", "A1_2"]
        );
    }

    #[test]
    fn api_names_are_safe_as_folders() {
        assert!(is_api_name("calendar") && is_api_name("drive-v3"));
        for wrong in ["", "Calendar", "../x", "a/b", "1abc", "a_b", "-a", "a-", "a--b", "a.b"] {
            assert!(!is_api_name(wrong), "{wrong}");
        }
    }
}
