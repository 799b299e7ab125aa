//! Imports, and macros that are given names.

use super::lexer::Kind;
use super::page::{Break, INDENT, Piece};
use super::writer::Writer;

/// The words that the formatter sets apart where it knows nothing else of them.
const KEYWORDS: [&str; 36] = [
    "as", "async", "await", "box", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern", "fn", "for",
    "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "pub", "ref", "return", "static",
    "struct", "trait", "type", "unsafe", "use", "where", "while", "yield",
];

impl Writer<'_> {
    /// `pub use a::{b, c};`
    pub fn import(&mut self) -> Option<()> {
        self.visibility()?;
        self.pass("use")?;
        self.text("use ");
        if self.is("::") {
            self.take()?;
        }
        self.tree()?;
        self.pass(";")?;
        self.text(";");
        self.hard();
        Some(())
    }

    /// What is behind `use`; whether it ends in braces.
    fn tree(&mut self) -> Option<bool> {
        loop {
            if self.is("{") {
                self.branches()?;
                return Some(true);
            }
            if self.is("*") {
                self.take()?;
                return Some(false);
            }
            self.name()?;
            if self.passed("as") {
                self.text(" as ");
                self.name()?;
            }
            if !self.is("::") {
                return Some(false);
            }
            self.take()?;
        }
    }

    fn branches(&mut self) -> Option<()> {
        let end = self.enter("{")?;
        (self.at < end && !self.is("self")).then_some(())?;
        let rooms = [self.room(), self.room(), self.room(), self.room()];
        let mut ends_in_braces = self.tree()?;
        self.passed(",");
        if self.at == end {
            // Braces of one name are none.
            return self.leave(end);
        }
        for (room, piece) in
            rooms.into_iter().zip([Piece::Each(INDENT), Piece::Text("{"), Piece::Break(Break::ZERO), Piece::Some(0)])
        {
            self.fill(room, piece);
        }
        while self.at < end {
            self.text(",");
            self.stop(if ends_in_braces { Break::HARD } else { Break::SPACE });
            ends_in_braces = self.tree()?;
            (self.passed(",") || self.at == end).then_some(())?;
        }
        self.end();
        self.stop(Break::COMMA);
        self.leave(end)?;
        self.text("}");
        self.end();
        Some(())
    }

    /// `::path::name!(A, b::C);`
    pub fn invocation(&mut self) -> Option<()> {
        if self.is("::") {
            self.take()?;
        }
        self.name()?;
        while self.is("::") {
            self.take()?;
            self.name()?;
        }
        self.pass("!")?;
        let end = self.enter("(")?;
        self.text("!(");
        if self.at < end {
            self.each(INDENT);
            self.stop(Break::ZERO);
            self.some(0);
            self.names(end)?;
            self.end();
            self.stop(Break { offset: -INDENT, ..Break::ZERO });
            self.end();
        }
        self.leave(end)?;
        self.text(")");
        self.pass(";")?;
        self.text(";");
        self.hard();
        Some(())
    }

    /// Names, paths and arrows, and names in braces.
    fn names(&mut self, end: usize) -> Option<()> {
        let (mut is_first, mut after_name) = (true, false);
        while self.at < end {
            match (self.kind()?, self.peek(0)) {
                (Kind::Name, word) => {
                    (!KEYWORDS.contains(&word)).then_some(())?;
                    if !is_first {
                        self.stop(Break::SPACE);
                    }
                    self.take()?;
                    while self.is("::") {
                        self.take()?;
                        (!KEYWORDS.contains(&self.peek(0))).then_some(())?;
                        self.name()?;
                    }
                    after_name = true;
                }
                (Kind::Sign, ",") => {
                    self.take()?;
                    after_name = false;
                }
                (Kind::Sign, "=>") if after_name => {
                    self.stop(Break::SPACE);
                    self.take()?;
                    after_name = false;
                }
                (Kind::Open, "{") if !is_first => {
                    self.stop(Break::SPACE);
                    let inner = self.enter("{")?;
                    self.text("{");
                    if self.at < inner {
                        self.stop(Break::SPACE);
                        self.names(inner)?;
                        self.stop(Break::SPACE);
                    }
                    self.leave(inner)?;
                    self.text("}");
                    after_name = false;
                }
                _ => return None,
            }
            is_first = false;
        }
        Some(())
    }
}
