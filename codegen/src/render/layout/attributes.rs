//! Documentation and other attributes.

use super::lexer::Kind;
use super::page::{Break, INDENT};
use super::writer::Writer;

impl<'t> Writer<'t> {
    /// The attributes before an item or a member.
    pub fn attributes(&mut self) -> Option<()> {
        while self.passed("#") {
            let end = self.enter("[")?;
            if self.is("doc") && self.peek(1) == "=" {
                self.documentation()?;
            } else {
                self.attribute()?;
            }
            self.leave(end)?;
        }
        Some(())
    }

    /// `doc = " …"` as a comment.
    fn documentation(&mut self) -> Option<()> {
        self.at += 2;
        let word = self.words.get(self.at).filter(|word| word.kind == Kind::Text)?;
        self.at += 1;
        let doc = word.text.get(1..word.text.len() - 1)?.trim_end_matches(' ');
        // That would be the comment of something else.
        (!doc.starts_with('/')).then_some(())?;
        self.text("///");
        self.unescaped(doc)?;
        self.hard();
        Some(())
    }

    /// A text as it was before it was escaped; none where there is more than quotes and backslashes to it.
    fn unescaped(&mut self, text: &'t str) -> Option<()> {
        let mut rest = text;
        while let Some(at) = rest.find('\\') {
            let (before, escape) = rest.split_at(at);
            self.text(before);
            matches!(escape.as_bytes().get(1), Some(b'\\' | b'"' | b'\'')).then_some(())?;
            let end = escape.get(2..)?.find('\\').map_or(escape.len(), |at| at + 2);
            self.text(escape.get(1..end)?);
            rest = escape.get(end..)?;
        }
        self.text(rest);
        Some(())
    }

    /// `name`, `name = value` or `name(…)`
    fn attribute(&mut self) -> Option<()> {
        (!self.is("comment")).then_some(())?;
        self.text("#[");
        self.name()?;
        while self.is("::") {
            self.take()?;
            self.name()?;
        }
        if self.passed("=") {
            self.text(" = ");
            (self.kind()? == Kind::Text).then_some(())?;
            self.take()?;
        } else if self.is("(") {
            self.list_of_attribute()?;
        }
        self.text("]");
        self.stop(Break::SPACE);
        Some(())
    }

    /// Words and lists in parentheses.
    fn list_of_attribute(&mut self) -> Option<()> {
        let end = self.enter("(")?;
        self.text("(");
        self.each(INDENT);
        self.stop(Break::ZERO);
        let (mut after_word, mut has_comma) = (false, false);
        while self.at < end {
            has_comma = self.kind()? == Kind::Sign && self.is(",");
            after_word = self.in_attribute(end, after_word)?;
        }
        if !has_comma {
            self.stop(Break { offset: -INDENT, ..Break::ZERO });
        }
        self.leave(end)?;
        self.end();
        self.text(")");
        Some(())
    }

    /// One step within the parentheses that close at `end`; whether it was a word, which has a space before the next one.
    fn in_attribute(&mut self, end: usize, after_word: bool) -> Option<bool> {
        match (self.kind()?, self.peek(0)) {
            (Kind::Name | Kind::Text | Kind::Other, _) => {
                if after_word {
                    self.stop(Break::SPACE);
                }
                self.take()?;
                return Some(true);
            }
            (Kind::Sign, "=") => {
                after_word.then_some(())?;
                self.at += 1;
                self.text(" = ");
            }
            (Kind::Sign, "::") => self.take()?,
            (Kind::Sign, ",") => {
                self.at += 1;
                if self.at == end {
                    self.stop(Break::COMMA);
                } else {
                    self.text(",");
                    self.stop(Break::SPACE);
                }
            }
            (Kind::Open, "(") => self.list_of_attribute()?,
            _ => return None,
        }
        Some(false)
    }
}
