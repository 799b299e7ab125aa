//! Declarations: names and patterns of names.

use super::Parser;
use super::token::{ParseResult, TokenKind, Unsupported, punctuator};

/// Kind of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declaration {
    Parameter,
    Lexical,
    Variable,
}

impl<'s> Parser<'s> {
    /// Adds a name to the innermost scope; a name that conflicts with another is left to the engine.
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
            if parser.eat(punctuator("["))? {
                parser.array_pattern(how)?;
            } else if parser.eat(punctuator("{"))? {
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
        if self.eat(punctuator("="))? {
            self.assignment(true)?;
        }
        Ok(())
    }

    fn array_pattern(&mut self, how: Declaration) -> ParseResult<()> {
        while !self.eat(punctuator("]"))? {
            if self.eat(punctuator(","))? {
                continue;
            }
            if self.eat(punctuator("..."))? {
                self.binding(how)?;
                return self.expect(punctuator("]"));
            }
            self.with_default(how)?;
            if !self.is(punctuator("]")) {
                self.expect(punctuator(","))?;
            }
        }
        Ok(())
    }

    fn object_pattern(&mut self, how: Declaration) -> ParseResult<()> {
        while !self.eat(punctuator("}"))? {
            if self.eat(punctuator("..."))? {
                let name = self.name()?;
                self.declare(name, how)?;
                return self.expect(punctuator("}"));
            }
            let short = (self.token.kind == TokenKind::Name).then(|| self.text()).transpose()?;
            self.key()?;
            if self.eat(punctuator(":"))? {
                self.with_default(how)?;
            } else {
                self.declare(short.ok_or(Unsupported)?, how)?;
                if self.eat(punctuator("="))? {
                    self.assignment(true)?;
                }
            }
            if !self.is(punctuator("}")) {
                self.expect(punctuator(","))?;
            }
        }
        Ok(())
    }

    /// Reads parameters from after the opening parenthesis to the closing one.
    pub(super) fn parameters(&mut self) -> ParseResult<()> {
        while !self.eat(punctuator(")"))? {
            if self.eat(punctuator("..."))? {
                self.binding(Declaration::Parameter)?;
                return self.expect(punctuator(")"));
            }
            self.with_default(Declaration::Parameter)?;
            if !self.is(punctuator(")")) {
                self.expect(punctuator(","))?;
            }
        }
        Ok(())
    }
}
