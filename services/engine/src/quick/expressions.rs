//! Expressions.

use super::token::{Kind, ParseResult, Unsupported, Word, mark};
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

/// Returns the precedence of a binary operator; zero for other tokens.
fn precedence(kind: Kind, with_in: bool) -> u8 {
    const OR: u32 = mark("||");
    const AND: u32 = mark("&&");
    const SHIFT: u32 = mark(">>>");
    const POWER: u32 = mark("**");
    match kind {
        Kind::Word(Word::Instanceof) => 7,
        Kind::Word(Word::In) if with_in => 7,
        Kind::Mark(found) => match found {
            OR => 1,
            AND => 2,
            _ if found == mark("|") => 3,
            _ if found == mark("^") => 4,
            _ if found == mark("&") => 5,
            _ if found == mark("==") || found == mark("!=") || found == mark("===") || found == mark("!==") => 6,
            _ if found == mark("<") || found == mark(">") || found == mark("<=") || found == mark(">=") => 7,
            SHIFT => 8,
            _ if found == mark("<<") || found == mark(">>") => 8,
            _ if found == mark("+") || found == mark("-") => 9,
            _ if found == mark("*") || found == mark("/") || found == mark("%") => 10,
            POWER => 11,
            _ => 0,
        },
        _ => 0,
    }
}

fn is_assignment(kind: Kind) -> bool {
    const MARKS: [u32; 16] = [
        mark("="),
        mark("+="),
        mark("-="),
        mark("*="),
        mark("/="),
        mark("%="),
        mark("&="),
        mark("|="),
        mark("^="),
        mark("<<="),
        mark(">>="),
        mark(">>>="),
        mark("**="),
        mark("&&="),
        mark("||="),
        mark("??="),
    ];
    matches!(kind, Kind::Mark(found) if MARKS.contains(&found))
}

impl<'s> Parser<'s> {
    /// Reads expressions separated by commas; `with_in` is set if `in` is an operator.
    pub(super) fn expression(&mut self, with_in: bool) -> ParseResult<()> {
        self.assignment(with_in)?;
        while self.eat(mark(","))? {
            self.assignment(with_in)?;
        }
        Ok(())
    }

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

    fn conditional(&mut self, with_in: bool) -> ParseResult<Form> {
        let form = self.binary(with_in)?;
        if !self.is(mark("?")) {
            return Ok(form);
        }
        if form == Form::Arrow {
            return Err(Unsupported);
        }
        self.next()?;
        self.assignment(true)?;
        self.expect(mark(":"))?;
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
            let coalesce = self.is(mark("??"));
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
        if self.token.kind == Kind::Name {
            return self.postfix();
        }
        let changes = self.is(mark("++")) || self.is(mark("--"));
        let prefix = changes
            || self.token.kind == Kind::Word(Word::Prefix)
            || self.is(mark("!"))
            || self.is(mark("-"))
            || self.is(mark("+"))
            || self.is(mark("~"));
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
        if !self.token.ends && (self.is(mark("++")) || self.is(mark("--"))) && !self.token.new_line {
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
        let mut form = if self.token.kind == Kind::Word(Word::New) { self.construct()? } else { self.primary()? };
        if form == Form::Arrow {
            return Ok(form);
        }
        let mut optional = false;
        while !self.token.ends {
            if self.eat(mark("."))? {
                self.member()?;
                form = Form::Target;
            } else if self.eat(mark("["))? {
                self.expression(true)?;
                self.expect(mark("]"))?;
                form = Form::Target;
            } else if self.eat(mark("("))? {
                self.arguments()?;
                form = Form::Other;
            } else if self.eat(mark("?."))? {
                optional = true;
                if self.eat(mark("("))? {
                    self.arguments()?;
                } else if self.eat(mark("["))? {
                    self.expression(true)?;
                    self.expect(mark("]"))?;
                } else {
                    self.member()?;
                }
            } else if self.token.kind == Kind::Template {
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

    fn member(&mut self) -> ParseResult<()> {
        if matches!(self.token.kind, Kind::Name | Kind::Word(_)) { self.next() } else { Err(Unsupported) }
    }

    fn construct(&mut self) -> ParseResult<Form> {
        self.nested(|parser| {
            parser.next()?;
            let nested = parser.token.kind == Kind::Word(Word::New);
            let form = if nested { parser.construct()? } else { parser.primary()? };
            if form == Form::Arrow {
                return Err(Unsupported);
            }
            loop {
                if parser.eat(mark("."))? {
                    parser.member()?;
                } else if parser.eat(mark("["))? {
                    parser.expression(true)?;
                    parser.expect(mark("]"))?;
                } else {
                    break;
                }
            }
            if parser.is(mark("?.")) || parser.token.kind == Kind::Template {
                return Err(Unsupported);
            }
            if parser.eat(mark("("))? {
                parser.arguments()?;
            }
            Ok(Form::Other)
        })
    }

    fn arguments(&mut self) -> ParseResult<()> {
        let mut left = MAX_VALUES;
        while !self.eat(mark(")"))? {
            left = left.checked_sub(1).ok_or(Unsupported)?;
            self.eat(mark("..."))?;
            self.assignment(true)?;
            if !self.is(mark(")")) {
                self.expect(mark(","))?;
            }
        }
        Ok(())
    }

    fn primary(&mut self) -> ParseResult<Form> {
        match self.token.kind {
            Kind::Name => {
                let name = self.name()?;
                if !self.is(mark("=>")) {
                    return Ok(Form::Target);
                }
                let depth = self.scopes.depth();
                self.scopes.open(true);
                self.scopes.parameter(name)?;
                self.arrow_rest(depth)
            }
            Kind::Number | Kind::Text | Kind::Word(Word::Value) => self.next().map(|()| Form::Other),
            Kind::Template => self.template().map(|()| Form::Other),
            Kind::Word(Word::Function) => {
                self.next()?;
                if self.token.kind == Kind::Name {
                    self.next()?;
                }
                self.function_rest().map(|()| Form::Other)
            }
            Kind::Mark(found) if found == mark("(") => self.parenthesis(),
            Kind::Mark(found) if found == mark("[") => self.array().map(|()| Form::Other),
            Kind::Mark(found) if found == mark("{") => self.object().map(|()| Form::Other),
            Kind::Mark(found) if found == mark("/") || found == mark("/=") => self.regular().map(|()| Form::Other),
            _ => Err(Unsupported),
        }
    }

    /// Reads an arrow function, or an expression in parentheses.
    fn parenthesis(&mut self) -> ParseResult<Form> {
        let (lexer, token, before) = (self.lexer, self.token, self.before);
        let (context, level, depth) = (self.context, self.depth, self.scopes.depth());
        self.next()?;
        if matches!(self.token.kind, Kind::Name) || [")", "[", "{", "..."].iter().any(|one| self.is(mark(one))) {
            self.scopes.open(true);
            let read = self.parameters();
            if read.is_ok() && self.is(mark("=>")) {
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
        self.expect(mark(")"))?;
        Ok(Form::Other)
    }

    /// Reads an arrow function from its arrow on, and closes its scope.
    fn arrow_rest(&mut self, depth: usize) -> ParseResult<Form> {
        if self.token.new_line {
            return Err(Unsupported);
        }
        self.next()?;
        if self.is(mark("{")) {
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
