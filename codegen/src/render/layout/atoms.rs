//! Expressions that are no operators or calls.

use std::cell::Cell;

use super::expressions::Shape;
use super::lexer::Kind;
use super::page::{Break, INDENT, Piece};
use super::writer::Writer;

impl Writer<'_> {
    pub fn atom(&mut self, structs: bool) -> Option<Shape> {
        let from = self.at;
        match (self.kind()?, self.peek(0)) {
            (Kind::Text | Kind::Other, text) => {
                (!text.ends_with('.')).then_some(())?;
                self.take()?;
                Some(Shape::default())
            }
            (Kind::Open, "(") => self.parenthesized(),
            (Kind::Open, "[") => self.array(),
            (Kind::Open, "{") => {
                self.each(INDENT);
                self.small_block()?;
                self.end();
                Some(Shape { is_block: true, is_bracketed: true, ..Shape::default() })
            }
            (Kind::Sign, "|" | "||") => self.closure(),
            (Kind::Sign, "::" | "<") => self.path_or_struct(from, structs),
            (Kind::Name, "match") => self.matching(),
            (Kind::Name, "if") => self.condition(),
            (Kind::Name, "move") => self.closure(),
            (Kind::Name, "async") => self.asynchronous(),
            (Kind::Name, "return") => self.returning(structs),
            (
                Kind::Name,
                "unsafe" | "loop" | "while" | "for" | "let" | "const" | "static" | "break" | "continue" | "yield" | "_"
                | "try" | "do",
            ) => None,
            (Kind::Name, _) => self.path_or_struct(from, structs),
            _ => None,
        }
    }

    fn returning(&mut self, structs: bool) -> Option<Shape> {
        self.take()?;
        let ends = matches!(self.kind(), None | Some(Kind::Close)) || matches!(self.peek(0), ";" | ",");
        let mut wraps = false;
        if !ends {
            self.text(" ");
            wraps = self.expression(structs)?.wraps;
        }
        Some(Shape { leaves: true, wraps, ..Shape::default() })
    }

    /// A path, and the members of a struct behind it.
    fn path_or_struct(&mut self, from: usize, structs: bool) -> Option<Shape> {
        let (group, inner) = (self.room(), self.room());
        self.path(true)?;
        (!self.is("!")).then_some(())?;
        if !structs || !self.is("{") {
            return Some(self.named(from));
        }
        self.fill(group, Piece::Each(INDENT));
        self.fill(inner, Piece::Some(-INDENT));
        self.end();
        let end = self.enter("{")?;
        self.text(" {");
        self.stop(if self.at < end { Break::SPACE } else { Break::NEVER });
        while self.at < end {
            if self.passed("..") {
                self.text("..");
                self.expression(true)?;
                self.stop(Break { offset: -INDENT, ..Break::SPACE });
                break;
            }
            self.member_of_struct()?;
            self.comma(end, Break::COMMA_SPACE)?;
        }
        self.leave(end)?;
        self.pieces.push(Piece::EndOfStruct);
        self.text("}");
        Some(Shape { is_bracketed: true, ..Shape::default() })
    }

    /// `name` or `name: value`
    fn member_of_struct(&mut self) -> Option<()> {
        self.name()?;
        if self.passed(":") {
            self.text(": ");
            self.some(0);
            self.expression(true)?;
            self.end();
        }
        Some(())
    }

    fn parenthesized(&mut self) -> Option<Shape> {
        let end = self.words.get(self.at)?.end;
        let is_unit = end == self.at + 1;
        let wraps = Cell::new(false);
        let count = Cell::new(0);
        let has_comma = self.words.get(end - 1).is_some_and(|word| word.text == ",");
        self.tuple_of(|writer| {
            wraps.set(writer.expression(true)?.wraps);
            count.set(count.get() + 1);
            Some(())
        })?;
        // One value alone is no tuple; a condition of it wraps as one of the value does.
        let is_tuple = count.get() != 1 || has_comma;
        Some(Shape { wraps: wraps.get() && !is_tuple, is_bracketed: is_tuple, is_unit, ..Shape::default() })
    }

    fn array(&mut self) -> Option<Shape> {
        let end = self.words.get(self.at)?.end;
        let shape = Shape { is_bracketed: true, ..Shape::default() };
        if end == self.at + 1 {
            self.at = end + 1;
            self.text("[]");
            return Some(shape);
        }
        if !self.is_plain_array(end) {
            self.tuple(["[", "]"], INDENT, |writer| {
                writer.expression(true)?;
                (!writer.is(";")).then_some(())
            })?;
            return Some(shape);
        }
        self.at += 1;
        self.each(INDENT);
        self.text("[");
        self.stop(Break::ZERO);
        self.some(0);
        loop {
            self.take()?;
            self.passed(",");
            if self.at == end {
                break;
            }
            self.text(",");
            self.stop(Break::SPACE);
        }
        self.end();
        self.stop(Break::COMMA);
        self.leave(end)?;
        self.text("]");
        self.end();
        Some(shape)
    }

    /// Whether an array has nothing but numbers, characters and truths, of which a line takes as many as fit.
    fn is_plain_array(&self, end: usize) -> bool {
        let words = self.words.get(self.at + 1..end).unwrap_or_default();
        words.iter().enumerate().all(|(at, word)| {
            if at % 2 == 1 {
                return word.text == ",";
            }
            let is_byte_text = word.text.starts_with("b\"");
            let is_fraction = word.text.contains('.') || word.text.ends_with("f32") || word.text.ends_with("f64");
            matches!(word.text, "true" | "false") || word.kind == Kind::Other && !is_byte_text && !is_fraction
        })
    }

    /// `|a, b| c`
    fn closure(&mut self) -> Option<Shape> {
        self.some(0);
        if self.passed("move") {
            self.text("move ");
        }
        self.each(INDENT);
        self.text("|");
        if !self.passed("||") {
            self.pass("|")?;
            self.stop(Break::ZERO);
            loop {
                self.parameter_of_closure()?;
                if self.passed("|") {
                    break;
                }
                self.pass(",")?;
                self.text(",");
                self.stop(Break::SPACE);
            }
        }
        (!self.is("->")).then_some(())?;
        self.text("|");
        self.stop(Break { offset: -INDENT, ..Break::SPACE });
        self.end();
        self.stop(Break::NEVER);
        let (group, opening) = (self.room(), self.room());
        let shape = self.expression(true)?;
        if !(shape.is_bracketed || shape.is_call) {
            self.fill(group, Piece::Each(INDENT));
            self.fill(opening, Piece::Break(Break { before: "{", ..Break::ZERO }));
            let before = if shape.leaves { ";" } else { "" };
            self.stop(Break { offset: -INDENT, before, after: "}", ..Break::ZERO });
            self.end();
        }
        self.end();
        Some(Shape { is_bracketed: true, ..Shape::default() })
    }

    fn parameter_of_closure(&mut self) -> Option<()> {
        // A `|` ends the parameters here.
        let group = self.pieces.len();
        self.parameter_pattern()?;
        (self.pieces.len() > group).then_some(())?;
        if self.passed(":") {
            self.text(": ");
            self.ty()?;
        }
        Some(())
    }

    /// `async move { … }`
    fn asynchronous(&mut self) -> Option<Shape> {
        self.pass("async")?;
        self.text("async ");
        if self.passed("move") {
            self.text("move ");
        }
        (!self.is("|")).then_some(())?;
        self.each(INDENT);
        self.small_block()?;
        self.end();
        Some(Shape { is_bracketed: true, ..Shape::default() })
    }
}
