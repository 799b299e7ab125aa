//! Tokenizer of conditions: checks that brackets are balanced and that the input is small enough to be parsed.
//! Characters that are not CEL are reported here, in plainer terms than those of a grammar.

use std::ops::Range;

use super::ConditionError;
use crate::diagnostics::Code;

/// Maximum length of a condition in bytes.
const MAX_BYTES: usize = 4096;
/// Maximum nesting depth of brackets, which bounds the recursion of the parser.
const MAX_NESTED: usize = 24;
/// Maximum number of conditionals, which nest to the right without brackets.
const MAX_CONDITIONALS: usize = 24;

/// Splits a text into tokens and returns their ranges.
pub fn split(text: &str) -> Result<Vec<Range<usize>>, ConditionError> {
    if text.len() > MAX_BYTES {
        let message = format!("the condition has {} bytes, but the maximum is {MAX_BYTES}", text.len());
        return Err(ConditionError::new(Code::CelTooLarge, 0..text.len(), message).help("split it into several rules"));
    }
    let mut words = Vec::new();
    let mut open: Vec<Range<usize>> = Vec::new();
    let mut conditionals = 0;
    let mut rest = skip_space(text, 0);
    while rest < text.len() {
        let end = token_end(text, rest)?;
        words.push(rest..end);
        match text.as_bytes()[rest] {
            b'(' | b'[' | b'{' => open.push(rest..end),
            b')' | b']' | b'}' => check_closing(text, open.pop(), rest..end)?,
            b'?' => conditionals += 1,
            _ => {}
        }
        if open.len() > MAX_NESTED || conditionals > MAX_CONDITIONALS {
            let message = "the condition is nested too deeply";
            let help = "remove superfluous parentheses, or split it into several rules";
            return Err(ConditionError::new(Code::CelTooLarge, rest..end, message).help(help));
        }
        rest = skip_space(text, end);
    }
    match open.pop() {
        Some(bracket) => Err(syntax(bracket.clone(), format!("unclosed `{}`", &text[bracket]))),
        None => Ok(words),
    }
}

/// Checks that a closing bracket matches the innermost open one.
fn check_closing(text: &str, opening: Option<Range<usize>>, found: Range<usize>) -> Result<(), ConditionError> {
    let closing = &text[found.clone()];
    let Some(opening) = opening.map(|at| &text[at]) else {
        return Err(syntax(found, format!("unmatched `{closing}`")));
    };
    let pair = match opening {
        "(" => ")",
        "[" => "]",
        _ => "}",
    };
    if pair == closing {
        return Ok(());
    }
    Err(syntax(found, format!("expected `{pair}` to close `{opening}`")))
}

/// Creates a syntax error.
fn syntax(at: Range<usize>, message: impl Into<String>) -> ConditionError {
    ConditionError::new(Code::CelSyntax, at, message)
}

/// Returns the position of the first byte that is neither white space nor part of a comment.
fn skip_space(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
        at += rest.len() - trimmed.len();
        if !trimmed.starts_with("//") {
            return at;
        }
        at += trimmed.find('\n').unwrap_or(trimmed.len());
    }
}

/// Returns the end of the token that starts at a byte.
fn token_end(text: &str, start: usize) -> Result<usize, ConditionError> {
    const PAIRS: &[&str] = &["==", "!=", "<=", ">=", "&&", "||"];
    let rest = &text[start..];
    let bytes = rest.as_bytes();
    if let Some(quote) = string_start(bytes) {
        return string(text, start, quote);
    }
    if bytes[0].is_ascii_digit() || (bytes[0] == b'.' && bytes.get(1).is_some_and(u8::is_ascii_digit)) {
        return Ok(start + number(bytes));
    }
    if bytes[0].is_ascii_alphabetic() || bytes[0] == b'_' {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        return Ok(start + bytes.iter().take_while(|byte| plain(byte)).count());
    }
    if PAIRS.iter().any(|pair| rest.starts_with(pair)) {
        return Ok(start + 2);
    }
    if b"<>!+-*/%?:.,()[]{}".contains(&bytes[0]) {
        return Ok(start + 1);
    }
    let first = rest.chars().next().unwrap_or_default();
    let at = start..start + first.len_utf8();
    let error = syntax(at, format!("unknown operator `{}`", first.escape_debug()));
    Err(match first {
        '=' if start > 0 && text.as_bytes()[..start].ends_with(b"==") => error.help("write `==`"),
        '=' if start > 0 && text.as_bytes()[..start].ends_with(b"!=") => error.help("write `!=`"),
        '=' if rest.starts_with("=~") => error.help("write `x.matches('pattern')`"),
        '=' if rest.starts_with("=>") => error.help("write an implication as `!first || second`"),
        '=' => error.help("compare values with `==`"),
        '&' => error.help("write `&&`"),
        '|' => error.help("write `||`"),
        '`' => ConditionError { code: Code::CelUnsupported, message: "quoted names are not supported".into(), ..error },
        _ => error,
    })
}

