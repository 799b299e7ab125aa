//! Loops, whose keyword is already read.

use super::Parser;
use super::patterns::Declaration;
use super::token::{ParseResult, TokenKind, Unsupported, Word, punctuator};

impl Parser<'_> {
    pub(super) fn for_loop(&mut self) -> ParseResult<()> {
        self.loop_body(Self::for_rest)
    }

    pub(super) fn while_loop(&mut self) -> ParseResult<()> {
        self.loop_body(|parser| {
            parser.condition()?;
            parser.statement()
        })
    }

    pub(super) fn do_loop(&mut self) -> ParseResult<()> {
        self.loop_body(Self::statement)?;
        if self.token.kind != TokenKind::Word(Word::While) {
            return Err(Unsupported);
        }
        self.next()?;
        self.condition()?;
        self.eat(punctuator(";")).map(drop)
    }

    fn loop_body(&mut self, read: impl FnOnce(&mut Self) -> ParseResult<()>) -> ParseResult<()> {
        let context = self.context;
        (self.context.cycle, self.context.breaks) = (true, true);
        read(self)?;
        self.context = context;
        Ok(())
    }

    fn for_rest(&mut self) -> ParseResult<()> {
        let depth = self.scopes.depth();
        self.scopes.open(false);
        self.expect(punctuator("("))?;
        let how = match self.token.kind {
            TokenKind::Word(Word::Var) => Some(Declaration::Variable),
            TokenKind::Word(Word::Let | Word::Const) => Some(Declaration::Lexical),
            _ => None,
        };
        let each = match how {
            Some(how) => self.for_declaration(how)?,
            None => {
                if !self.is(punctuator(";")) {
                    self.expression(false)?;
                }
                false
            }
        };
        if !each {
            self.expect(punctuator(";"))?;
            if !self.is(punctuator(";")) {
                self.expression(true)?;
            }
            self.expect(punctuator(";"))?;
            if !self.is(punctuator(")")) {
                self.expression(true)?;
            }
        }
        self.expect(punctuator(")"))?;
        self.statement()?;
        self.scopes.close(depth);
        Ok(())
    }

    /// Reads the head of a loop that declares; returns whether it iterates over elements.
    fn for_declaration(&mut self, how: Declaration) -> ParseResult<bool> {
        let constant = self.token.kind == TokenKind::Word(Word::Const);
        self.next()?;
        let pattern = self.binding(how)?;
        if self.token.kind == TokenKind::Word(Word::In) {
            self.next()?;
            self.expression(true)?;
            return Ok(true);
        }
        if self.token.kind == TokenKind::Name && self.text()? == "of" {
            self.next()?;
            self.assignment(true)?;
            return Ok(true);
        }
        if self.eat(punctuator("="))? {
            self.assignment(false)?;
        } else if pattern || constant {
            return Err(Unsupported);
        }
        while self.eat(punctuator(","))? {
            let pattern = self.binding(how)?;
            if self.eat(punctuator("="))? {
                self.assignment(false)?;
            } else if pattern || constant {
                return Err(Unsupported);
            }
        }
        Ok(false)
    }
}
