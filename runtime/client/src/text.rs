//! Foreign text in messages of one line.

/// Returns the start of a text, with `\u{fffd}` in place of characters that break a line or change the direction of
/// text.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let mut line = String::new();
    for character in text.chars() {
        if line.len() + character.len_utf8() > max {
            line.push('…');
            break;
        }
        line.push(if breaks_line(character) { char::REPLACEMENT_CHARACTER } else { character });
    }
    line
}

/// Returns whether a character could break or reorder a line: a control, a line separator or a direction mark.
fn breaks_line(character: char) -> bool {
    let directs = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || directs || matches!(character, '\u{2028}' | '\u{2029}')
}
