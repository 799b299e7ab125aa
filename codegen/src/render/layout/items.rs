//! Items.

use super::lexer::Kind;
use super::page::{Break, INDENT};
use super::writer::Writer;

impl Writer<'_> {
    /// An item with what is before it.
    pub fn item(&mut self) -> Option<()> {
        self.attributes()?;
        let visible = self.at;
        let keyword = self.after_visibility();
        match keyword {
            "struct" => self.structure(),
            "enum" => self.enumeration(),
            "impl" if visible == self.at => self.implementation(),
            "trait" => self.contract(),
            "static" => self.value("static"),
            "const" if self.is_function() => self.function(),
            "const" => self.value("const"),
            "fn" | "async" => self.function(),
            "mod" => self.module(),
            "use" => self.import(),
            "type" => self.associated_type(),
            _ => self.invocation(),
        }
    }

    /// The word behind `pub` or `pub(…)`.
    pub fn after_visibility(&self) -> &str {
        match (self.peek(0), self.peek(1)) {
            ("pub", "(") => {
                let end = self.words.get(self.at + 1).map_or(0, |word| word.end);
                self.words.get(end + 1).map_or("", |word| word.text)
            }
            ("pub", keyword) => keyword,
            (keyword, _) => keyword,
        }
    }

    /// Whether the item is a function that is known when it is compiled.
    pub fn is_function(&self) -> bool {
        let words = self.words.get(self.at..).unwrap_or_default();
        let keyword = words.iter().position(|word| word.text == "const").unwrap_or_default();
        words.get(keyword + 1).is_some_and(|word| matches!(word.text, "fn" | "async"))
    }

    pub fn visibility(&mut self) -> Option<()> {
        if !self.passed("pub") {
            return Some(());
        }
        // A tuple can be public as well.
        if self.is("(") && matches!(self.peek(1), "crate" | "super" | "self") && self.peek(2) == ")" {
            let end = self.enter("(")?;
            self.text("pub(");
            self.take()?;
            self.leave(end)?;
            self.text(") ");
        } else {
            (!(self.is("(") && self.peek(1) == "in")).then_some(())?;
            self.text("pub ");
        }
        Some(())
    }

    /// `pub struct Name { … }`, `pub struct Name(…);` or `pub struct Name;`
    fn structure(&mut self) -> Option<()> {
        self.each(INDENT);
        self.visibility()?;
        self.pass("struct")?;
        self.text("struct ");
        self.name()?;
        self.generics()?;
        match self.peek(0) {
            "{" => {
                self.text(" ");
                self.in_lines(Self::field)?;
            }
            "(" => {
                self.fields_of_tuple()?;
                self.pass(";")?;
                self.text(";");
                self.end();
            }
            _ => {
                self.pass(";")?;
                self.text(";");
                self.end();
            }
        }
        self.hard();
        Some(())
    }

    /// `(…)` of a struct or a variant, within a group.
    fn fields_of_tuple(&mut self) -> Option<()> {
        let end = self.enter("(")?;
        self.text("(");
        (self.at < end).then_some(())?;
        self.list(end, Self::field)?;
        self.text(")");
        Some(())
    }

    /// `{ … }` with an entry a line and a comma behind each, and the end of the group before it.
    fn in_lines(&mut self, each: impl Fn(&mut Self) -> Option<()>) -> Option<()> {
        let end = self.enter("{")?;
        self.text("{");
        self.begin_lines(end);
        while self.at < end {
            each(self)?;
            (self.passed(",") || self.at == end).then_some(())?;
            self.text(",");
            self.hard();
            if self.at == end {
                self.outdent();
            }
        }
        self.leave(end)?;
        self.end();
        self.text("}");
        Some(())
    }

    fn field(&mut self) -> Option<()> {
        self.attributes()?;
        self.visibility()?;
        if self.kind()? == Kind::Name && self.peek(1) == ":" {
            self.take()?;
            self.pass(":")?;
            self.text(": ");
        }
        self.ty()
    }

    fn enumeration(&mut self) -> Option<()> {
        self.each(INDENT);
        self.visibility()?;
        self.pass("enum")?;
        self.text("enum ");
        self.name()?;
        self.generics()?;
        self.text(" ");
        self.in_lines(Self::variant)?;
        self.hard();
        Some(())
    }

    fn variant(&mut self) -> Option<()> {
        self.attributes()?;
        self.name()?;
        match self.peek(0) {
            "(" => {
                self.each(INDENT);
                self.fields_of_tuple()?;
                self.end();
            }
            "{" => return None,
            _ => {}
        }
        if self.passed("=") {
            self.text(" = ");
            self.expression(true)?;
        }
        Some(())
    }

    /// `impl Trait for Name { … }`
    fn implementation(&mut self) -> Option<()> {
        self.each(INDENT);
        self.some(-INDENT);
        self.each(INDENT);
        self.pass("impl")?;
        self.text("impl");
        self.generics()?;
        self.end();
        self.text(" ");
        (!matches!(self.peek(0), "!" | "?" | "const")).then_some(())?;
        self.ty()?;
        if self.passed("for") {
            self.stop(Break::SPACE);
            self.text("for ");
            self.ty()?;
        }
        self.end();
        self.text(" ");
        self.members()
    }

    fn contract(&mut self) -> Option<()> {
        self.each(INDENT);
        self.visibility()?;
        self.pass("trait")?;
        self.text("trait ");
        self.name()?;
        self.generics()?;
        if self.passed(":") {
            self.text(": ");
            self.bounds(false)?;
        }
        self.text(" ");
        self.members()
    }

    /// `const NAME: T = value;`, and the same for a static.
    pub fn value(&mut self, keyword: &'static str) -> Option<()> {
        self.each(0);
        self.visibility()?;
        self.pass(keyword)?;
        self.text(keyword);
        self.text(" ");
        self.name()?;
        self.pass(":")?;
        self.text(": ");
        self.ty()?;
        self.value_if_any()?;
        self.pass(";")?;
        self.text(";");
        self.end();
        self.hard();
        Some(())
    }

    /// `pub mod name;`
    fn module(&mut self) -> Option<()> {
        self.each(INDENT);
        self.visibility()?;
        self.pass("mod")?;
        self.text("mod ");
        self.name()?;
        self.pass(";")?;
        self.text(";");
        self.end();
        self.hard();
        Some(())
    }
}
