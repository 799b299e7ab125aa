//! Descriptions: taken as data, and made one paragraph.

mod markdown;

/// A description in Markdown as one paragraph of sentences.
pub fn of_markdown(text: &str) -> Option<String> {
    paragraph(&markdown::text(text))
}

/// The words of a description with one space between them, and without what cannot be printed; nothing where no word
/// is left.
pub fn paragraph(text: &str) -> Option<String> {
    let printable: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = printable.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// A text that another one can come after: with a full stop where it does not end by itself.
pub fn ended(text: &str) -> String {
    let last = text.trim_end_matches(['"', '\'', ')', ']', '*', '`', '”', '’']);
    let full_stop = if last.ends_with(['.', '!', '?', ':', ';', '…', '。']) { "" } else { "." };
    format!("{text}{full_stop}")
}

#[cfg(test)]
mod tests {
    use super::{ended, paragraph};

    #[test]
    fn a_text_ends_before_another_one_begins() {
        for (text, expected) in
            [("All", "All."), ("All.", "All."), ("All (of them)", "All (of them)."), ("(All.)", "(All.)")]
        {
            assert_eq!(ended(text), expected);
        }
    }

    #[test]
    fn a_description_becomes_one_paragraph() {
        assert_eq!(paragraph(" One\n two.\r\n\n\tThree\u{0}. ").as_deref(), Some("One two. Three ."));
        assert_eq!(paragraph(" \n"), None);
    }
}
