//! What names and texts can have in XML.

/// Whether a text can be a name without a prefix (Namespaces in XML 1.0, section 3).
pub fn is_name(text: &str) -> bool {
    let starts = |c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii() && c.is_alphabetic();
    let goes_on = |c: char| {
        starts(c)
            || c.is_ascii_digit()
            || matches!(c, '-' | '.' | '\u{b7}' | '\u{300}'..='\u{36f}')
            || c.is_alphanumeric()
    };
    text.starts_with(starts) && text.chars().all(goes_on)
}

/// Whether a character can stand in a document (XML 1.0, section 2.2).
pub fn is_character(c: char) -> bool {
    !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// The namespace of `nil`.
pub const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
