//! Fast parser of the common subset of JavaScript.
//!
//! Most files keep to a small part of the language. This parser reads that part several times as fast as the engine,
//! which compiles what it parses. It never rejects a file: anything that it does not know or that may be wrong is left
//! to the engine, which alone reports errors.
//!
//! The pool reads files with this parser before it starts a process. That is as safe as decoding the request they came
//! in: the parser is safe code, and the depth, the number of tokens, the length and the results are bounded.

mod expressions;
mod globals;
mod lexer;
mod literals;
mod loops;
mod operators;
mod patterns;
mod punctuators;
mod scope;
mod statements;
mod token;

use std::collections::BTreeSet;

use lexer::Lexer;
use scope::Scopes;
use token::{ParseResult, Token, TokenKind, Unsupported, punctuator};

#[cfg(test)]
pub(crate) use globals::NAMES as GLOBALS;

use crate::{Function, parameters};

/// Maximum depth; deeper files are left to the engine, which knows how much stack it has.
const MAX_DEPTH: usize = 100;
/// Maximum length; longer files are left to the engine, which has other limits as well.
const MAX_LENGTH: usize = 1 << 20;
/// Maximum size of the results in relation to the file.
const MAX_WEIGHT: usize = 4;

/// Functions and regular expressions of a file.
#[derive(Debug)]
pub(crate) struct ParsedFile<'s> {
    pub(crate) functions: Vec<Function>,
    /// Patterns and flags of regular expressions that are still to be validated.
    pub(crate) expressions: BTreeSet<(&'s str, &'s str)>,
}

/// Reads a file; returns `None` if the engine has to.
pub(crate) fn parse(source: &str) -> Option<ParsedFile<'_>> {
    // Searching for single characters takes as long as reading tokens, and most files are ASCII.
    let separated = || !source.is_ascii() && source.contains(['\u{2028}', '\u{2029}']);
    if source.len() > MAX_LENGTH || source.as_bytes().contains(&0) || separated() {
        return None;
    }
    let mut parser = Parser::new(source).ok()?;
    parser.program().ok()?;
    // The engine lists such functions in an order of its own, and rejects some names.
    if parser.scopes.names().any(globals::contains) {
        return None;
    }
    let mut functions = Vec::with_capacity(parser.functions.len());
    let mut room = source.len().saturating_mul(MAX_WEIGHT).saturating_add(1024);
    for (name, text) in parser.functions {
        let function = Function { name: name.to_owned(), parameters: parameters::parameter_names(text) };
        room = room.checked_sub(weight(&function))?;
        functions.push(function);
    }
    Some(ParsedFile { functions, expressions: parser.expressions })
}

/// Returns the approximate number of bytes of a function.
fn weight(function: &Function) -> usize {
    let text = |text: &String| size_of::<String>() + text.len();
    size_of::<Function>() + function.name.len() + function.parameters.iter().map(text).sum::<usize>()
}

/// Context of statements.
#[derive(Clone, Copy, Debug, Default)]
struct StatementContext {
    function: bool,
    /// True if `continue` is allowed.
    cycle: bool,
    /// True if `break` is allowed.
    breaks: bool,
}

/// Maximum number of arguments of a call, or expressions of a template. The engine has 65,534 stack slots for all
/// nested calls, whose depth in a file is limited to a hundred.
const MAX_VALUES: usize = 500;

/// Recursive-descent parser with one token of lookahead.
#[derive(Debug)]
struct Parser<'s> {
    lexer: Lexer<'s>,
    token: Token,
    /// End of the previous token.
    before: usize,
    depth: usize,
    /// Remaining number of tokens, and of bytes that are read again; excessive rereading is left to the engine.
    fuel: usize,
    scopes: Scopes<'s>,
    context: StatementContext,
    /// Names and sources. The scope rejects duplicate names.
    functions: Vec<(&'s str, &'s str)>,
    expressions: BTreeSet<(&'s str, &'s str)>,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str) -> ParseResult<Self> {
        let mut lexer = Lexer { source, at: 0 };
        let token = lexer.next()?;
        Ok(Self {
            lexer,
            token,
            before: 0,
            depth: 0,
            fuel: source.len().saturating_mul(2) + 100,
            scopes: Scopes::new(),
            context: StatementContext::default(),
            functions: Vec::new(),
            expressions: BTreeSet::new(),
        })
    }

    /// Reads the whole file.
    fn program(&mut self) -> ParseResult<()> {
        self.directives()?;
        while self.token.kind != TokenKind::End {
            self.item(true)?;
        }
        Ok(())
    }

    fn next(&mut self) -> ParseResult<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Unsupported)?;
        self.before = self.lexer.at;
        self.token = self.lexer.next()?;
        Ok(())
    }

    /// Returns whether the current token is this [`punctuator`].
    fn is(&self, text: u32) -> bool {
        self.token.kind == TokenKind::Punctuator(text)
    }

    /// Skips a punctuator if it is the current token.
    fn eat(&mut self, text: u32) -> ParseResult<bool> {
        let found = self.is(text);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    /// Reads this punctuator; any other token is [`Unsupported`].
    fn expect(&mut self, text: u32) -> ParseResult<()> {
        if self.eat(text)? { Ok(()) } else { Err(Unsupported) }
    }

    /// Returns the text of the current token.
    fn text(&self) -> ParseResult<&'s str> {
        self.lexer.source.get(self.token.start..self.lexer.at).ok_or(Unsupported)
    }

    /// Skips a name and returns it.
    fn name(&mut self) -> ParseResult<&'s str> {
        if self.token.kind != TokenKind::Name {
            return Err(Unsupported);
        }
        let name = self.text()?;
        self.next()?;
        Ok(name)
    }

    /// Ends a statement, with automatic semicolon insertion.
    fn semicolon(&mut self) -> ParseResult<()> {
        if self.eat(punctuator(";"))?
            || self.is(punctuator("}"))
            || self.token.kind == TokenKind::End
            || self.token.new_line
        {
            return Ok(());
        }
        Err(Unsupported)
    }

    /// Reads a recursive construct.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        if self.depth >= MAX_DEPTH {
            return Err(Unsupported);
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }
}
