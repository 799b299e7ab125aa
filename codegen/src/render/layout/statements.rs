//! Blocks and what stands in them.

use super::lexer::Kind;
use super::page::{Break, INDENT};
use super::writer::Writer;

impl Writer<'_> {
    /// `{ … }` of a function or a group of its own, each statement in a line: behind the bracket up to the closing
    /// one, which is passed over but not written.
    pub fn statements(&mut self, end: usize) -> Option<()> {
        self.begin_lines(end);
        while self.at < end {
            self.statement(end)?;
            if self.at == end {
                self.outdent();
            }
        }
        self.leave(end)
    }

    /// The break behind an opening brace. Braces with nothing in them stay together, but the width of what is before
    /// them ends here all the same.
    pub fn begin_lines(&mut self, end: usize) {
        self.stop(if self.at < end { Break::HARD } else { Break::NEVER });
    }

    fn statement(&mut self, end: usize) -> Option<()> {
        if self.is("let") {
            return self.binding();
        }
        let is_item = matches!(
            self.peek(0),
            "#" | ";" | "use" | "const" | "static" | "fn" | "struct" | "enum" | "impl" | "type" | "mod" | "pub"
        );
        (!is_item).then_some(())?;
        self.some(0);
        let shape = self.expression(true)?;
        self.begin_line(&shape);
        if self.passed(";") {
            (!shape.is_if).then_some(())?;
            self.text(";");
        } else if self.at == end {
            if shape.leaves {
                self.text(";");
            }
        } else {
            shape.is_block.then_some(())?;
        }
        self.end();
        self.hard();
        Some(())
    }

    /// ` = value`, where there is one.
    pub fn value_if_any(&mut self) -> Option<()> {
        if self.passed("=") {
            self.text(" = ");
            self.stop(Break::NEVER);
            self.expression(true)?;
        }
        Some(())
    }

    /// `let a: T = b;`
    fn binding(&mut self) -> Option<()> {
        self.pass("let")?;
        self.some(0);
        self.text("let ");
        self.pattern()?;
        if self.passed(":") {
            self.text(": ");
            self.ty()?;
        }
        self.value_if_any()?;
        self.pass(";")?;
        self.end();
        self.text(";");
        self.hard();
        Some(())
    }

    /// A block that can be in one line: within a group, from the bracket on.
    pub fn small_block(&mut self) -> Option<()> {
        let end = self.enter("{")?;
        self.text("{");
        if self.at < end {
            self.stop(Break::SPACE);
            if !self.alone(end)? {
                while self.at < end {
                    self.statement(end)?;
                }
            }
            self.outdent();
        }
        self.leave(end)?;
        self.text("}");
        Some(())
    }

    /// The expression that a block consists of; false, and nothing is written, if it has statements.
    fn alone(&mut self, end: usize) -> Option<bool> {
        if self.has_statements(end) {
            return Some(false);
        }
        let (at, written) = (self.at, self.pieces.len());
        self.some(0);
        let shape = self.expression(true)?;
        if self.at == end {
            self.begin_line(&shape);
            self.end();
            self.stop(Break::SPACE);
            return Some(true);
        }
        self.at = at;
        self.pieces.truncate(written);
        Some(false)
    }

    /// Whether there is a semicolon in a block itself.
    fn has_statements(&self, end: usize) -> bool {
        let mut at = self.at;
        while let Some(word) = self.words.get(at).filter(|_| at < end) {
            match (word.kind, word.text) {
                (Kind::Open, _) => at = word.end,
                (Kind::Sign, ";") => return true,
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// The body of an arm of a `match`.
    pub fn body_of_arm(&mut self) -> Option<()> {
        if self.is("{") && self.kind()? == Kind::Open {
            let end = self.enter("{")?;
            let (at, written) = (self.at, self.pieces.len());
            if at < end && !self.has_statements(end) {
                // A block of one expression is that expression.
                self.body_of_arm()?;
                if self.at == end {
                    return self.leave(end);
                }
                self.at = at;
                self.pieces.truncate(written);
            }
            self.text("{");
            self.stop(Break::NEVER);
            self.each(INDENT);
            self.statements(end)?;
            self.end();
            self.text("}");
            return Some(());
        }
        self.stop(Break::NEVER);
        self.each(INDENT);
        self.stop(Break { before: "{", ..Break::ZERO });
        let shape = self.expression(true)?;
        self.begin_line(&shape);
        // `()` is written as an empty block.
        (!shape.is_unit).then_some(())?;
        let (semicolon, comma) = (shape.leaves, !shape.is_block);
        self.stop(Break {
            offset: -INDENT,
            before: if semicolon { ";" } else { "" },
            after: "}",
            otherwise: if comma { "," } else { "" },
            ..Break::ZERO
        });
        self.end();
        Some(())
    }
}
