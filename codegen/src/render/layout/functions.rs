//! What is in implementations and traits, and functions outside of them.

use super::page::{Break, INDENT};
use super::writer::Writer;

impl Writer<'_> {
    /// `{ … }` with what is in an implementation or a trait, and the end of the group before it.
    pub fn members(&mut self) -> Option<()> {
        let end = self.enter("{")?;
        self.text("{");
        self.begin_lines(end);
        while self.at < end {
            self.attributes()?;
            match self.after_visibility() {
                "const" if self.is_function() => self.function()?,
                "const" => self.value("const")?,
                "fn" | "async" => self.function()?,
                "type" => self.associated_type()?,
                _ => self.invocation()?,
            }
            if self.at == end {
                self.outdent();
            }
        }
        self.leave(end)?;
        self.end();
        self.text("}");
        self.hard();
        Some(())
    }

    /// `type Name = T;` or `type Name: Bound;`
    pub fn associated_type(&mut self) -> Option<()> {
        self.each(INDENT);
        self.visibility()?;
        self.pass("type")?;
        self.text("type ");
        self.name()?;
        self.generics()?;
        if self.passed(":") {
            self.text(": ");
            self.bounds(true)?;
        }
        if self.passed("=") {
            self.text(" = ");
            self.stop(Break::NEVER);
            self.some(-INDENT);
            self.ty()?;
            self.end();
        }
        self.pass(";")?;
        self.text(";");
        self.end();
        self.hard();
        Some(())
    }

    /// A function, with its body where it has one.
    pub fn function(&mut self) -> Option<()> {
        self.each(INDENT);
        self.visibility()?;
        if self.passed("const") {
            self.text("const ");
        }
        if self.passed("async") {
            self.text("async ");
        }
        self.pass("fn")?;
        self.text("fn ");
        self.name()?;
        self.generics()?;
        self.parameters()?;
        self.each(-INDENT);
        self.answer()?;
        self.end();
        if self.passed(";") {
            self.text(";");
            self.end();
        } else {
            let end = self.enter("{")?;
            self.text(" ");
            self.text("{");
            self.statements(end)?;
            self.end();
            self.text("}");
        }
        self.hard();
        Some(())
    }

    fn parameters(&mut self) -> Option<()> {
        let end = self.enter("(")?;
        self.text("(");
        self.stop(Break::NEVER);
        if self.at < end {
            self.each(0);
            self.list(end, Self::parameter)?;
            self.end();
        } else {
            self.leave(end)?;
        }
        self.text(")");
        Some(())
    }

    /// `&mut self` or `name: T`
    fn parameter(&mut self) -> Option<()> {
        (!self.is("#")).then_some(())?;
        if self.is("&") {
            self.reference()?;
            self.is("self").then_some(())?;
            return self.take();
        }
        self.pattern()?;
        if self.passed(":") {
            self.text(": ");
            return self.ty();
        }
        Some(())
    }
}
