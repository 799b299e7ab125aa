//! The one owner of casing, keywords and collisions: wire names in, Rust identifiers out.

use std::collections::HashMap;

use heck::{ToPascalCase as _, ToSnakeCase as _};

use crate::diagnostics::{Code, Sink, Span};
use crate::model::Name;
use crate::schema::Text;

/// The strict and reserved keywords of the 2024 edition that can be written raw.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Those that cannot be written raw.
const UNRAWABLE: &[&str] = &["self", "super", "crate", "Self", "_"];

/// The names of the prelude that emitted code writes short where it can.
pub const PRELUDE: &[&str] = &["Option", "Result", "Into", "IntoIterator", "Vec", "String", "Box"];

/// The longest name; also what file systems and registries take.
const MAX_LENGTH: usize = 128;

/// What an identifier names, which decides its case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Casing {
    /// `snake_case`: members, parameters, methods, modules.
    Member,
    /// `PascalCase`: types and variants.
    Type,
}

/// The Rust form of a wire name, or of the name that `name:` gives instead.
pub fn name(wire: &Text, given: Option<&Text>, casing: Casing, sink: &mut Sink) -> Option<Name> {
    let advice = if given.is_none() { "give it a Rust name beside it: `name: …`" } else { PLAIN };
    named(wire, given, casing, advice, sink)
}

/// The Rust form of a wire name that stands where no `name:` can be written.
pub fn only_name(wire: &Text, casing: Casing, sink: &mut Sink) -> Option<Name> {
    named(wire, None, casing, PLAIN, sink)
}

const PLAIN: &str = "write a name of ASCII letters, digits and `_`";

fn named(wire: &Text, given: Option<&Text>, casing: Casing, advice: &str, sink: &mut Sink) -> Option<Name> {
    let source = given.unwrap_or(wire);
    let mistake = match stem(&source.text, casing) {
        Ok(stem) => {
            let ident = ident(&stem, casing);
            // `with_3d_model`, and alone `_3d_model`.
            let stem = if casing == Casing::Member { stem.trim_start_matches('_').to_owned() } else { stem };
            return Some(Name { wire: wire.text.clone(), ident, stem });
        }
        Err(mistake) => mistake,
    };
    sink.report(
        Code::BadName,
        source.span,
        format!("`{}` cannot be a name in Rust: {mistake}", source.text.escape_debug()),
    )
    .help(advice);
    None
}

fn stem(text: &str, casing: Casing) -> Result<String, &'static str> {
    if text.len() > MAX_LENGTH {
        return Err("it is longer than 128 bytes");
    }
    if !text.is_ascii() {
        return Err("it has characters outside of ASCII");
    }
    if text.bytes().any(|byte| byte.is_ascii_control()) {
        return Err("it has control characters");
    }
    let words: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let cased = match casing {
        Casing::Member => words.to_snake_case(),
        Casing::Type => words.to_pascal_case(),
    };
    if cased.is_empty() {
        return Err("it has no letter and no digit");
    }
    Ok(if cased.starts_with(|c: char| c.is_ascii_digit()) { format!("_{cased}") } else { cased })
}

fn ident(stem: &str, casing: Casing) -> String {
    if UNRAWABLE.contains(&stem) {
        format!("{stem}_")
    } else if casing == Casing::Member && KEYWORDS.contains(&stem) {
        format!("r#{stem}")
    } else {
        stem.to_owned()
    }
}

/// The pascal-cased form of a name that has a Rust form already: a part of the names of types. It is not checked
/// against keywords, because something always follows or precedes it, or it is the name of a group, of which none
/// is a keyword in this case but `Self`.
pub fn type_stem(wire: &str) -> String {
    let cased = stem(wire, Casing::Type).unwrap_or_default();
    if cased == "Self" { "SelfGroup".to_owned() } else { cased }
}

