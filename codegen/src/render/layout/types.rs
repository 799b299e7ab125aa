//! Types, paths, bounds and generic parameters.

use super::lexer::Kind;
use super::page::{Break, INDENT, Piece};
use super::writer::Writer;

impl Writer<'_> {
    /// `&'a mut ` before a type or `self`.
    pub fn reference(&mut self) -> Option<()> {
        self.pass("&")?;
        self.text("&");
        if self.kind()? == Kind::Lifetime {
            self.take()?;
            self.text(" ");
        }
        if self.passed("mut") {
            self.text("mut ");
        }
        Some(())
    }

    pub fn ty(&mut self) -> Option<()> {
        match (self.kind()?, self.peek(0)) {
            (Kind::Sign, "&") => {
                self.reference()?;
                self.ty()
            }
            (Kind::Sign, "::" | "<") => self.path(false),
            (Kind::Sign, "!") => self.take(),
            (Kind::Open, "(") => self.tuple_of(Self::ty),
            (Kind::Open, "[") => self.slice(),
            (Kind::Name, "impl" | "dyn") => {
                self.take()?;
                self.text(" ");
                self.bounds(false)
            }
            (Kind::Name, "fn" | "for" | "unsafe" | "extern") => None,
            (Kind::Name, _) => self.path(false),
            _ => None,
        }
    }

    /// What stands in parentheses: `()`, `(a)`, `(a,)` or `(a, b)`.
    pub fn tuple_of(&mut self, each: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        let end = self.enter("(")?;
        self.text("(");
        if self.at == end {
            self.leave(end)?;
            self.text(")");
            return Some(());
        }
        let (group, first) = (self.room(), self.room());
        each(self)?;
        if self.at < end {
            self.fill(group, Piece::Each(INDENT));
            self.fill(first, Piece::Break(Break::ZERO));
            if self.at + 1 == end {
                self.pass(",")?;
                self.text(",");
                self.stop(Break { offset: -INDENT, ..Break::ZERO });
            } else {
                self.comma(end, Break::COMMA)?;
            }
            while self.at < end {
                each(self)?;
                self.comma(end, Break::COMMA)?;
            }
            self.end();
        }
        self.leave(end)?;
        self.text(")");
        Some(())
    }

    fn slice(&mut self) -> Option<()> {
        let end = self.enter("[")?;
        self.text("[");
        self.ty()?;
        if self.passed(";") {
            self.text("; ");
            self.expression(true)?;
        }
        self.leave(end)?;
        self.text("]");
        Some(())
    }

    /// Bounds with a plus between them, at which they are broken or not.
    pub fn bounds(&mut self, breaks: bool) -> Option<()> {
        self.bound()?;
        while self.passed("+") {
            if breaks {
                self.stop(Break::SPACE);
                self.text("+ ");
            } else {
                self.text(" + ");
            }
            self.bound()?;
        }
        Some(())
    }

    fn bound(&mut self) -> Option<()> {
        match (self.kind()?, self.peek(0)) {
            (Kind::Lifetime, _) => self.take(),
            (Kind::Name, "for" | "use") | (Kind::Sign, "<") => None,
            (Kind::Sign, "?") => {
                self.take()?;
                self.path(false)
            }
            (Kind::Name, _) | (Kind::Sign, "::") => self.path(false),
            _ => None,
        }
    }

    /// A path of a type, or one of an expression, whose arguments stand behind two colons.
    pub fn path(&mut self, in_expression: bool) -> Option<()> {
        if self.passed("<") {
            self.text("<");
            self.ty()?;
            if self.passed("as") {
                self.text(" as ");
                self.path(false)?;
            }
            self.pass(">")?;
            self.text(">");
            self.is("::").then_some(())?;
        }
        if self.is("::") {
            self.take()?;
        }
        loop {
            self.name()?;
            let turbofish = self.is("::") && self.peek(1) == "<";
            if turbofish || (!in_expression && self.is("<")) {
                self.at += usize::from(turbofish);
                self.arguments(in_expression)?;
            } else if !in_expression && self.is("(") {
                return self.signature_of_bound();
            }
            if !self.is("::") {
                return Some(());
            }
            self.take()?;
        }
    }

    /// `<'a, T, Item = U>`
    pub fn arguments(&mut self, in_expression: bool) -> Option<()> {
        self.pass("<")?;
        self.text(if in_expression { "::<" } else { "<" });
        self.each(INDENT);
        self.stop(Break::ZERO);
        let mut is_type = false;
        loop {
            if self.kind()? == Kind::Lifetime {
                // The formatter writes lifetimes first.
                (!is_type).then_some(())?;
                self.take()?;
            } else {
                is_type = true;
                if self.kind()? == Kind::Name && self.peek(1) == "=" {
                    self.take()?;
                    self.pass("=")?;
                    self.text(" = ");
                }
                self.ty()?;
            }
            if self.ends_arguments()? {
                break;
            }
        }
        self.end();
        self.text(">");
        Some(())
    }

    /// What is behind an argument; whether it was the last.
    fn ends_arguments(&mut self) -> Option<bool> {
        let comma = self.passed(",");
        if self.passed(">") {
            self.stop(Break::COMMA);
            return Some(true);
        }
        comma.then(|| {
            self.text(",");
            self.stop(Break::SPACE);
            false
        })
    }

    /// `(A, B) -> C` of `Fn(A, B) -> C`
    fn signature_of_bound(&mut self) -> Option<()> {
        let end = self.enter("(")?;
        self.each(INDENT);
        self.text("(");
        if self.at == end {
            self.stop(Break { offset: -INDENT, ..Break::ZERO });
        }
        self.list(end, Self::ty)?;
        self.text(")");
        self.answer()?;
        self.end();
        Some(())
    }

    /// `-> T`, where there is one.
    pub fn answer(&mut self) -> Option<()> {
        if self.passed("->") {
            self.text(" -> ");
            self.ty()?;
        }
        Some(())
    }

    /// The parameters of an item, where there are some: `<'a, T: A + B>`.
    pub fn generics(&mut self) -> Option<()> {
        if !self.passed("<") {
            return Some(());
        }
        self.text("<");
        self.each(0);
        self.stop(Break::ZERO);
        let mut is_type = false;
        loop {
            if self.kind()? == Kind::Lifetime {
                (!is_type).then_some(())?;
                self.take()?;
                (!self.is(":")).then_some(())?;
            } else {
                is_type = true;
                (!self.is("const")).then_some(())?;
                self.name()?;
                self.some(INDENT);
                if self.passed(":") {
                    self.text(": ");
                    self.bounds(true)?;
                }
                self.end();
            }
            if self.ends_arguments()? {
                break;
            }
        }
        self.end();
        self.text(">");
        Some(())
    }
}
