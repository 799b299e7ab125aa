//! Expressions.

use super::operators::{is_assignment, precedence};
use super::token::{ParseResult, TokenKind, Unsupported, Word, punctuator};
use super::{MAX_VALUES, Parser, StatementContext};

/// Syntactic category of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Name or member, which can be assigned to.
    Target,
    /// Arrow function, which is not an operand.
    Arrow,
    Other,
}

impl<'s> Parser<'s> {
    /// Reads expressions separated by commas; `with_in` is set if `in` is an operator.
    pub(super) fn expression(&mut self, with_in: bool) -> ParseResult<()> {
        self.assignment(with_in)?;
        while self.eat(punctuator(","))? {
            self.assignment(with_in)?;
        }
        Ok(())
    }

    /// Reads an expression without commas: an assignment, an arrow function or a conditional expression.
    pub(super) fn assignment(&mut self, with_in: bool) -> ParseResult<Form> {
        self.nested(|parser| {
            let form = parser.conditional(with_in)?;
            if parser.token.ends {
                return Ok(form);
            }
            if is_assignment(parser.token.kind) {
                if form != Form::Target {
                    return Err(Unsupported);
                }
                parser.next()?;
                parser.assignment(with_in)?;
                return Ok(Form::Other);
            }
            Ok(form)
        })
    }

    /// Reads a binary expression, and the branches of `?:` if they follow.
    fn conditional(&mut self, with_in: bool) -> ParseResult<Form> {
        let form = self.binary(with_in)?;
        if !self.is(punctuator("?")) {
            return Ok(form);
        }
        if form == Form::Arrow {
            return Err(Unsupported);
        }
        self.next()?;
        self.assignment(true)?;
        self.expect(punctuator(":"))?;
        self.assignment(with_in)?;
        Ok(Form::Other)
    }

    /// Reads operands and the operators between them. Their grouping does not matter, except that `??` cannot be mixed
    /// with `||` or `&&`, and that `**` has no prefix before it.
    fn binary(&mut self, with_in: bool) -> ParseResult<Form> {
        let (mut form, mut prefixed) = self.unary()?;
        let (mut logical, mut coalesces) = (false, false);
        loop {
            if self.token.ends {
                return Ok(form);
            }
            let found = precedence(self.token.kind, with_in);
            let coalesce = self.is(punctuator("??"));
            if found == 0 && !coalesce {
                return Ok(form);
            }
            logical |= found == 1 || found == 2;
            coalesces |= coalesce;
            if form == Form::Arrow || (prefixed && found == 11) || (logical && coalesces) {
                return Err(Unsupported);
            }
            self.next()?;
            (form, prefixed) = self.unary()?;
            if form == Form::Arrow {
                return Err(Unsupported);
            }
            form = Form::Other;
        }
    }

    /// Reads an operand; returns also whether it has a prefix.
    fn unary(&mut self) -> ParseResult<(Form, bool)> {
        if self.token.kind == TokenKind::Name {
            return self.postfix();
        }
        let changes = self.is(punctuator("++")) || self.is(punctuator("--"));
        let prefix = changes
            || self.token.kind == TokenKind::Word(Word::Prefix)
            || self.is(punctuator("!"))
            || self.is(punctuator("-"))
            || self.is(punctuator("+"))
            || self.is(punctuator("~"));
        if prefix {
            return self.nested(|parser| {
                parser.next()?;
                match parser.unary()? {
                    (Form::Arrow, _) => Err(Unsupported),
                    (form, _) if changes && form != Form::Target => Err(Unsupported),
                    _ => Ok((Form::Other, true)),
                }
            });
        }
        self.postfix()
    }

    /// Reads an operand without a prefix.
    fn postfix(&mut self) -> ParseResult<(Form, bool)> {
        let form = self.operand()?;
        if !self.token.ends && (self.is(punctuator("++")) || self.is(punctuator("--"))) && !self.token.new_line {
            if form != Form::Target {
                return Err(Unsupported);
            }
            self.next()?;
            return Ok((Form::Other, false));
        }
        Ok((form, false))
    }

    /// Reads a value with its members and calls.
    fn operand(&mut self) -> ParseResult<Form> {
        let mut form = if self.token.kind == TokenKind::Word(Word::New) { self.construct()? } else { self.primary()? };
        if form == Form::Arrow {
            return Ok(form);
        }
        let mut optional = false;
        while !self.token.ends {
            if self.eat(punctuator("."))? {
                self.member()?;
                form = Form::Target;
            } else if self.eat(punctuator("["))? {
                self.expression(true)?;
                self.expect(punctuator("]"))?;
                form = Form::Target;
            } else if self.eat(punctuator("("))? {
                self.arguments()?;
                form = Form::Other;
            } else if self.eat(punctuator("?."))? {
                optional = true;
                if self.eat(punctuator("("))? {
                    self.arguments()?;
                } else if self.eat(punctuator("["))? {
                    self.expression(true)?;
                    self.expect(punctuator("]"))?;
                } else {
                    self.member()?;
                }
            } else if self.token.kind == TokenKind::Template {
                if optional {
                    return Err(Unsupported);
                }
                self.template()?;
                form = Form::Other;
            } else {
                break;
            }
        }
        Ok(if optional { Form::Other } else { form })
    }

