//! Punctuators.

use super::lexer::Lexer;
use super::token::{ParseResult, TokenKind, Unsupported, punctuator};

/// Punctuators of two or more characters.
const MARKS: &[u32] = &[
    punctuator(">>>="),
    punctuator("&&="),
    punctuator("||="),
    punctuator("??="),
    punctuator("..."),
    punctuator("==="),
    punctuator("!=="),
    punctuator("**="),
    punctuator("<<="),
    punctuator(">>="),
    punctuator(">>>"),
    punctuator("=>"),
    punctuator("=="),
    punctuator("!="),
    punctuator("<="),
    punctuator(">="),
    punctuator("&&"),
    punctuator("||"),
    punctuator("??"),
    punctuator("?."),
    punctuator("++"),
    punctuator("--"),
    punctuator("+="),
    punctuator("-="),
    punctuator("*="),
    punctuator("/="),
    punctuator("%="),
    punctuator("&="),
    punctuator("|="),
    punctuator("^="),
    punctuator("<<"),
    punctuator(">>"),
    punctuator("**"),
];

/// Second characters of those.
const FOLLOWING: [u32; 10] = [
    punctuator("="),
    punctuator("&"),
    punctuator("|"),
    punctuator("?"),
    punctuator("."),
    punctuator("*"),
    punctuator("<"),
    punctuator(">"),
    punctuator("+"),
    punctuator("-"),
];

impl Lexer<'_> {
    /// Reads a punctuator.
    pub(super) fn mark(&mut self) -> ParseResult<TokenKind> {
        let first = self.byte(self.at);
        if matches!(first, b'(' | b')' | b'[' | b']' | b'{' | b'}' | b';' | b',' | b':' | b'~') {
            self.at += 1;
            return Ok(TokenKind::Punctuator(u32::from(first)));
        }
        let bytes = [0, 1, 2, 3].map(|offset| self.byte(self.at + offset));
        let four = u32::from_be_bytes(bytes);
        // HTML-like comments.
        if four == punctuator("<!--") || four >> 8 == punctuator("-->") {
            return Err(Unsupported);
        }
        // A character that is second in no punctuator ends this one.
        let lengths: &[usize] = if FOLLOWING.contains(&(four >> 16 & 0xff)) { &[4, 3, 2] } else { &[] };
        for length in lengths.iter().copied() {
            let number = four >> (8 * (4 - length));
            let known = MARKS.contains(&number);
            // `a?.5:b`
            let divided = number == punctuator("?.") && bytes.get(2).is_some_and(u8::is_ascii_digit);
            if known && !divided {
                self.at += length;
                return Ok(TokenKind::Punctuator(number));
            }
        }
        if matches!(
            first,
            b'?' | b'.' | b'=' | b'<' | b'>' | b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'!'
        ) {
            self.at += 1;
            return Ok(TokenKind::Punctuator(u32::from(first)));
        }
        Err(Unsupported)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_characters_of_punctuators_are_listed() {
        for known in MARKS {
            let bytes = known.to_be_bytes();
            let second = bytes.iter().skip_while(|byte| **byte == 0).nth(1).copied().unwrap_or(0);
            assert!(FOLLOWING.contains(&u32::from(second)), "{}", String::from_utf8_lossy(&bytes));
        }
    }
}
