//! The text of a mail, for searches and for lists.

use mail_parser::decoders::html::html_to_text;

use super::structure::Part;

/// The most characters of a text that searches look at.
pub(super) const SEARCHED: usize = 16 << 10;

/// How many bytes of a part are looked at: of HTML, most is no text.
const LOOKED_AT: usize = 128 << 10;

/// The most characters of a snippet.
const SNIPPET: usize = 200;

/// The beginning of the text: of the first part that is plain text, or else of the first that is HTML, without what
/// is not for reading. Attachments are no text of the mail.
pub(super) fn of(mail: &Part<'_>) -> String {
    let leaves = mail.leaves();
    let first = |kind: &str| leaves.iter().find(|part| !part.attached && part.media_type == kind);
    let plain = first("text/plain").map(|part| part.beginning(LOOKED_AT));
    match (plain, first("text/html")) {
        (Some(text), _) if !text.trim().is_empty() => text,
        (_, Some(part)) => html_to_text(&part.beginning(LOOKED_AT)),
        (text, None) => text.unwrap_or_default(),
    }
}

/// The text on one line, cut to two hundred characters and escaped for HTML, as the public API answers it.
pub(super) fn snippet(text: &str) -> String {
    let mut snippet = String::new();
    let words = text.split(|one: char| one.is_whitespace() || one.is_control()).map(|word| word.replace(invisible, ""));
    let mut room = SNIPPET;
    for word in words.filter(|word| !word.is_empty()) {
        if !snippet.is_empty() {
            room = room.saturating_sub(1);
            if room == 0 {
                break;
            }
            snippet.push(' ');
        }
        for one in word.chars().take(room) {
            escape(one, &mut snippet);
        }
        room = room.saturating_sub(word.chars().count());
        if room == 0 {
            break;
        }
    }
    snippet.trim_end().to_owned()
}

fn escape(one: char, text: &mut String) {
    match one {
        '&' => text.push_str("&amp;"),
        '<' => text.push_str("&lt;"),
        '>' => text.push_str("&gt;"),
        '"' => text.push_str("&quot;"),
        '\'' => text.push_str("&#39;"),
        _ => text.push(one),
    }
}

/// What senders fill the beginning of a mail with so that lists show no more of it.
fn invisible(one: char) -> bool {
    matches!(one, '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}' | '\u{00AD}' | '\u{034F}')
}