/// Returns the length in bytes of the number at the start of a text, including exponent and suffix `u`.
fn number(bytes: &[u8]) -> usize {
    let digits = |from: usize| bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let suffix = |end: usize| end + usize::from(matches!(bytes.get(end), Some(b'u' | b'U')));
    if bytes.starts_with(b"0x") {
        return suffix(2 + bytes[2..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count());
    }
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    suffix(end)
}

/// Returns the position of the quote, after the prefixes of raw strings and bytes.
fn string_start(bytes: &[u8]) -> Option<usize> {
    let marks = match bytes {
        [b'b' | b'B', b'r' | b'R', b'"' | b'\'', ..] => 2,
        [b'b' | b'B' | b'r' | b'R', b'"' | b'\'', ..] => 1,
        _ => 0,
    };
    matches!(bytes.get(marks), Some(b'"' | b'\'')).then_some(marks)
}

/// Returns the end of a quoted string.
fn string(text: &str, start: usize, marks: usize) -> Result<usize, ConditionError> {
    let prefix = &text[start..start + marks];
    let raw = prefix.contains(['r', 'R']);
    let body = &text[start + marks..];
    let quote = &body[..1];
    let triple = body.starts_with(&quote.repeat(3));
    let fence = if triple { quote.repeat(3) } else { quote.to_owned() };
    let mut at = start + marks + fence.len();
    loop {
        let rest = &text[at..];
        if rest.starts_with(&fence) {
            return Ok(at + fence.len());
        }
        match rest.chars().next() {
            None => return Err(syntax(start..text.len(), "unterminated string")),
            Some('\n' | '\r') if !triple => {
                return Err(syntax(start..at, "unterminated string: a line break is not allowed in it"));
            }
            Some('\\') if !raw => at += escape(text, at, prefix.contains(['b', 'B']))?,
            // In a raw string a backslash stands for itself.
            Some(other) => at += other.len_utf8(),
        }
    }
}

/// Returns the length of the escape whose backslash is at a byte.
fn escape(text: &str, at: usize, bytes: bool) -> Result<usize, ConditionError> {
    let rest = text.get(at + 1..).unwrap_or_default();
    let all = |count: usize, is: fn(&u8) -> bool| rest.len() >= count && rest.as_bytes()[..count].iter().all(is);
    let hex = |count: usize| {
        let digits = rest.get(1..1 + count).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        u32::from_str_radix(digits, 16).ok()
    };
    let length = match rest.chars().next() {
        Some('a' | 'b' | 'f' | 'n' | 'r' | 't' | 'v' | '"' | '\'' | '\\' | '?' | '`') => Some(1),
        Some('x' | 'X') => hex(2).map(|_| 3),
        Some('u') if !bytes => hex(4).and_then(char::from_u32).map(|_| 5),
        Some('U') if !bytes => hex(8).and_then(char::from_u32).map(|_| 9),
        Some('0'..='3') => all(3, |byte| matches!(byte, b'0'..=b'7')).then_some(3),
        _ => None,
    };
    match length {
        Some(length) => Ok(1 + length),
        None => {
            let end = rest.chars().next().map_or(at + 1, |first| at + 1 + first.len_utf8());
            let found = text[at..end].escape_debug().to_string();
            Err(syntax(at..end, format!("unknown escape `{found}`"))
                .help("write a backslash as `\\\\`, or use a raw string: `r'…'`"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let words = split(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        words.into_iter().map(|at| &text[at]).collect()
    }

    #[test]
    fn words_of_every_kind() {
        assert_eq!(
            words("a.b>=1.5e3&& has(x) // it is\n||!r'\\d'"),
            ["a", ".", "b", ">=", "1.5e3", "&&", "has", "(", "x", ")", "||", "!", "r'\\d'"]
        );
        assert_eq!(words(r#"'''a'b''' "\"" b'\x00' 0x1Fu 1u .5 1.size()"#).len(), 11);
        assert_eq!(words("'ä💥' + \"\\U0001F4A5\""), ["'ä💥'", "+", "\"\\U0001F4A5\""]);
    }

    #[test]
    fn what_is_no_word() {
        for (text, place) in [
            ("a = b", 2..3),
            ("a & b", 2..3),
            ("'a", 0..2),
            ("'a\nb'", 0..2),
            ("'\\q'", 1..3),
            ("b'\\u0041'", 2..4),
            ("'\\ud800'", 1..3),
            ("a.`b`", 2..3),
            ("(a", 0..1),
            ("a)", 1..2),
            ("[a)", 2..3),
            ("é", 0..2),
            ("'\\", 1..2),
        ] {
            assert_eq!(split(text).expect_err(text).at, place, "{text}");
        }
    }

    #[test]
    fn what_is_too_large() {
        for text in ["(".repeat(25), "a ".repeat(2049), "a?b:".repeat(25)] {
            assert_eq!(split(&text).expect_err("it is too large").code, Code::CelTooLarge);
        }
        assert!(split(&format!("{}a{}", "(".repeat(24), ")".repeat(24))).is_ok());
    }
}
