//! Conversion of patterns from the dialect of JSON Schema, ECMA-262 with the flag `u`, to that of schemas.
//!
//! Escapes that the flag forbids but that are common, such as `\-` and `\_`, have the meaning that they have without
//! it (annex B). What is the same in both dialects is copied, so that an imported pattern is recognisable.

use std::iter::Peekable;
use std::str::Chars;

use regex_syntax::is_meta_character;

use super::PatternError;

/// The whitespace and line terminators of ECMA-262 beyond the `\s` of RE2, as items of a class.
const MORE_SPACES: &str = r"\x0B\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF";

/// Any character except the line terminators of ECMA-262.
const DOT: &str = r"[^\n\r\u2028\u2029]";

/// Converts a pattern.
///
/// # Errors
/// Returns an error for back-references, half surrogate pairs, unknown escapes and groups, and quantifiers of nothing.
pub fn from_ecma(pattern: &str) -> Result<String, PatternError> {
    let (mut out, mut rest) = (String::new(), pattern.chars().peekable());
    let mut last = Last::Other;
    while let Some(c) = rest.next() {
        last = last.next(c, &rest)?;
        match c {
            '\\' => match escape(&mut rest)? {
                Atom::Char(text, _) if text.is_empty() => return Err(error("half of a surrogate pair")),
                Atom::Char(text, _) | Atom::Set(text) => out.push_str(&text),
                Atom::Spaces(negated) => out.push_str(&spaces(negated)),
            },
            '[' => class(&mut rest, &mut out)?,
            '(' => {
                group(rest.clone())?;
                out.push('(');
            }
            '.' => out.push_str(DOT),
            '{' if !is_quantifier(rest.clone()) => out.push_str(r"\{"),
            '{' => {
                out.push('{');
                // A quantifier ends with the first brace.
                out.extend(rest.by_ref().take_while(|c| *c != '}'));
                out.push('}');
            }
            '}' | ']' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    Ok(out)
}

/// Kind of the last character, which determines whether a quantifier can follow.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Quantifier, which `?` makes lazy.
    Quantifier,
    /// Lazy quantifier, or an assertion.
    Complete,
    Other,
}

impl Last {
    /// Returns the kind of a character with the text after it.
    fn next(self, c: char, rest: &Peekable<Chars<'_>>) -> Result<Self, PatternError> {
        let is_word_boundary = c == '\\' && matches!(rest.clone().next(), Some('b' | 'B'));
        match (c, self) {
            ('?', Self::Quantifier) => Ok(Self::Complete),
            ('*' | '+' | '?', Self::Other) => Ok(Self::Quantifier),
            ('{', Self::Other) if is_quantifier(rest.clone()) => Ok(Self::Quantifier),
            ('*' | '+' | '?', _) => Err(error(format!("the quantifier `{c}` without an expression"))),
            ('{', _) if is_quantifier(rest.clone()) => Err(error("the quantifier `{` without an expression")),
            ('^' | '$', _) => Ok(Self::Complete),
            _ if is_word_boundary => Ok(Self::Complete),
            _ => Ok(Self::Other),
        }
    }
}

/// Part of a class, or escape.
enum Atom {
    /// Text of a single character, and its code point.
    Char(String, u32),
    /// Text of several characters.
    Set(String),
    /// `\s`, or `\S` if it is negated.
    Spaces(bool),
}

fn spaces(negated: bool) -> String {
    format!(r"[{}\s{MORE_SPACES}]", if negated { "^" } else { "" })
}

/// Returns whether the text continues a quantifier after its brace.
fn is_quantifier(rest: Peekable<Chars<'_>>) -> bool {
    let text: String = rest.take_while(|c| c.is_ascii_digit() || matches!(c, ',' | '}')).collect();
    let inner = text.split_once('}').map(|(inner, _)| inner);
    inner.is_some_and(|inner| inner.starts_with(|c: char| c.is_ascii_digit()) && inner.matches(',').count() <= 1)
}

/// Checks the text after the parenthesis that opens a group: flags, comments and other names are of other dialects.
fn group(mut rest: Peekable<Chars<'_>>) -> Result<(), PatternError> {
    match (rest.next(), rest.next()) {
        (Some('?'), Some(':' | '=' | '!' | '<')) => Ok(()),
        (Some('?'), Some(c)) => Err(error(format!("a group that starts with `(?{}`", c.escape_debug()))),
        _ => Ok(()),
    }
}

fn error(what: impl Into<String>) -> PatternError {
    PatternError::Syntax(what.into())
}

/// Reads an escape after its backslash.
fn escape(rest: &mut Peekable<Chars<'_>>) -> Result<Atom, PatternError> {
    let c = rest.next().ok_or_else(|| error("an escape without a character"))?;
    let same = |code: char| Ok(Atom::Char(format!("\\{c}"), u32::from(code)));
    match c {
        's' | 'S' => Ok(Atom::Spaces(c == 'S')),
        'd' | 'D' | 'w' | 'W' | 'b' | 'B' => Ok(Atom::Set(format!("\\{c}"))),
        'p' | 'P' => {
            let mut text = format!("\\{c}");
            if rest.peek() != Some(&'{') || !rest.clone().any(|c| c == '}') {
                return Err(error(format!(r"`{text}` without the name of a property in braces")));
            }
            text.extend(rest.by_ref().take_while(|c| *c != '}'));
            text.push('}');
            Ok(Atom::Set(text))
        }
        't' => same('\t'),
        'n' => same('\n'),
        'r' => same('\r'),
        'f' => same('\u{c}'),
        'v' => same('\u{b}'),
        '0' if !rest.peek().is_some_and(char::is_ascii_digit) => Ok(Atom::Char(r"\x00".to_owned(), 0)),
        '0'..='9' | 'k' => Err(error("back-references are not supported")),
        'c' => {
            let letter =
                rest.next().filter(char::is_ascii_alphabetic).ok_or_else(|| error(r"`\c` without a letter"))?;
            let code = u32::from(letter) % 32;
            Ok(Atom::Char(format!("\\x{code:02X}"), code))
        }
        'x' => {
            let code = hexadecimal(rest, 2)?;
            Ok(Atom::Char(format!("\\x{code:02X}"), code))
        }
        'u' => unicode(rest),
        c if c.is_ascii_alphabetic() => Err(error(format!(r"unknown escape `\{c}`"))),
        c if is_meta_character(c) => same(c),
        c => Ok(Atom::Char(c.to_string(), u32::from(c))),
    }
}

/// Reads a number of a fixed length.
fn hexadecimal(rest: &mut Peekable<Chars<'_>>, length: usize) -> Result<u32, PatternError> {
    let digits: String = rest.by_ref().take(length).collect();
    let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == length && !digits.starts_with('+'));
    code.ok_or_else(|| error("an escape without its hexadecimal digits"))
}

