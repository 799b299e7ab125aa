//! Text of a mail, for searches and lists.

use mail_parser::decoders::html::html_to_text;

use super::structure::Part;

/// Maximum number of characters of a text that are searchable.
pub(super) const MAX_SEARCHABLE: usize = 16 << 10;

/// Maximum number of bytes of a part that are examined: most of HTML is not text.
const MAX_PART_BYTES: usize = 128 << 10;

/// Maximum number of characters of a snippet.
const MAX_SNIPPET: usize = 200;

/// Returns the beginning of the text: of the first plain text part, or, if that is missing or blank, of the first HTML
/// part without markup. Attachments are not part of the text.
pub(super) fn extract(mail: &Part<'_>) -> String {
    let leaves = mail.leaves();
    let first = |kind: &str| leaves.iter().find(|part| !part.attached && part.media_type == kind);
    let plain = first("text/plain").map(|part| part.text_prefix(MAX_PART_BYTES));
    match (plain, first("text/html")) {
        (Some(text), _) if !text.trim().is_empty() => text,
        (_, Some(part)) => html_to_text(&part.text_prefix(MAX_PART_BYTES)),
        (text, None) => text.unwrap_or_default(),
    }
}

/// Returns the text on one line, cut to two hundred characters and escaped for HTML, as in the public API.
pub(super) fn snippet(text: &str) -> String {
    let mut snippet = String::new();
    let words =
        text.split(|one: char| one.is_whitespace() || one.is_control()).map(|word| word.replace(is_invisible, ""));
    let mut room = MAX_SNIPPET;
    for word in words.filter(|word| !word.is_empty()) {
        if !snippet.is_empty() {
            room = room.saturating_sub(1);
            if room == 0 {
                break;
            }
            snippet.push(' ');
        }
        for one in word.chars().take(room) {
            push_html_escaped(one, &mut snippet);
        }
        room = room.saturating_sub(word.chars().count());
        if room == 0 {
            break;
        }
    }
    snippet.trim_end().to_owned()
}

/// Appends a character to a text, escaped for HTML.
fn push_html_escaped(one: char, text: &mut String) {
    match one {
        '&' => text.push_str("&amp;"),
        '<' => text.push_str("&lt;"),
        '>' => text.push_str("&gt;"),
        '"' => text.push_str("&quot;"),
        '\'' => text.push_str("&#39;"),
        _ => text.push(one),
    }
}

/// Returns whether a character is an invisible filler that senders use to limit what lists show of a mail.
fn is_invisible(one: char) -> bool {
    matches!(one, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{00AD}' | '\u{034F}')
}
