//! Descriptions in the form of schemas.

use wireform_codegen::markdown;

/// Returns a description in the form of schemas: that of a schema itself, or that of a document at a URL.
pub fn markdown(text: &str, base_url: Option<&str>) -> Option<String> {
    let form = match base_url {
        None => markdown::normalize(text),
        Some(base) => markdown::import(text, Some(base)),
    };
    (!form.is_empty()).then_some(form)
}

/// Concatenates two descriptions: paragraphs stay separate, and sentences follow one another.
pub fn join_descriptions(first: &str, second: &str) -> String {
    if first.contains('\n') || second.contains('\n') {
        format!("{first}\n\n{second}")
    } else {
        format!("{} {second}", with_full_stop(first))
    }
}

/// Normalizes whitespace of a description and removes unprintable characters; `None` if no word is left.
pub fn paragraph(text: &str) -> Option<String> {
    let printable: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let words: Vec<&str> = printable.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Returns a text with a full stop unless it already ends a sentence.
pub fn with_full_stop(text: &str) -> String {
    let last = text.trim_end_matches(['"', '\'', ')', ']', '*', '`', '”', '’']);
    let full_stop = if last.ends_with(['.', '!', '?', ':', ';', '…', '。']) { "" } else { "." };
    format!("{text}{full_stop}")
}

#[cfg(test)]
mod tests {
    use super::{join_descriptions, paragraph, with_full_stop};

    #[test]
    fn joined_texts_are_separated_by_full_stops() {
        for (text, expected) in
            [("All", "All."), ("All.", "All."), ("All (of them)", "All (of them)."), ("(All.)", "(All.)")]
        {
            assert_eq!(with_full_stop(text), expected);
        }
    }

    #[test]
    fn blocks_are_separate_paragraphs() {
        assert_eq!(join_descriptions("One", "two"), "One. two");
        assert_eq!(join_descriptions("One:\n\n* a", "Two."), "One:\n\n* a\n\nTwo.");
    }

    #[test]
    fn titles_become_one_line() {
        assert_eq!(paragraph(" One\n two.\r\n\n\tThree\u{0}. ").as_deref(), Some("One two. Three ."));
        assert_eq!(paragraph(" \n"), None);
    }
}