/// Reads the rest of `\u1234`, `\u{1234}` or a surrogate pair.
fn unicode(rest: &mut Peekable<Chars<'_>>) -> Result<Atom, PatternError> {
    let code = if rest.next_if_eq(&'{').is_some() {
        let digits: String = rest.by_ref().take_while(|c| *c != '}').collect();
        u32::from_str_radix(&digits, 16).map_err(|_| error(r"`\u{…}` without a code point"))?
    } else {
        hexadecimal(rest, 4)?
    };
    let low = |rest: &mut Peekable<Chars<'_>>| {
        let is_escape = rest.next() == Some('\\') && rest.next() == Some('u');
        hexadecimal(rest, 4).ok().filter(|low| is_escape && (0xdc00..0xe000).contains(low))
    };
    let mut after = rest.clone();
    let code = match code {
        0xd800..0xdc00 => low(&mut after).map_or(code, |low| {
            *rest = after;
            0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)
        }),
        code => code,
    };
    // Half of a pair occurs in no valid text, so that it has no text in a pattern.
    let text = if char::from_u32(code).is_none() { String::new() } else { format!("\\u{{{code:04X}}}") };
    let text = if code < 0x10000 && !text.is_empty() { format!("\\u{code:04X}") } else { text };
    if code > u32::from(char::MAX) { Err(error(r"`\u{…}` without a code point")) } else { Ok(Atom::Char(text, code)) }
}

