//! Characters of names and texts in XML.

/// Returns whether a text can be a name without a prefix (Namespaces in XML 1.0, section 3).
pub fn is_name(text: &str) -> bool {
    text.starts_with(is_name_start_char) && text.chars().all(is_name_char)
}

/// Returns whether a name can start with a character: `NameStartChar` of XML 1.0, fifth edition, section 2.3, without
/// the colon.
fn is_name_start_char(c: char) -> bool {
    matches!(c,
        'A'..='Z' | '_' | 'a'..='z'
        | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}'
        | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}' | '\u{200c}'..='\u{200d}'
        | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}' | '\u{3001}'..='\u{d7ff}'
        | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..='\u{effff}')
}

/// Returns whether a name can continue with a character: `NameChar` of the same section, without the colon.
fn is_name_char(c: char) -> bool {
    is_name_start_char(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}'..='\u{2040}')
}

/// Returns whether a character is allowed in a document (XML 1.0, section 2.2).
pub fn is_character(c: char) -> bool {
    !matches!(c, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}')
}

/// Namespace of `nil`.
pub const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Namespace of the prefix `xml`.
pub const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// Namespace of the prefix `xmlns`.
pub const XMLNS: &str = "http://www.w3.org/2000/xmlns/";
