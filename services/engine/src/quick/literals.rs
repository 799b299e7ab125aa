//! Arrays, objects, templates and regular expressions.

use super::token::{Kind, ParseResult, Unsupported, mark};
use super::{MAX_VALUES, Parser};

impl Parser<'_> {
    pub(super) fn array(&mut self) -> ParseResult<()> {
        self.next()?;
        while !self.eat(mark("]"))? {
            if self.eat(mark(","))? {
                continue;
            }
            self.eat(mark("..."))?;
            self.assignment(true)?;
            if !self.is(mark("]")) {
                self.expect(mark(","))?;
            }
        }
        Ok(())
    }

    pub(super) fn object(&mut self) -> ParseResult<()> {
        self.next()?;
        while !self.eat(mark("}"))? {
            if self.eat(mark("..."))? {
                self.assignment(true)?;
            } else {
                let short = self.token.kind == Kind::Name;
                self.key()?;
                if self.eat(mark(":"))? {
                    self.assignment(true)?;
                } else if self.is(mark("(")) {
                    self.function_rest()?;
                } else if !short {
                    return Err(Unsupported);
                }
            }
            if !self.is(mark("}")) {
                self.expect(mark(","))?;
            }
        }
        Ok(())
    }

    /// Reads the name of a property. Getters and setters are left to the engine, as is a second prototype.
    pub(super) fn key(&mut self) -> ParseResult<()> {
        match self.token.kind {
            Kind::Text | Kind::Name | Kind::Word(_) if self.text()?.contains("__proto__") => Err(Unsupported),
            // An escape may spell `__proto__`.
            Kind::Text if self.text()?.contains('\\') => Err(Unsupported),
            Kind::Number if self.text()?.ends_with('n') => Err(Unsupported),
            Kind::Text | Kind::Name | Kind::Word(_) | Kind::Number => self.next(),
            Kind::Mark(found) if found == mark("[") => {
                self.next()?;
                self.assignment(true)?;
                self.expect(mark("]"))
            }
            _ => Err(Unsupported),
        }
    }

    pub(super) fn template(&mut self) -> ParseResult<()> {
        let mut left = MAX_VALUES;
        while self.lexer.template()? {
            left = left.checked_sub(1).ok_or(Unsupported)?;
            self.next()?;
            self.expression(true)?;
            // The text continues after the brace, which is the current token.
            if !self.is(mark("}")) {
                return Err(Unsupported);
            }
        }
        self.next()
    }

    pub(super) fn regular(&mut self) -> ParseResult<()> {
        let found = self.lexer.expression(self.token.start)?;
        self.expressions.insert(found);
        self.next()
    }
}
