//! The title: the part of a text that is nothing else.

use super::lex::{Kind, Token};

/// Separators between the title and other elements.
const SEPARATORS: [char; 6] = [',', ';', ':', '-', '–', '—'];

/// Returns the title; the whole text if nothing else is left.
pub(super) fn extract(tokens: &[Token<'_>], used: &[bool]) -> String {
    let mut pieces: Vec<String> = Vec::new();
    let mut begin = 0;
    while begin < tokens.len() {
        let is_used = |at: usize| used.get(at) == Some(&true);
        let mut end = begin;
        while end < tokens.len() && !is_used(end) {
            end += 1;
        }
        pieces.extend(tokens.get(begin..end).and_then(|run| segment(run, begin > 0, end < tokens.len())));
        begin = end + 1;
    }
    if pieces.is_empty() { join(tokens) } else { pieces.join(" ") }
}

/// Returns the text between two elements; `None` if it has no letter or number.
fn segment(run: &[Token<'_>], follows: bool, precedes: bool) -> Option<String> {
    if run.iter().all(|token| token.kind == Kind::Symbol && token.text.is_ascii()) {
        return None;
    }
    let belongs = |token: &Token<'_>, bracket: char| !token.is_symbol(&SEPARATORS) && !token.is_symbol(&[bracket]);
    let begin = if follows { run.iter().position(|token| belongs(token, ')'))? } else { 0 };
    let end = if precedes { run.iter().rposition(|token| belongs(token, '('))? + 1 } else { run.len() };
    run.get(begin..end).map(join)
}

/// Returns the text of tokens, with single spaces.
pub(super) fn join(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    for token in tokens {
        if token.spaced && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(token.text);
    }
    text
}
