//! A search as pieces.

use super::{Operator, Written};

/// A piece of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// An operator with its colon, which something stands right behind.
    Operator(Written),
    /// A word.
    Word(String),
    /// Words in quotation marks.
    Phrase(String),
    /// The opposite of what stands right behind.
    Minus,
    Or,
    And,
    Open,
    Close,
    OpenBrace,
    CloseBrace,
}

/// The pieces of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, after) = token(first, rest);
        tokens.extend(token);
        rest = after.trim_start();
    }
    tokens
}

fn token(first: char, rest: &str) -> (Option<Token>, &str) {
    let behind = rest.get(first.len_utf8()..).unwrap_or_default();
    match first {
        '(' => (Some(Token::Open), behind),
        ')' => (Some(Token::Close), behind),
        '{' => (Some(Token::OpenBrace), behind),
        '}' => (Some(Token::CloseBrace), behind),
        '"' => phrase(behind),
        '-' if behind.starts_with(|next: char| !next.is_whitespace()) => (Some(Token::Minus), behind),
        // A plus sign asks for the very word, which is what is looked for anyway.
        '+' | '-' => (None, behind),
        _ => word(rest),
    }
}

/// A phrase that is not closed ends with the text.
fn phrase(rest: &str) -> (Option<Token>, &str) {
    let (phrase, after) = rest.split_once('"').unwrap_or((rest, ""));
    (Some(Token::Phrase(phrase.to_owned())), after)
}

fn word(rest: &str) -> (Option<Token>, &str) {
    let ends = |one: char| one.is_whitespace() || matches!(one, '(' | ')' | '{' | '}' | '"');
    let (word, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
    if let Some((name, value)) = word.split_once(':')
        && let Some(operator) = Operator::named(name)
    {
        let behind = rest.get(name.len() + 1..).unwrap_or_default();
        let something = !value.is_empty() || behind.starts_with(['(', '{', '"']);
        if something {
            return (Some(Token::Operator(operator)), behind);
        }
    }
    let token = match word {
        "OR" | "|" => Token::Or,
        "AND" => Token::And,
        _ => Token::Word(word.to_owned()),
    };
    (Some(token), after)
}
