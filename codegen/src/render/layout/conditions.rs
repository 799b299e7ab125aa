//! `match` and `if`.

use super::expressions::Shape;
use super::page::{Break, INDENT};
use super::writer::Writer;

impl Writer<'_> {
    /// `match a { b => c, }`
    pub fn matching(&mut self) -> Option<Shape> {
        self.pass("match")?;
        self.some(0);
        self.text("match ");
        self.scrutinee()?;
        let end = self.enter("{")?;
        self.text("{");
        self.stop(Break::NEVER);
        self.each(INDENT);
        self.begin_lines(end);
        while self.at < end {
            (!self.is("#")).then_some(())?;
            self.some(0);
            self.pattern()?;
            if self.passed("if") {
                self.text(" if ");
                self.expression(true)?;
            }
            self.pass("=>")?;
            self.text(" => ");
            self.body_of_arm()?;
            self.end();
            self.passed(",");
            self.hard();
        }
        self.outdent();
        self.leave(end)?;
        self.end();
        self.text("}");
        self.end();
        Some(Shape { is_block: true, is_call: true, ..Shape::default() })
    }

    /// What is asked of, and the space before the block.
    fn scrutinee(&mut self) -> Option<()> {
        self.each(0);
        let wraps = if self.passed("let") {
            self.some(0);
            self.text("let ");
            self.some(0);
            self.pattern()?;
            self.end();
            self.pass("=")?;
            self.text(" = ");
            self.stop(Break::NEVER);
            self.some(0);
            let shape = self.prefixed(false)?;
            self.end();
            self.end();
            shape.wraps
        } else {
            self.expression(false)?.wraps
        };
        self.is("{").then_some(())?;
        if wraps {
            self.stop(Break::SPACE);
        } else {
            self.text(" ");
        }
        self.end();
        Some(())
    }

    /// `if a { b } else { c }`
    pub fn condition(&mut self) -> Option<Shape> {
        self.pass("if")?;
        self.each(INDENT);
        self.text("if ");
        self.each(-INDENT);
        self.scrutinee()?;
        self.end();
        let end = self.words.get(self.at)?.end;
        if self.words.get(end + 1).is_some_and(|word| word.text == "else") {
            self.small_block()?;
            self.alternatives()?;
        } else {
            self.enter("{")?;
            self.text("{");
            self.statements(end)?;
            self.text("}");
        }
        self.end();
        Some(Shape { is_block: true, is_if: true, ..Shape::default() })
    }

    fn alternatives(&mut self) -> Option<()> {
        while self.passed("else") {
            self.text(" else ");
            if self.passed("if") {
                self.text("if ");
                self.each(-INDENT);
                self.scrutinee()?;
                self.end();
            }
            self.small_block()?;
        }
        Some(())
    }
}