/// The module of a group of operations in a client crate.
pub fn client_module(wire: &str) -> String {
    // What client crates have of their own.
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
        "types",
    ];
    match stem(wire, Casing::Member) {
        Ok(name)
            if TAKEN.contains(&name.as_str())
                || KEYWORDS.contains(&name.as_str())
                || UNRAWABLE.contains(&name.as_str()) =>
        {
            format!("{name}_")
        }
        Ok(name) if name.starts_with('_') => format!("group{name}"),
        Ok(name) => name,
        Err(_) => "group".to_owned(),
    }
}

/// The method by which a call takes a parameter. What every call has of its own is not free.
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

/// A module name from the stem of a file's name.
pub fn module(file_stem: &str) -> String {
    // What generated crates have of their own.
    const TAKEN: &[&str] = &["lib", "main", "mod", "wire", "patch", "runtime", "requests", "fields"];
    match stem(file_stem, Casing::Member) {
        Ok(name)
            if TAKEN.contains(&name.as_str())
                || KEYWORDS.contains(&name.as_str())
                || UNRAWABLE.contains(&name.as_str()) =>
        {
            format!("{name}_")
        }
        // `_3d` could be a type too, and types and modules share their names.
        Ok(name) if name.starts_with('_') => format!("file{name}"),
        Ok(name) => name,
        Err(_) => "schema".to_owned(),
    }
}

/// Whether a text can be the name of an API, and so of crates and folders.
pub fn is_api_name(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    text.len() <= 48
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && !text.ends_with('-')
        && !text.contains("--")
        && text.bytes().all(inner)
}

/// The names that are taken at one place, and by what.
#[derive(Default)]
pub struct Taken {
    names: HashMap<String, (Span, String)>,
}

impl Taken {
    /// Takes a Rust name; reports when something else has it, and tells whether it was free. `what` is how messages call it.
    pub fn take(&mut self, ident: &str, what: &str, span: Span, sink: &mut Sink) -> bool {
        self.take_with(ident, what, span, "give one of them another Rust name: `name: …`", sink)
    }

    /// The same for names beside which no `name:` can be written.
    pub fn take_with(&mut self, ident: &str, what: &str, span: Span, advice: &str, sink: &mut Sink) -> bool {
        if let Some((first, other)) = self.names.get(ident) {
            let (first, other) = (*first, other.clone());
            let report =
                sink.report(Code::NameCollision, span, format!("{what} and {other} both become `{ident}` in Rust"));
            // What the generated code has of its own stands nowhere.
            let report =
                if first == Span::default() { report } else { report.related(first, format!("{other} is here")) };
            report.help(advice);
            return false;
        }
        self.names.insert(ident.to_owned(), (span, what.to_owned()));
        true
    }
}

/// The names on the wire, aliases included, that are taken at one place.
#[derive(Default)]
pub struct Spellings {
    spellings: HashMap<String, Span>,
}

impl Spellings {
    /// Takes a canonical name and its aliases, and tells whether all were free.
    pub fn take(&mut self, wire: &str, span: Span, aliases: &[Text], sink: &mut Sink) -> bool {
        let mut free = true;
        let own = std::iter::once((wire, span));
        for (spelling, span) in own.chain(aliases.iter().map(|alias| (alias.text.as_str(), alias.span))) {
            if let Some(first) = self.spellings.insert(spelling.to_owned(), span) {
                sink.report(
                    Code::AliasConflict,
                    span,
                    format!("`{}` already means something here", spelling.escape_debug()),
                )
                .related(first, "its first meaning")
                .help("remove it, or choose another spelling");
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
    fn api_names_are_safe_as_folders() {
        assert!(is_api_name("calendar") && is_api_name("drive-v3"));
        for wrong in ["", "Calendar", "../x", "a/b", "1abc", "a_b", "-a", "a-", "a--b", "a.b"] {
            assert!(!is_api_name(wrong), "{wrong}");
        }
    }
}
