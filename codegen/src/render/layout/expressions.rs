//! Expressions: operators and chains of calls.

use super::lexer::Kind;
use super::page::{Break, INDENT, Piece};
use super::writer::Writer;

/// What others have to know of an expression.
#[derive(Default)]
pub struct Shape {
    /// Whether a condition of it ends in a break.
    pub wraps: bool,
    /// Whether it ends in a block and needs no comma or semicolon: `match`, `if` and blocks.
    pub is_block: bool,
    pub is_if: bool,
    /// Whether it is in brackets of its own, so that a call of it alone needs no group.
    pub is_bracketed: bool,
    /// Whether a statement of it ends in a semicolon in any case: `return` and assignments.
    pub leaves: bool,
    pub is_unit: bool,
    /// Whether it is a call, or a `match`: a closure of it needs no braces where it is broken.
    pub is_call: bool,
    /// A name of a few letters alone.
    pub is_short: bool,
    /// Of a chain of calls that begins with a short name: its first break, and the group of the arguments of its only
    /// call.
    pub chain: Option<(usize, Option<usize>)>,
}

impl Writer<'_> {
    /// An expression; that of a struct only where braces begin no block.
    pub fn expression(&mut self, structs: bool) -> Option<Shape> {
        let start = self.pieces.len();
        let shape = self.binary(structs, 0)?;
        if !self.is("=") {
            // What is not known here: other assignments, ranges and conversions.
            let unknown = matches!(self.peek(0), "as" | ".." | "..=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "|=");
            return (!unknown).then_some(shape);
        }
        self.pass("=")?;
        self.pieces.insert(start, Piece::Some(0));
        self.text(" = ");
        self.stop(Break::NEVER);
        self.expression(structs)?;
        self.end();
        Some(Shape { wraps: true, leaves: true, ..Shape::default() })
    }

    /// How tight the operator binds that comes next; none for what is none.
    fn operator(&self) -> Option<usize> {
        Some(match self.peek(0) {
            "||" => 1,
            "&&" => 2,
            "==" | "!=" | "<" | ">" | "<=" => 3,
            "+" | "-" => 5,
            "*" => 6,
            _ => return None,
        })
    }

    fn binary(&mut self, structs: bool, least: usize) -> Option<Shape> {
        let start = self.pieces.len();
        let mut shape = self.prefixed(structs)?;
        if shape.is_block {
            return Some(shape);
        }
        while let Some(tightness) = self.operator().filter(|tightness| *tightness > least) {
            // `>=` and shifts are told in more than one word.
            (!matches!(self.peek(1), "=" | "<" | ">")).then_some(())?;
            self.pieces.splice(start..start, [Piece::Some(INDENT), Piece::Some(-INDENT)]);
            self.end();
            self.stop(Break::SPACE);
            self.take()?;
            self.text(" ");
            let right = self.binary(structs, tightness)?;
            (!right.is_block).then_some(())?;
            self.end();
            shape = Shape { wraps: true, ..Shape::default() };
        }
        // A bit by bit operator.
        (!matches!(self.peek(0), "/" | "%" | "^" | "|" | "&")).then_some(shape)
    }

    pub fn prefixed(&mut self, structs: bool) -> Option<Shape> {
        match (self.kind()?, self.peek(0)) {
            (Kind::Sign, "&") => {
                self.take()?;
                if self.passed("mut") {
                    self.text("mut ");
                }
                (!self.is("raw")).then_some(())?;
                self.operand(structs)
            }
            (Kind::Sign, "*" | "!" | "-") => {
                self.take()?;
                self.operand(structs)
            }
            _ => self.chain(structs),
        }
    }

    fn operand(&mut self, structs: bool) -> Option<Shape> {
        let shape = self.prefixed(structs)?;
        (!shape.is_block && !shape.leaves).then_some(Shape { wraps: shape.wraps, ..Shape::default() })
    }

    /// A value and what is called of it: `a::b(c)?.d.e(f)`.
    fn chain(&mut self, structs: bool) -> Option<Shape> {
        let (outer, inner) = (self.room(), self.room());
        let base = self.atom(structs)?;
        if base.is_block || base.leaves {
            return (!matches!(self.peek(0), "." | "?")).then_some(base);
        }
        let inner_end = self.room();
        let mut links = Links { is_short: base.is_short, ..Links::default() };
        let mut shape = base;
        while let Some(next) = self.link(&mut links, shape.wraps)? {
            shape = next;
        }
        if let Some(last) = links.last {
            self.fill(outer, Piece::Each(INDENT));
            self.fill(inner, Piece::Each(-INDENT));
            self.fill(inner_end, Piece::End);
            self.fill(last, Piece::End);
            let arguments = links.arguments.filter(|_| links.count == 1);
            shape.chain = links.first.filter(|_| !shape.is_call).map(|first| (first, arguments));
        }
        Some(shape)
    }

    /// One link of a chain: a call, an index, a question mark, or a member.
    fn link(&mut self, links: &mut Links, wraps: bool) -> Option<Option<Shape>> {
        let is_first = !links.any;
        links.any = true;
        Some(Some(match self.peek(0) {
            "?" => {
                self.take()?;
                Shape { wraps, ..Shape::default() }
            }
            "(" => {
                links.last.is_none().then_some(())?;
                self.arguments_of_call()?;
                Shape { wraps, is_call: true, ..Shape::default() }
            }
            "[" => {
                let end = self.enter("[")?;
                self.text("[");
                self.expression(true)?;
                self.leave(end)?;
                self.text("]");
                Shape { wraps: true, ..Shape::default() }
            }
            "." => {
                let at = self.pieces.len();
                self.stop(Break::ZERO);
                if is_first && links.is_short {
                    links.first = Some(at);
                }
                self.member(links)?;
                links.count += 1;
                links.last = Some(self.room());
                Shape { wraps: true, ..Shape::default() }
            }
            _ => return Some(None),
        }))
    }

    /// `.name`, `.0`, `.await` or `.name::<T>(…)`
    fn member(&mut self, links: &mut Links) -> Option<()> {
        self.take()?;
        let is_index = self.kind()? == Kind::Other && self.peek(0).bytes().all(|c| c.is_ascii_digit());
        (is_index || self.kind()? == Kind::Name).then_some(())?;
        self.take()?;
        if self.is("::") {
            self.at += 1;
            self.arguments(true)?;
            self.is("(").then_some(())?;
        }
        if self.is("(") {
            links.arguments = Some(self.pieces.len());
            self.each(0);
            self.arguments_of_call()?;
            self.end();
        }
        Some(())
    }

    /// What a call is given, in its parentheses.
    pub fn arguments_of_call(&mut self) -> Option<()> {
        let end = self.enter("(")?;
        self.text("(");
        if self.at < end {
            let (group, first) = (self.room(), self.room());
            let shape = self.expression(true)?;
            let is_alone = self.at == end || (self.at + 1 == end && self.is(","));
            if is_alone && shape.is_bracketed {
                self.passed(",");
            } else {
                self.fill(group, Piece::Each(INDENT));
                self.fill(first, Piece::Break(Break::ZERO));
                self.comma(end, Break::COMMA)?;
                while self.at < end {
                    self.expression(true)?;
                    self.comma(end, Break::COMMA)?;
                }
                self.end();
            }
        }
        self.leave(end)?;
        self.text(")");
        Some(())
    }

    /// A chain that begins a line with a short name goes on behind it.
    pub fn begin_line(&mut self, shape: &Shape) {
        if let Some((first, arguments)) = shape.chain {
            self.fill(first, Piece::Nothing);
            if let Some(arguments) = arguments {
                self.fill(arguments, Piece::Each(-INDENT));
            }
        }
    }

    /// A name alone, as far as chains are concerned.
    pub fn named(&self, from: usize) -> Shape {
        let is_short =
            self.at == from + 1 && self.words.get(from).is_some_and(|word| word.text.len() <= 4 && word.text != "true");
        Shape { is_short, ..Shape::default() }
    }
}

/// What is known of a chain so far.
#[derive(Default)]
struct Links {
    pub is_short: bool,
    any: bool,
    /// How many members there are.
    count: usize,
    first: Option<usize>,
    arguments: Option<usize>,
    /// Where the last member ends.
    last: Option<usize>,
}
