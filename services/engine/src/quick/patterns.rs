//! Declarations: names and patterns of names.

use super::Parser;
use super::token::{Kind, ParseResult, Unsupported, mark};

/// Kind of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declaration {
    Parameter,
    Lexical,
    Variable,
}

impl<'s> Parser<'s> {
    fn declare(&mut self, name: &'s str, how: Declaration) -> ParseResult<()> {
        match how {
            Declaration::Parameter => self.scopes.parameter(name),
            Declaration::Lexical => self.scopes.lexical(name),
            Declaration::Variable => self.scopes.variable(name),
        }
    }

    /// Reads a name or a pattern; returns whether it is a pattern.
    pub(super) fn binding(&mut self, how: Declaration) -> ParseResult<bool> {
        self.nested(|parser| {
            if parser.eat(mark("["))? {
                parser.array_pattern(how)?;
            } else if parser.eat(mark("{"))? {
                parser.object_pattern(how)?;
            } else {
                let name = parser.name()?;
                parser.declare(name, how)?;
                return Ok(false);
            }
            Ok(true)
        })
    }

    fn with_default(&mut self, how: Declaration) -> ParseResult<()> {
        self.binding(how)?;
        if self.eat(mark("="))? {
            self.assignment(true)?;
        }
        Ok(())
    }

    fn array_pattern(&mut self, how: Declaration) -> ParseResult<()> {
        while !self.eat(mark("]"))? {
            if self.eat(mark(","))? {
                continue;
            }
            if self.eat(mark("..."))? {
                self.binding(how)?;
                return self.expect(mark("]"));
            }
            self.with_default(how)?;
            if !self.is(mark("]")) {
                self.expect(mark(","))?;
            }
        }
        Ok(())
    }

    fn object_pattern(&mut self, how: Declaration) -> ParseResult<()> {
        while !self.eat(mark("}"))? {
            if self.eat(mark("..."))? {
                let name = self.name()?;
                self.declare(name, how)?;
                return self.expect(mark("}"));
            }
            let short = (self.token.kind == Kind::Name).then(|| self.text()).transpose()?;
            self.key()?;
            if self.eat(mark(":"))? {
                self.with_default(how)?;
            } else {
                self.declare(short.ok_or(Unsupported)?, how)?;
                if self.eat(mark("="))? {
                    self.assignment(true)?;
                }
            }
            if !self.is(mark("}")) {
                self.expect(mark(","))?;
            }
        }
        Ok(())
    }

    /// Reads parameters from after the opening parenthesis to the closing one.
    pub(super) fn parameters(&mut self) -> ParseResult<()> {
        while !self.eat(mark(")"))? {
            if self.eat(mark("..."))? {
                self.binding(Declaration::Parameter)?;
                return self.expect(mark(")"));
            }
            self.with_default(Declaration::Parameter)?;
            if !self.is(mark(")")) {
                self.expect(mark(","))?;
            }
        }
        Ok(())
    }
}
