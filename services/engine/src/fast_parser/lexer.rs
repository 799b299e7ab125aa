//! Lexer.

use super::token::{ParseResult, Token, TokenKind, Unsupported, word};

/// Lexer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'s> {
    pub(super) source: &'s str,
    /// Position after the last token.
    pub(super) at: usize,
}

impl<'s> Lexer<'s> {
    /// Returns the byte at a position.
    pub(super) fn byte(&self, at: usize) -> u8 {
        // Zero marks the end of a text; elsewhere it is refused.
        self.source.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Reads the next token.
    pub(super) fn next(&mut self) -> ParseResult<Token> {
        let new_line = self.skip()?;
        let start = self.at;
        let kind = match self.byte(start) {
            0 if start == self.source.len() => TokenKind::End,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.name()?,
            b'0'..=b'9' => self.number()?,
            b'.' if self.byte(start + 1).is_ascii_digit() => self.number()?,
            quote @ (b'"' | b'\'') => self.text(quote)?,
            b'`' => {
                self.at += 1;
                TokenKind::Template
            }
            _ => self.mark()?,
        };
        let ends = matches!(self.byte(start), b')' | b']' | b'}' | b';' | b',' | b':');
        Ok(Token { kind, start, new_line, ends })
    }

    /// Skips whitespace and comments; returns whether they contain a line end.
    fn skip(&mut self) -> ParseResult<bool> {
        let mut new_line = false;
        loop {
            match self.byte(self.at) {
                b' ' | b'\t' => self.at += 1,
                b'\n' | b'\r' => {
                    new_line = true;
                    self.at += 1;
                }
                b'/' if self.byte(self.at + 1) == b'/' => {
                    while !matches!(self.byte(self.at), 0 | b'\n' | b'\r') {
                        self.at += 1;
                    }
                }
                b'/' if self.byte(self.at + 1) == b'*' => {
                    self.at += 2;
                    while (self.byte(self.at), self.byte(self.at + 1)) != (b'*', b'/') {
                        match self.byte(self.at) {
                            // A file contains no zero before its end.
                            0 => return Err(Unsupported),
                            b'\n' | b'\r' => new_line = true,
                            _ => {}
                        }
                        self.at += 1;
                    }
                    self.at += 2;
                }
                _ => return Ok(new_line),
            }
        }
    }

    /// Reads a name or a reserved word. Names with other characters than ASCII are left to the engine.
    fn name(&mut self) -> ParseResult<TokenKind> {
        let start = self.at;
        while matches!(self.byte(self.at), b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$') {
            self.at += 1;
        }
        // Non-ASCII letters and escapes.
        if self.byte(self.at) >= 0x80 || self.byte(self.at) == b'\\' {
            return Err(Unsupported);
        }
        // Reserved words begin and end with lower-case letters.
        let ends = [self.byte(start), self.byte(self.at - 1)];
        if self.at - start > 10 || !ends.iter().all(u8::is_ascii_lowercase) {
            return Ok(TokenKind::Name);
        }
        let text = self.source.as_bytes().get(start..self.at).ok_or(Unsupported)?;
        Ok(if text.len() < 2 { TokenKind::Name } else { word(text) })
    }

    /// Skips one or more bytes that `valid` accepts; none is [`Unsupported`].
    fn digits(&mut self, valid: fn(&u8) -> bool) -> ParseResult<()> {
        let start = self.at;
        while valid(&self.byte(self.at)) {
            self.at += 1;
        }
        if self.at == start { Err(Unsupported) } else { Ok(()) }
    }

    /// Reads a decimal or hexadecimal number, which may end with the `n` of a bigint.
    fn number(&mut self) -> ParseResult<TokenKind> {
        let mut whole = true;
        match (self.byte(self.at), self.byte(self.at + 1)) {
            (b'0', b'x' | b'X') => {
                self.at += 2;
                self.digits(u8::is_ascii_hexdigit)?;
            }
            (b'0', b'0'..=b'9' | b'b' | b'B' | b'o' | b'O') => return Err(Unsupported),
            (first, _) => {
                if first != b'.' {
                    self.digits(u8::is_ascii_digit)?;
                }
                if self.byte(self.at) == b'.' {
                    (whole, self.at) = (false, self.at + 1);
                    if self.byte(self.at).is_ascii_digit() {
                        self.digits(u8::is_ascii_digit)?;
                    }
                }
                if matches!(self.byte(self.at), b'e' | b'E') {
                    (whole, self.at) = (false, self.at + 1);
                    self.at += usize::from(matches!(self.byte(self.at), b'+' | b'-'));
                    self.digits(u8::is_ascii_digit)?;
                }
            }
        }
        self.at += usize::from(whole && self.byte(self.at) == b'n');
        match self.byte(self.at) {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | b'\\' | 0x80.. => Err(Unsupported),
            _ => Ok(TokenKind::Number),
        }
    }

    /// Reads a string literal up to its closing quote.
    fn text(&mut self, quote: u8) -> ParseResult<TokenKind> {
        self.at += 1;
        loop {
            match self.byte(self.at) {
                0 | b'\n' | b'\r' => return Err(Unsupported),
                b'\\' => self.escape()?,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        return Ok(TokenKind::Text);
                    }
                }
            }
        }
    }

    /// Skips an escape sequence, from its backslash on; rare ones are left to the engine.
    fn escape(&mut self) -> ParseResult<()> {
        let hex = |from: usize, count: usize| (from..from + count).all(|at| self.byte(at).is_ascii_hexdigit());
        self.at += match self.byte(self.at + 1) {
            b'n' | b't' | b'r' | b'b' | b'f' | b'v' | b'\\' | b'\'' | b'"' | b'`' | b'$' | b'/' | b'\n' => 2,
            b'x' if hex(self.at + 2, 2) => 4,
            b'u' if hex(self.at + 2, 4) => 6,
            _ => return Err(Unsupported),
        };
        Ok(())
    }

    /// Reads the text of a template; returns whether an expression follows.
    pub(super) fn template(&mut self) -> ParseResult<bool> {
        loop {
            match self.byte(self.at) {
                0 => return Err(Unsupported),
                b'\\' => self.escape()?,
                b'`' => {
                    self.at += 1;
                    return Ok(false);
                }
                b'$' if self.byte(self.at + 1) == b'{' => {
                    self.at += 2;
                    return Ok(true);
                }
                _ => self.at += 1,
            }
        }
    }

    /// Reads a regular expression from its first slash on; returns its pattern and its flags.
    pub(super) fn expression(&mut self, start: usize) -> ParseResult<(&'s str, &'s str)> {
        let (mut at, mut class) = (start + 1, false);
        loop {
            match self.byte(at) {
                // The position counts as fuel even if the reading fails.
                0 | b'\n' | b'\r' => {
                    self.at = at;
                    return Err(Unsupported);
                }
                b'\\' if matches!(self.byte(at + 1), b'\n' | b'\r') => {
                    self.at = at;
                    return Err(Unsupported);
                }
                b'\\' => at += 1,
                b'[' => class = true,
                b']' => class = false,
                b'/' if !class => break,
                _ => {}
            }
            at += 1;
        }
        self.at = at + 1;
        while self.byte(self.at).is_ascii_alphanumeric() {
            self.at += 1;
        }
        if matches!(self.byte(self.at), b'_' | b'$' | b'\\' | 0x80..) {
            return Err(Unsupported);
        }
        let part = |from: usize, to: usize| self.source.get(from..to).ok_or(Unsupported);
        Ok((part(start + 1, at)?, part(at + 1, self.at)?))
    }
}
