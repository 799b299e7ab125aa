//! Parser of selections.

use std::borrow::Cow;

use super::error::{SelectionError, SelectionErrorKind as Kind};
use super::tree::{Tree, WILDCARD};
use super::{MAX_DEPTH, MAX_SELECTION_LENGTH};

/// Parses a text of at most [`MAX_SELECTION_LENGTH`] bytes. The tree is not normalized: it contains all names of the
/// text.
pub fn parse(text: &str) -> Result<Tree, SelectionError> {
    if text.len() > MAX_SELECTION_LENGTH {
        return Err(SelectionError::new(MAX_SELECTION_LENGTH, Kind::TooLong));
    }
    parse_any_length(text)
}

/// Parses a text of any length.
pub fn parse_any_length(text: &str) -> Result<Tree, SelectionError> {
    let mut parser = Parser { text: text.trim_ascii_end(), at: text.len() - text.trim_ascii_start().len() };
    let mut tree = Tree::default();
    parser.parse_list(&mut tree, 1, None)?;
    Ok(tree)
}

/// Parser at a byte offset in the text of a selection.
struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl Parser<'_> {
    /// Returns the next character without consuming it.
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    /// Consumes `wanted` if it is the next character, and returns whether it was.
    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    /// Parses paths separated by commas, up to the end or to the parenthesis that closes the one at `open`.
    fn parse_list(&mut self, tree: &mut Tree, depth: usize, open: Option<usize>) -> Result<(), SelectionError> {
        loop {
            self.parse_path(tree, depth)?;
            if self.eat(',') {
                continue;
            }
            return match (self.peek(), open) {
                (None, None) => Ok(()),
                (Some(')'), Some(_)) => {
                    self.at += 1;
                    Ok(())
                }
                (None, Some(open)) => Err(SelectionError::new(open, Kind::Unbalanced)),
                (Some(')'), None) => Err(SelectionError::new(self.at, Kind::Unbalanced)),
                (Some(other), _) => Err(SelectionError::new(self.at, Kind::Unexpected(other))),
            };
        }
    }

    /// Parses a path: `a`, `a/b`, `a(b,c)` or `a/b(c,d)`.
    fn parse_path(&mut self, tree: &mut Tree, mut depth: usize) -> Result<(), SelectionError> {
        let mut tree = tree;
        loop {
            if depth > MAX_DEPTH {
                return Err(SelectionError::new(self.at, Kind::TooDeep));
            }
            let position = self.at;
            let name = self.parse_name()?;
            tree = tree.field(name, position);
            depth += 1;
            let after = self.at;
            if self.eat('/') {
                continue;
            }
            if self.eat('(') {
                return self.parse_list(tree, depth, Some(after));
            }
            tree.is_whole = true;
            return Ok(());
        }
    }

    /// Parses a name. It may be the key of a map, so all characters except separators, spaces and controls are allowed.
    fn parse_name(&mut self) -> Result<Cow<'static, str>, SelectionError> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = rest.find(['/', ',', '(', ')']).unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default();
        if name.is_empty() {
            return Err(SelectionError::new(self.at, Kind::MissingName));
        }
        let foreign = |c: char| c.is_control() || c.is_whitespace() || (c == '*' && name != WILDCARD);
        if let Some((offset, found)) = name.char_indices().find(|(_, c)| foreign(*c)) {
            return Err(SelectionError::new(self.at + offset, Kind::Unexpected(found)));
        }
        self.at += end;
        Ok(if name == WILDCARD { Cow::Borrowed(WILDCARD) } else { Cow::Owned(name.to_owned()) })
    }
}
