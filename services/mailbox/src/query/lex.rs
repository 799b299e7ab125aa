//! Tokens of a search.

use super::{NamedOperator, Operator};

/// Token of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// Operator with its colon, directly followed by a value.
    Operator(NamedOperator),
    /// Word.
    Word(String),
    /// Words in quotation marks.
    Phrase(String),
    /// Negation of the directly following token.
    Minus,
    Or,
    And,
    Open,
    Close,
    OpenBrace,
    CloseBrace,
}

/// Splits a text into tokens.
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

/// Parses a token that begins with `first`. Returns it, unless it has no meaning, and the rest.
fn token(first: char, rest: &str) -> (Option<Token>, &str) {
    let rest_after = rest.get(first.len_utf8()..).unwrap_or_default();
    match first {
        '(' => (Some(Token::Open), rest_after),
        ')' => (Some(Token::Close), rest_after),
        '{' => (Some(Token::OpenBrace), rest_after),
        '}' => (Some(Token::CloseBrace), rest_after),
        '"' => phrase(rest_after),
        '-' if rest_after.starts_with(|next: char| !next.is_whitespace()) => (Some(Token::Minus), rest_after),
        // A plus sign requests an exact match, which is the default anyway.
        '+' | '-' => (None, rest_after),
        _ => word(rest),
    }
}

/// Parses a phrase. An unclosed one ends with the text.
fn phrase(rest: &str) -> (Option<Token>, &str) {
    let (phrase, after) = rest.split_once('"').unwrap_or((rest, ""));
    (Some(Token::Phrase(phrase.to_owned())), after)
}

/// Parses a word, `OR`, `AND`, or an operator with its colon, which is followed by its value in the rest.
fn word(rest: &str) -> (Option<Token>, &str) {
    let ends = |one: char| one.is_whitespace() || matches!(one, '(' | ')' | '{' | '}' | '"');
    let (word, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
    if let Some((name, value)) = word.split_once(':')
        && let Some(operator) = Operator::from_name(name)
    {
        let rest_after = rest.get(name.len() + 1..).unwrap_or_default();
        let something = !value.is_empty() || rest_after.starts_with(['(', '{', '"']);
        if something {
            return (Some(Token::Operator(operator)), rest_after);
        }
    }
    let token = match word {
        "OR" | "|" => Token::Or,
        "AND" => Token::And,
        _ => Token::Word(word.to_owned()),
    };
    (Some(token), after)
}
