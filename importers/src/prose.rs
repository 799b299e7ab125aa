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

#[cfg(test)]
mod tests {
    use super::paragraph;

    #[test]
    fn a_description_becomes_one_paragraph() {
        assert_eq!(paragraph(" One\n two.\r\n\n\tThree\u{0}. ").as_deref(), Some("One two. Three ."));
        assert_eq!(paragraph(" \n"), None);
    }
}
