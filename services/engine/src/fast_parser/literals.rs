//! Arrays, objects, templates and regular expressions.

use super::token::{ParseResult, TokenKind, Unsupported, punctuator};
use super::{MAX_VALUES, Parser};

impl Parser<'_> {
    /// Reads an array literal, from its opening bracket on.
    pub(super) fn array(&mut self) -> ParseResult<()> {
        self.next()?;
        while !self.eat(punctuator("]"))? {
            if self.eat(punctuator(","))? {
                continue;
            }
            self.eat(punctuator("..."))?;
            self.assignment(true)?;
            if !self.is(punctuator("]")) {
                self.expect(punctuator(","))?;
            }
        }
        Ok(())
    }

    /// Reads an object literal, from its opening brace on.
    pub(super) fn object(&mut self) -> ParseResult<()> {
        self.next()?;
        while !self.eat(punctuator("}"))? {
            if self.eat(punctuator("..."))? {
                self.assignment(true)?;
            } else {
                let short = self.token.kind == TokenKind::Name;
                self.key()?;
                if self.eat(punctuator(":"))? {
                    self.assignment(true)?;
                } else if self.is(punctuator("(")) {
                    self.function_rest()?;
                } else if !short {
                    return Err(Unsupported);
                }
            }
            if !self.is(punctuator("}")) {
                self.expect(punctuator(","))?;
            }
        }
        Ok(())
    }

    /// Reads the name of a property. Getters and setters are left to the engine, as is a second prototype.
    pub(super) fn key(&mut self) -> ParseResult<()> {
        match self.token.kind {
            TokenKind::Text | TokenKind::Name | TokenKind::Word(_) if self.text()?.contains("__proto__") => {
                Err(Unsupported)
            }
            // An escape may spell `__proto__`.
            TokenKind::Text if self.text()?.contains('\\') => Err(Unsupported),
            TokenKind::Number if self.text()?.ends_with('n') => Err(Unsupported),
            TokenKind::Text | TokenKind::Name | TokenKind::Word(_) | TokenKind::Number => self.next(),
            TokenKind::Punctuator(found) if found == punctuator("[") => {
                self.next()?;
                self.assignment(true)?;
                self.expect(punctuator("]"))
            }
            _ => Err(Unsupported),
        }
    }

    /// Reads a template with its expressions, from the token of its opening backtick on.
    pub(super) fn template(&mut self) -> ParseResult<()> {
        let mut left = MAX_VALUES;
        while self.lexer.template()? {
            left = left.checked_sub(1).ok_or(Unsupported)?;
            self.next()?;
            self.expression(true)?;
            // The text continues after the brace, which is the current token.
            if !self.is(punctuator("}")) {
                return Err(Unsupported);
            }
        }
        self.next()
    }

    /// Reads a regular expression, whose first slash is the current token, and records it for validation.
    pub(super) fn regular(&mut self) -> ParseResult<()> {
        let found = self.lexer.expression(self.token.start)?;
        self.expressions.insert(found);
        self.next()
    }
}
