//! Patterns.

use super::lexer::Kind;
use super::page::{Break, INDENT, Piece};
use super::writer::Writer;

impl Writer<'_> {
    /// A pattern, or several of which one has to hold.
    pub fn pattern(&mut self) -> Option<()> {
        if self.is("|") {
            return None;
        }
        let group = self.room();
        let mut is_plain = self.is_plain_pattern();
        self.one_pattern()?;
        let is_alone = !self.is("|");
        while self.is("|") {
            self.at += 1;
            self.stop(Break::SPACE);
            self.text("| ");
            is_plain &= self.is_plain_pattern();
            self.one_pattern()?;
        }
        if !is_alone {
            self.fill(group, if is_plain { Piece::Some(0) } else { Piece::Each(0) });
            self.end();
        }
        Some(())
    }

    /// Whether a literal or `_` comes.
    fn is_plain_pattern(&self) -> bool {
        matches!(self.kind(), Some(Kind::Text | Kind::Other)) || matches!(self.peek(0), "_" | "true" | "false")
    }

    /// A pattern of a closure's parameter, which a `|` ends.
    pub fn parameter_pattern(&mut self) -> Option<()> {
        self.one_pattern()
    }

    fn one_pattern(&mut self) -> Option<()> {
        match (self.kind()?, self.peek(0)) {
            (Kind::Text | Kind::Other, _) => self.take()?,
            (Kind::Sign, "&") => {
                self.take()?;
                if self.passed("mut") {
                    self.text("mut ");
                }
                self.one_pattern()?;
            }
            (Kind::Open, "(") => self.tuple_of(Self::pattern)?,
            (Kind::Name, word @ ("ref" | "mut")) => {
                self.at += 1;
                self.text(if word == "ref" { "ref " } else { "mut " });
                (self.peek(0) != "mut").then_some(())?;
                self.name()?;
            }
            (Kind::Name, "box" | "const") => return None,
            (Kind::Name, _) | (Kind::Sign, "::") => {
                let group = self.room();
                self.path(true)?;
                match self.peek(0) {
                    "(" => self.tuple(["(", ")"], INDENT, Self::pattern)?,
                    "{" => {
                        self.fill(group, Piece::Each(INDENT));
                        self.pattern_of_struct()?;
                    }
                    _ => {}
                }
            }
            _ => return None,
        }
        // A name for the whole, a range or a macro.
        (!matches!(self.peek(0), "@" | ".." | "..=" | "!")).then_some(())
    }

    /// `{ a, b: c, .. }` behind the path, in a group that begins with the path.
    fn pattern_of_struct(&mut self) -> Option<()> {
        let end = self.enter("{")?;
        self.text(" {");
        if self.at < end {
            self.stop(Break::SPACE);
        }
        while self.at < end {
            if self.passed("..") {
                self.text("..");
                self.stop(Break { offset: -INDENT, ..Break::SPACE });
                break;
            }
            let is_named = self.peek(1) == ":";
            if is_named {
                self.name()?;
                self.pass(":")?;
                self.text(": ");
                self.pattern()?;
            } else {
                self.one_pattern()?;
            }
            self.comma(end, Break::COMMA_SPACE)?;
        }
        self.leave(end)?;
        self.end();
        self.text("}");
        Some(())
    }
}
