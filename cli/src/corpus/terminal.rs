//! Sanitizes third-party text for terminals.

/// Maximum number of characters of a problem in a row.
const MAX_CHARACTERS: usize = 360;

/// Escapes characters that would move the cursor or change the direction of the text.
pub fn sanitize(text: &str) -> String {
    let turns = |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let spelled = |c: char| if c.is_control() || turns(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(spelled).collect()
}

/// Truncates a long text.
pub fn truncate(text: &str) -> String {
    let mut formatted: String = text.chars().take(MAX_CHARACTERS).collect();
    if formatted.len() < text.len() {
        formatted.push('…');
    }
    formatted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(sanitize("a\u{1b}[2Jb\u{202e}c\nd"), "a\\u{1b}[2Jb\\u{202e}c\\nd");
        assert_eq!(sanitize("größer – 2"), "größer – 2");
    }
}
