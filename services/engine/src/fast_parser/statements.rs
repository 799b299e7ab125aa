//! Parsing of JavaScript statements and declarations.

use super::patterns::Declaration;
use super::token::{ParseResult, TokenKind, Unsupported, Word, punctuator};
use super::{Parser, StatementContext};

impl<'s> Parser<'s> {
    /// Leaves files with directives, and thus strict code, to the engine.
    pub(super) fn directives(&mut self) -> ParseResult<()> {
        if self.token.kind == TokenKind::Text { Err(Unsupported) } else { Ok(()) }
    }

    /// Reads a statement or a declaration, at the top level of the file or elsewhere.
    pub(super) fn item(&mut self, top: bool) -> ParseResult<()> {
        match self.token.kind {
            TokenKind::Word(Word::Function) => self.function_declaration(top),
            TokenKind::Word(Word::Let | Word::Const) => {
                let constant = self.token.kind == TokenKind::Word(Word::Const);
                self.next()?;
                self.declarations(Declaration::Lexical, constant)?;
                self.semicolon()
            }
            _ => self.statement(),
        }
    }

    /// Reads a function declaration, and keeps its text if it is at the top level.
    fn function_declaration(&mut self, top: bool) -> ParseResult<()> {
        let start = self.token.start;
        self.next()?;
        let name = self.name()?;
        self.scopes.function(name)?;
        self.function_rest()?;
        if top {
            let text = self.lexer.source.get(start..self.before).ok_or(Unsupported)?;
            self.functions.push((name, text));
        }
        Ok(())
    }

    /// Reads the parameters and the body of a function.
    pub(super) fn function_rest(&mut self) -> ParseResult<()> {
        let depth = self.scopes.depth();
        self.scopes.open(true);
        self.expect(punctuator("("))?;
        self.parameters()?;
        self.body()?;
        self.scopes.close(depth);
        Ok(())
    }

    /// Reads the body of a function, whose scope is open.
    pub(super) fn body(&mut self) -> ParseResult<()> {
        self.nested(|parser| {
            let context = std::mem::replace(
                &mut parser.context,
                StatementContext { function: true, ..StatementContext::default() },
            );
            parser.expect(punctuator("{"))?;
            parser.directives()?;
            while !parser.is(punctuator("}")) {
                parser.item(false)?;
            }
            // The token after a body belongs to the enclosing context.
            parser.context = context;
            parser.next()
        })
    }

    /// Reads a block with its braces, in a scope of its own.
    fn block(&mut self) -> ParseResult<()> {
        let depth = self.scopes.depth();
        self.scopes.open(false);
        self.expect(punctuator("{"))?;
        self.block_items()?;
        self.scopes.close(depth);
        Ok(())
    }

    /// Reads the statements and declarations of a block and the brace that ends it.
    fn block_items(&mut self) -> ParseResult<()> {
        while !self.eat(punctuator("}"))? {
            self.item(false)?;
        }
        Ok(())
    }

    /// Reads declarations; with `constant` each needs an initial value.
    fn declarations(&mut self, how: Declaration, constant: bool) -> ParseResult<()> {
        loop {
            let pattern = self.binding(how)?;
            if self.eat(punctuator("="))? {
                self.assignment(true)?;
            } else if pattern || constant {
                return Err(Unsupported);
            }
            if !self.eat(punctuator(","))? {
                return Ok(());
            }
        }
    }

    /// Reads a statement.
    pub(super) fn statement(&mut self) -> ParseResult<()> {
        self.nested(|parser| match parser.token.kind {
            TokenKind::Word(word) => parser.keyword(word),
            TokenKind::Punctuator(found) if found == punctuator("{") => parser.block(),
            TokenKind::Punctuator(found) if found == punctuator(";") => parser.next(),
            _ => {
                let name = parser.token.kind == TokenKind::Name;
                parser.expression(true)?;
                // A label.
                if name && parser.is(punctuator(":")) { Err(Unsupported) } else { parser.semicolon() }
            }
        })
    }

    /// Reads a statement that begins with this reserved word.
    fn keyword(&mut self, word: Word) -> ParseResult<()> {
        match word {
            Word::Value | Word::Prefix | Word::New => {
                self.expression(true)?;
                return self.semicolon();
            }
            _ => self.next()?,
        }
        match word {
            Word::Var => {
                self.declarations(Declaration::Variable, false)?;
                self.semicolon()
            }
            Word::If => {
                self.condition()?;
                self.statement()?;
                if self.token.kind == TokenKind::Word(Word::Else) {
                    self.next()?;
                    self.statement()?;
                }
                Ok(())
            }
            Word::For => self.for_loop(),
            Word::While => self.while_loop(),
            Word::Do => self.do_loop(),
            Word::Return if self.context.function => {
                let ends = self.is(punctuator(";")) || self.is(punctuator("}")) || self.token.new_line;
                if !ends {
                    self.expression(true)?;
                }
                self.semicolon()
            }
            Word::Break if self.context.breaks => self.semicolon(),
            Word::Continue if self.context.cycle => self.semicolon(),
            Word::Throw if !self.token.new_line => {
                self.expression(true)?;
                self.semicolon()
            }
            Word::Switch => self.switch(),
            Word::Try => self.try_rest(),
            _ => Err(Unsupported),
        }
    }

    /// Reads an expression in parentheses.
    pub(super) fn condition(&mut self) -> ParseResult<()> {
        self.expect(punctuator("("))?;
        self.expression(true)?;
        self.expect(punctuator(")"))
    }

    /// Reads a `switch` statement after its first word.
    fn switch(&mut self) -> ParseResult<()> {
        self.condition()?;
        let (depth, context) = (self.scopes.depth(), self.context);
        self.scopes.open(false);
        self.context.breaks = true;
        self.expect(punctuator("{"))?;
        let mut defaults = 0;
        while !self.is(punctuator("}")) {
            match self.token.kind {
                TokenKind::Word(Word::Case) => {
                    self.next()?;
                    self.expression(true)?;
                    self.expect(punctuator(":"))?;
                }
                TokenKind::Word(Word::Default) if defaults == 0 => {
                    defaults = 1;
                    self.next()?;
                    self.expect(punctuator(":"))?;
                }
                _ => return Err(Unsupported),
            }
            while !matches!(self.token.kind, TokenKind::Word(Word::Case | Word::Default)) && !self.is(punctuator("}")) {
                self.item(false)?;
            }
        }
        self.scopes.close(depth);
        self.context = context;
        self.next()
    }

    /// Reads a `try` statement after its first word.
    fn try_rest(&mut self) -> ParseResult<()> {
        self.block()?;
        let has_catch = self.token.kind == TokenKind::Word(Word::Catch);
        if has_catch {
            self.next()?;
            let depth = self.scopes.depth();
            self.scopes.open(false);
            if self.eat(punctuator("("))? {
                self.binding(Declaration::Lexical)?;
                self.expect(punctuator(")"))?;
            }
            // The names of the block exclude that of the parameter, so the block has no scope of its own.
            self.expect(punctuator("{"))?;
            self.block_items()?;
            self.scopes.close(depth);
        }
        if self.token.kind == TokenKind::Word(Word::Finally) {
            self.next()?;
            return self.block();
        }
        if has_catch { Ok(()) } else { Err(Unsupported) }
    }
}
