//! Arrays, objects, templates and regular expressions.

use super::token::{Kind, Sure, Unsure, mark};
use super::{MOST_VALUES, Parser};

impl Parser<'_> {
    pub(super) fn array(&mut self) -> Sure<()> {
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

    pub(super) fn object(&mut self) -> Sure<()> {
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
                    return Err(Unsure);
                }
            }
            if !self.is(mark("}")) {
                self.expect(mark(","))?;
            }
        }
        Ok(())
    }

    /// Reads the name of a member. Getters and setters are left to the engine, as a second prototype is.
    pub(super) fn key(&mut self) -> Sure<()> {
        match self.token.kind {
            Kind::Text | Kind::Name | Kind::Word(_) if self.text()?.contains("__proto__") => Err(Unsure),
            // An escape may spell it.
            Kind::Text if self.text()?.contains('\\') => Err(Unsure),
            Kind::Number if self.text()?.ends_with('n') => Err(Unsure),
            Kind::Text | Kind::Name | Kind::Word(_) | Kind::Number => self.next(),
            Kind::Mark(found) if found == mark("[") => {
                self.next()?;
                self.assignment(true)?;
                self.expect(mark("]"))
            }
            _ => Err(Unsure),
        }
    }

    pub(super) fn template(&mut self) -> Sure<()> {
        let mut left = MOST_VALUES;
        while self.lexer.template()? {
            left = left.checked_sub(1).ok_or(Unsure)?;
            self.next()?;
            self.expression(true)?;
            // The text goes on behind the brace, which is the current token.
            if !self.is(mark("}")) {
                return Err(Unsure);
            }
        }
        self.next()
    }

    pub(super) fn regular(&mut self) -> Sure<()> {
        let found = self.lexer.expression(self.token.start)?;
        self.expressions.insert(found);
        self.next()
    }
}
