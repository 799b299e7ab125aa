//! A quick look at files that have nothing unusual.
//!
//! Most files keep to a small part of the language. This reads that part several times as fast as the engine, which compiles
//! what it parses. It never refuses a file: whatever it does not know or may be wrong is for the engine, which alone
//! says what is wrong, and where.
//!
//! The pool reads files in this way before it starts a process. That is as safe as decoding the request they came in: the
//! parser is safe code, and the depth, the tokens, the length and what is found are bounded.

mod expressions;
mod globals;
mod lexer;
mod literals;
mod patterns;
mod scope;
mod statements;
mod token;

use std::collections::BTreeSet;

use lexer::Lexer;
use scope::Scopes;
use token::{Kind, Sure, Token, Unsure, mark};

#[cfg(test)]
pub(crate) use globals::NAMES as GLOBALS;

use crate::{Function, parameters};

/// Deeper files are left to the engine, which knows how much stack it has.
const DEPTH: usize = 100;
/// Longer files are left to the engine, which has other limits as well.
const LENGTH: usize = 1 << 20;
/// What is found takes at most so many times the memory of the file.
const WEIGHT: usize = 4;

/// A file with nothing unusual.
#[derive(Debug)]
pub(crate) struct Found<'s> {
    pub(crate) functions: Vec<Function>,
    /// Patterns and flags of regular expressions, which are still to be checked.
    pub(crate) expressions: BTreeSet<(&'s str, &'s str)>,
}

/// Reads a file; `None` where the engine must.
pub(crate) fn read(source: &str) -> Option<Found<'_>> {
    // Looking for single characters takes as long as reading tokens, and most files have none to look for.
    let separated = || !source.is_ascii() && source.contains(['\u{2028}', '\u{2029}']);
    if source.len() > LENGTH || source.as_bytes().contains(&0) || separated() {
        return None;
    }
    let mut parser = Parser::new(source).ok()?;
    parser.program().ok()?;
    // The engine lists such functions in an order of its own, and refuses some names.
    if parser.scopes.names().any(globals::contain) {
        return None;
    }
    let mut functions = Vec::with_capacity(parser.functions.len());
    let mut room = source.len().saturating_mul(WEIGHT).saturating_add(1024);
    for (name, text) in parser.functions {
        let function = Function { name: name.to_owned(), parameters: parameters::names(text) };
        room = room.checked_sub(weight(&function))?;
        functions.push(function);
    }
    Some(Found { functions, expressions: parser.expressions })
}

/// Returns about how many bytes a function takes.
fn weight(function: &Function) -> usize {
    let text = |text: &String| size_of::<String>() + text.len();
    size_of::<Function>() + function.name.len() + function.parameters.iter().map(text).sum::<usize>()
}

/// Where statements are.
#[derive(Clone, Copy, Debug, Default)]
struct Around {
    function: bool,
    /// `continue` has a meaning.
    cycle: bool,
    /// `break` has a meaning.
    breaks: bool,
}

/// Arguments of a call, or expressions of a template. The engine has 65,534 values on its stack for all calls that are
/// within one another, of which the depth of a file allows a hundred.
const MOST_VALUES: usize = 500;

#[derive(Debug)]
struct Parser<'s> {
    lexer: Lexer<'s>,
    token: Token,
    /// The end of the token before.
    before: usize,
    depth: usize,
    /// Tokens, and bytes that are read again, that may still be read: what is read again and again is left to the engine.
    fuel: usize,
    scopes: Scopes<'s>,
    around: Around,
    /// Names and texts. The scope refuses a name that is there twice.
    functions: Vec<(&'s str, &'s str)>,
    expressions: BTreeSet<(&'s str, &'s str)>,
}

impl<'s> Parser<'s> {
    fn new(source: &'s str) -> Sure<Self> {
        let mut lexer = Lexer { source, at: 0 };
        let token = lexer.next()?;
        Ok(Self {
            lexer,
            token,
            before: 0,
            depth: 0,
            fuel: source.len().saturating_mul(2) + 100,
            scopes: Scopes::new(),
            around: Around::default(),
            functions: Vec::new(),
            expressions: BTreeSet::new(),
        })
    }

    fn program(&mut self) -> Sure<()> {
        self.directives()?;
        while self.token.kind != Kind::End {
            self.item(true)?;
        }
        Ok(())
    }

    fn next(&mut self) -> Sure<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Unsure)?;
        self.before = self.lexer.at;
        self.token = self.lexer.next()?;
        Ok(())
    }

    fn is(&self, text: u32) -> bool {
        self.token.kind == Kind::Mark(text)
    }

    /// Skips a punctuator if it is there.
    fn eat(&mut self, text: u32) -> Sure<bool> {
        let found = self.is(text);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    fn expect(&mut self, text: u32) -> Sure<()> {
        if self.eat(text)? { Ok(()) } else { Err(Unsure) }
    }

    /// The text of the current token.
    fn text(&self) -> Sure<&'s str> {
        self.lexer.source.get(self.token.start..self.lexer.at).ok_or(Unsure)
    }

    /// Skips a name, and returns it.
    fn name(&mut self) -> Sure<&'s str> {
        if self.token.kind != Kind::Name {
            return Err(Unsure);
        }
        let name = self.text()?;
        self.next()?;
        Ok(name)
    }

    /// Ends a statement as the language does where the semicolon is left out.
    fn semicolon(&mut self) -> Sure<()> {
        if self.eat(mark(";"))? || self.is(mark("}")) || self.token.kind == Kind::End || self.token.new_line {
            return Ok(());
        }
        Err(Unsure)
    }

    /// Reads something that contains itself.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Sure<T>) -> Sure<T> {
        if self.depth >= DEPTH {
            return Err(Unsure);
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }
}
