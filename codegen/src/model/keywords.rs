//! Keywords of Rust: the strict and reserved ones of the 2024 edition. Contextual ones, such as `union`, are valid
//! names.

/// Keywords that have a raw form, `r#type`.
const RAWABLE: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Keywords without a raw form.
const NEVER_RAW: &[&str] = &["self", "super", "crate", "Self", "_"];

/// Returns whether a name is a keyword that has a raw form.
pub fn is_rawable(name: &str) -> bool {
    RAWABLE.contains(&name)
}

/// Returns whether a name is a keyword without a raw form.
pub fn is_unrawable(name: &str) -> bool {
    NEVER_RAW.contains(&name)
}

/// Returns whether a name is a keyword.
pub fn is_keyword(name: &str) -> bool {
    is_rawable(name) || is_unrawable(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `syn` is the reference: what it parses as an identifier is none of its keywords.
    #[test]
    fn keywords_are_no_identifiers() {
        for name in RAWABLE.iter().filter(|name| **name != "gen") {
            assert!(syn::parse_str::<syn::Ident>(name).is_err(), "{name}");
            assert!(syn::parse_str::<syn::Ident>(&format!("r#{name}")).is_ok(), "r#{name}");
        }
        for name in NEVER_RAW {
            assert!(syn::parse_str::<syn::Ident>(name).is_err() && is_keyword(name), "{name}");
        }
        for name in ["union", "auto", "raw", "default", "Type", "selfish", ""] {
            assert!(!is_keyword(name), "{name}");
        }
    }
}