    /// Reads the name after a dot, which may be a reserved word.
    fn member(&mut self) -> ParseResult<()> {
        if matches!(self.token.kind, TokenKind::Name | TokenKind::Word(_)) { self.next() } else { Err(Unsupported) }
    }

    /// Reads `new` with its constructor and arguments.
    fn construct(&mut self) -> ParseResult<Form> {
        self.nested(|parser| {
            parser.next()?;
            let nested = parser.token.kind == TokenKind::Word(Word::New);
            let form = if nested { parser.construct()? } else { parser.primary()? };
            if form == Form::Arrow {
                return Err(Unsupported);
            }
            loop {
                if parser.eat(punctuator("."))? {
                    parser.member()?;
                } else if parser.eat(punctuator("["))? {
                    parser.expression(true)?;
                    parser.expect(punctuator("]"))?;
                } else {
                    break;
                }
            }
            if parser.is(punctuator("?.")) || parser.token.kind == TokenKind::Template {
                return Err(Unsupported);
            }
            if parser.eat(punctuator("("))? {
                parser.arguments()?;
            }
            Ok(Form::Other)
        })
    }

    /// Reads the arguments of a call, after the opening parenthesis and up to the closing one.
    fn arguments(&mut self) -> ParseResult<()> {
        let mut left = MAX_VALUES;
        while !self.eat(punctuator(")"))? {
            left = left.checked_sub(1).ok_or(Unsupported)?;
            self.eat(punctuator("..."))?;
            self.assignment(true)?;
            if !self.is(punctuator(")")) {
                self.expect(punctuator(","))?;
            }
        }
        Ok(())
    }

    /// Reads a name, literal, function or parenthesis, without members and calls.
    fn primary(&mut self) -> ParseResult<Form> {
        match self.token.kind {
            TokenKind::Name => {
                let name = self.name()?;
                if !self.is(punctuator("=>")) {
                    return Ok(Form::Target);
                }
                let depth = self.scopes.depth();
                self.scopes.open(true);
                self.scopes.parameter(name)?;
                self.arrow_rest(depth)
            }
            TokenKind::Number | TokenKind::Text | TokenKind::Word(Word::Value) => self.next().map(|()| Form::Other),
            TokenKind::Template => self.template().map(|()| Form::Other),
            TokenKind::Word(Word::Function) => {
                self.next()?;
                if self.token.kind == TokenKind::Name {
                    self.next()?;
                }
                self.function_rest().map(|()| Form::Other)
            }
            TokenKind::Punctuator(found) if found == punctuator("(") => self.parenthesis(),
            TokenKind::Punctuator(found) if found == punctuator("[") => self.array().map(|()| Form::Other),
            TokenKind::Punctuator(found) if found == punctuator("{") => self.object().map(|()| Form::Other),
            TokenKind::Punctuator(found) if found == punctuator("/") || found == punctuator("/=") => {
                self.regular().map(|()| Form::Other)
            }
            _ => Err(Unsupported),
        }
    }

    /// Reads an arrow function, or an expression in parentheses.
    fn parenthesis(&mut self) -> ParseResult<Form> {
        let (lexer, token, before) = (self.lexer, self.token, self.before);
        let (context, level, depth) = (self.context, self.depth, self.scopes.depth());
        self.next()?;
        if matches!(self.token.kind, TokenKind::Name)
            || [")", "[", "{", "..."].iter().any(|one| self.is(punctuator(one)))
        {
            self.scopes.open(true);
            let read = self.parameters();
            if read.is_ok() && self.is(punctuator("=>")) {
                return self.arrow_rest(depth);
            }
            self.scopes.close(depth);
            // Rereading long tokens costs their length.
            self.fuel = self.fuel.checked_sub(self.lexer.at.saturating_sub(lexer.at)).ok_or(Unsupported)?;
            (self.lexer, self.token, self.before) = (lexer, token, before);
            (self.context, self.depth) = (context, level);
            self.next()?;
        }
        self.expression(true)?;
        self.expect(punctuator(")"))?;
        Ok(Form::Other)
    }

    /// Reads an arrow function from its arrow on, and closes its scope.
    fn arrow_rest(&mut self, depth: usize) -> ParseResult<Form> {
        if self.token.new_line {
            return Err(Unsupported);
        }
        self.next()?;
        if self.is(punctuator("{")) {
            self.body()?;
        } else {
            let context = std::mem::replace(
                &mut self.context,
                StatementContext { function: true, ..StatementContext::default() },
            );
            self.assignment(true)?;
            self.context = context;
        }
        self.scopes.close(depth);
        Ok(Form::Arrow)
    }
}
