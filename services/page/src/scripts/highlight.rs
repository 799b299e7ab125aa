//! Syntax highlighting.

use crate::html::Escaped;

/// Language of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    JavaScript,
    Json,
    Html,
}

/// Keywords.
const KEYWORDS: [&str; 41] = [
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "import",
    "in",
    "instanceof",
    "let",
    "new",
    "null",
    "of",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "yield",
];

/// Returns a source text as HTML.
pub(super) fn highlight(source: &str, language: Language) -> String {
    let mut html = String::with_capacity(source.len() * 2);
    let mut rest = source;
    while !rest.is_empty() {
        let (length, class) = match language {
            Language::Html => next_markup_token(rest),
            Language::JavaScript | Language::Json => next_code_token(rest),
        };
        let (token, after) = rest.split_at(length);
        match class {
            Some(class) => html.push_str(&format!("<span class=\"{class}\">{}</span>", Escaped(token))),
            None => html.push_str(&Escaped(token).to_string()),
        }
        rest = after;
    }
    html
}

/// Returns the length of the first token of a program, at least one character, and its class.
fn next_code_token(text: &str) -> (usize, Option<&'static str>) {
    let first = text.chars().next().unwrap_or_default();
    match first {
        '/' if text.starts_with("//") => (find_start(text, 0, "\n"), Some("comment")),
        '/' if text.starts_with("/*") => (find_end(text, 2, "*/"), Some("comment")),
        '"' | '\'' | '`' => (quoted_length(text, first), Some("string")),
        '0'..='9' => {
            (leading_length(text, |next| next.is_ascii_alphanumeric() || next == '.' || next == '_'), Some("number"))
        }
        _ if is_word(first) => {
            let length = leading_length(text, is_word);
            let is_keyword = text.get(..length).is_some_and(|word| KEYWORDS.contains(&word));
            (length, is_keyword.then_some("keyword"))
        }
        _ => (
            leading_length(text, |next| !is_word(next) && !matches!(next, '/' | '"' | '\'' | '`'))
                .max(first.len_utf8()),
            None,
        ),
    }
}

/// Returns the length of the first token of an HTML page, and its class.
fn next_markup_token(text: &str) -> (usize, Option<&'static str>) {
    if text.starts_with("<!--") {
        return (find_end(text, 4, "-->"), Some("comment"));
    }
    if text.starts_with("<?") {
        return (find_end(text, 2, "?>"), Some("keyword"));
    }
    if text.starts_with('<') {
        return (find_end(text, 1, ">"), Some("tag"));
    }
    (find_start(text, 0, "<"), None)
}

/// Returns whether a character can be in an identifier or a number.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}

/// Returns the length of the leading characters that satisfy a predicate.
fn leading_length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|next| !belongs(next)).unwrap_or(text.len())
}

/// Returns the start of a delimiter, searched from an offset, or the end of the text.
fn find_start(text: &str, from: usize, mark: &str) -> usize {
    text.get(from..).and_then(|rest| rest.find(mark)).map_or(text.len(), |at| from + at)
}

/// Returns the end of a delimiter, searched from an offset, or the end of the text.
fn find_end(text: &str, from: usize, mark: &str) -> usize {
    text.get(from..).and_then(|rest| rest.find(mark)).map_or(text.len(), |at| from + at + mark.len())
}

/// Returns the length of a quoted text, to its closing quote or the end of the line. A text in backticks continues over
/// lines.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, next) in text.char_indices().skip(1) {
        match next {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if quote != '`' => return at,
            _ if next == quote => return at + next.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_texts_and_comments_are_distinguished() {
        let html = highlight("const a = 'x\\'y' + 12; // <b>\n/* c */ f(`1\n2`, \"open\n", Language::JavaScript);
        let expected = "<span class=\"keyword\">const</span> a = <span class=\"string\">&#39;x\\&#39;y&#39;</span> + \
                        <span class=\"number\">12</span>; <span class=\"comment\">// &lt;b&gt;</span>\n\
                        <span class=\"comment\">/* c */</span> f(<span class=\"string\">`1\n2`</span>, \
                        <span class=\"string\">&quot;open</span>\n";
        assert_eq!(html, expected);
    }

    #[test]
    fn pages_have_tags_comments_and_scriptlets() {
        let html = highlight("<p>a<!-- b --><?= c ?></p", Language::Html);
        let expected = "<span class=\"tag\">&lt;p&gt;</span>a<span class=\"comment\">&lt;!-- b --&gt;</span>\
                        <span class=\"keyword\">&lt;?= c ?&gt;</span><span class=\"tag\">&lt;/p</span>";
        assert_eq!(html, expected);
    }

    #[test]
    fn highlighting_keeps_the_text() {
        for source in
            ["", "/", "\\", "'", "`", "<", "<!--", "<?", "é/é\"", "a/b/c", "\u{1f600}\u{0}", "//", "/*", "1e5_"]
        {
            for language in [Language::JavaScript, Language::Json, Language::Html] {
                let html = highlight(source, language);
                let mut text = String::new();
                let mut inside = false;
                for character in html.chars() {
                    match character {
                        '<' => inside = true,
                        '>' => inside = false,
                        _ if !inside => text.push(character),
                        _ => {}
                    }
                }
                assert_eq!(text, Escaped(source).to_string(), "{source:?}");
            }
        }
    }
}
