//! Tokens of a quick-add text, and a cursor over them.

use std::ops::RangeInclusive;

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Letters.
    Word,
    /// Digits.
    Number,
    /// Any other character.
    Symbol,
    /// Text in double quotes, which is used as the title.
    Quoted,
}

/// Token with its text.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    /// Text in lower case.
    lower: String,
    /// True if there is space before it.
    pub(super) spaced: bool,
}

/// Splits a text into tokens.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut spaced = true;
    while let Some(first) = rest.chars().next() {
        if first.is_whitespace() {
            rest = rest.trim_start();
            spaced = true;
            continue;
        }
        let (kind, length, skipped) = token(rest, first, spaced);
        let (Some(whole), Some(after)) = (rest.get(..length), rest.get(length..)) else { break };
        let text = whole.get(skipped..length - skipped).unwrap_or(whole);
        tokens.push(Token { kind, text, lower: text.to_lowercase(), spaced });
        rest = after;
        spaced = false;
    }
    tokens
}

/// Returns the kind and the length of the first token of a text, and the length of its quotation marks.
fn token(text: &str, first: char, spaced: bool) -> (Kind, usize, usize) {
    let run = |has: fn(char) -> bool| text.find(|c| !has(c)).unwrap_or(text.len());
    if first == '"' && spaced {
        let end = text.get(1..).and_then(|rest| rest.find('"')).filter(|end| *end > 0);
        if let Some(end) = end {
            return (Kind::Quoted, end + 2, 1);
        }
    }
    if first.is_ascii_digit() {
        return (Kind::Number, run(|c| c.is_ascii_digit()), 0);
    }
    if first.is_alphabetic() {
        return (Kind::Word, run(char::is_alphabetic), 0);
    }
    (Kind::Symbol, first.len_utf8(), 0)
}

impl Token<'_> {
    /// Returns whether it is one of the symbols.
    pub(super) fn is_symbol(&self, symbols: &[char]) -> bool {
        self.kind == Kind::Symbol && symbols.iter().any(|symbol| self.text.starts_with(*symbol))
    }

    /// Returns whether it is one of the words, which are given in lower case, ignoring its case.
    pub(super) fn is_word(&self, words: &[&str]) -> bool {
        self.kind == Kind::Word && words.contains(&self.lower.as_str())
    }

    /// Returns whether it begins with a capital letter.
    pub(super) fn is_capitalized(&self) -> bool {
        self.kind == Kind::Word && self.text.chars().next().is_some_and(|first| !first.is_lowercase())
    }
}

/// Cursor over the tokens of a quick-add text, copied for lookahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenCursor<'a> {
    tokens: &'a [Token<'a>],
    pub(super) at: usize,
}

/// Symbols before the first word of a phrase that need no space in between.
const OPENING: [char; 9] = [',', ';', '(', '[', '-', '–', '—', '.', '!'];
/// Symbols after the last word of a phrase that need no space in between.
const CLOSING: [char; 8] = [',', ';', ')', ']', '.', '!', '?', ':'];

impl<'a> TokenCursor<'a> {
    pub(super) fn new(tokens: &'a [Token<'a>], at: usize) -> Self {
        Self { tokens, at }
    }

    /// Returns the next token without consuming it; `None` at the end.
    pub(super) fn token(&self) -> Option<&'a Token<'a>> {
        self.tokens.get(self.at)
    }

    /// Returns whether a phrase can begin here: not within a word, a number or an email address.
    pub(super) fn begins_phrase(&self) -> bool {
        let Some(token) = self.token() else { return false };
        let before = self.at.checked_sub(1).and_then(|before| self.tokens.get(before));
        token.spaced || before.is_none_or(|before| before.spaced && before.is_symbol(&OPENING))
    }

    /// Returns the position, if a phrase can end here.
    pub(super) fn end(&self) -> Option<usize> {
        let ends = |at: usize| self.tokens.get(at).is_none_or(|token| token.spaced);
        let closes = |at: usize| self.tokens.get(at).is_some_and(|token| token.is_symbol(&CLOSING));
        let mut at = self.at;
        while !ends(at) {
            if !closes(at) {
                return None;
            }
            at += 1;
        }
        Some(self.at)
    }

    /// Returns whether the next token directly follows the previous one.
    pub(super) fn is_adjacent(&self) -> bool {
        self.token().is_some_and(|token| !token.spaced)
    }

    /// Returns whether the next token is a word.
    pub(super) fn is_word(&self, word: &str) -> bool {
        self.token().is_some_and(|token| token.is_word(&[word]))
    }

    /// Consumes one of the given words.
    pub(super) fn eat(&mut self, words: &[&str]) -> bool {
        let found = self.token().is_some_and(|token| token.is_word(words));
        self.at += usize::from(found);
        found
    }

    /// Consumes a sequence of words, or nothing.
    pub(super) fn eat_all(&mut self, words: &[&str]) -> bool {
        let mut ahead = *self;
        let found = words.iter().all(|word| ahead.eat(&[word]));
        if found {
            *self = ahead;
        }
        found
    }

    /// Consumes one of the given symbols.
    pub(super) fn eat_symbol(&mut self, symbols: &[char]) -> bool {
        let found = self.token().is_some_and(|token| token.is_symbol(symbols));
        self.at += usize::from(found);
        found
    }

    /// Consumes a word and returns it in lower case.
    pub(super) fn eat_word(&mut self) -> Option<&'a str> {
        let token = self.token().filter(|token| token.kind == Kind::Word)?;
        self.at += 1;
        Some(&token.lower)
    }

    /// Consumes a number with the given number of digits, and returns its value and its text.
    pub(super) fn eat_number(&mut self, digits: RangeInclusive<usize>) -> Option<(i32, &'a str)> {
        let token = self.token().filter(|token| token.kind == Kind::Number && digits.contains(&token.text.len()))?;
        let value = token.text.parse().ok()?;
        self.at += 1;
        Some((value, token.text))
    }

    /// Consumes a small number, in digits or as a word: `3`, `three`, `a`.
    pub(super) fn eat_count(&mut self) -> Option<i32> {
        const WORDS: [&str; 12] =
            ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
        if let Some((value, _)) = self.eat_number(1..=3) {
            return Some(value);
        }
        let mut ahead = *self;
        let word = ahead.eat_word()?;
        let value = match WORDS.iter().position(|known| *known == word) {
            Some(index) => i32::try_from(index).ok()? + 1,
            None if matches!(word, "a" | "an") => 1,
            None => return None,
        };
        *self = ahead;
        Some(value)
    }

    /// Consumes a separator between the two ends of a range.
    pub(super) fn eat_range_separator(&mut self) -> Option<RangeSeparator> {
        if self.eat_symbol(&['-', '–', '—']) {
            return Some(RangeSeparator::Dash);
        }
        self.eat(&["to", "until", "till", "through"]).then_some(RangeSeparator::Word)
    }
}

/// Separator between the two ends of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RangeSeparator {
    Dash,
    Word,
}