/// Converts a class after its bracket.
fn class(rest: &mut Peekable<Chars<'_>>, out: &mut String) -> Result<(), PatternError> {
    let is_negated = rest.next_if_eq(&'^').is_some();
    let mut items = String::new();
    loop {
        let first = match rest.next().ok_or_else(|| error("an unclosed class"))? {
            ']' => break,
            c => class_atom(c, rest)?,
        };
        // A hyphen at the end, or next to a set, is a character.
        let mut after = rest.clone();
        let last = match (&first, after.next(), after.next()) {
            (Atom::Char(..), Some('-'), Some(end)) if end != ']' => Some(class_atom(end, &mut after)?),
            _ => None,
        };
        if let (Atom::Char(_, low), Some(Atom::Char(_, high))) = (&first, &last) {
            *rest = after;
            range(*low, *high, &mut items)?;
            continue;
        }
        match first {
            Atom::Char(text, _) | Atom::Set(text) => items.push_str(&text),
            Atom::Spaces(true) => items.push_str(&spaces(true)),
            Atom::Spaces(false) => items.extend([r"\s", MORE_SPACES]),
        }
    }
    match (items.is_empty(), is_negated) {
        (true, true) => out.push_str("(?s:.)"),
        (true, false) => out.push_str(r"[^\s\S]"),
        (false, true) => out.extend(["[^", &items, "]"]),
        (false, false) => out.extend(["[", &items, "]"]),
    }
    Ok(())
}

/// Reads a part of a class that starts with this character.
fn class_atom(c: char, rest: &mut Peekable<Chars<'_>>) -> Result<Atom, PatternError> {
    match c {
        '\\' => match escape(rest)? {
            Atom::Set(text) if text == r"\b" => Ok(Atom::Char(r"\x08".to_owned(), 8)),
            Atom::Set(text) if text == r"\B" => Err(error(format!("unknown escape `{text}` in a class"))),
            atom => Ok(atom),
        },
        // These have a meaning in the classes of schemas, alone or in pairs.
        '[' | '&' | '~' | '-' | '^' => Ok(Atom::Char(format!("\\{c}"), u32::from(c))),
        c => Ok(Atom::Char(c.to_string(), u32::from(c))),
    }
}

/// Writes a range without the halves of surrogate pairs, which occur in no valid text.
fn range(low: u32, high: u32, out: &mut String) -> Result<(), PatternError> {
    if low > high {
        return Err(error("a range of characters in the wrong order"));
    }
    let mut write = |low: u32, high: u32| {
        if let (true, Some(low), Some(high)) = (low <= high, char::from_u32(low), char::from_u32(high)) {
            out.extend([&*class_character(low), "-", &*class_character(high)]);
        }
    };
    if high < 0xd800 || low > 0xdfff {
        write(low, high);
    } else {
        write(low, high.min(0xd7ff));
        write(low.max(0xe000), high);
    }
    Ok(())
}

/// Writes a character of a class.
fn class_character(c: char) -> String {
    match c {
        c if c.is_ascii_alphanumeric() || c == ' ' => c.to_string(),
        c if c.is_ascii_graphic() && is_meta_character(c) => format!("\\{c}"),
        c if c.is_ascii_graphic() || c.is_alphanumeric() => c.to_string(),
        c if u32::from(c) < 0x10000 => format!("\\u{:04X}", u32::from(c)),
        c => format!("\\u{{{:X}}}", u32::from(c)),
    }
}
