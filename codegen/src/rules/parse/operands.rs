//! Operands: names, literals, calls, lists, and their suffixes.

use std::ops::Range;

use super::{ConditionError, NodeKind, Operator, Parser, Subtree, leaf, literal, node, nodes, operator, tallest};
use crate::diagnostics::Code;
use crate::model::condition::Literal;

/// Words that CEL reserves; they can name fields only.
const RESERVED: &[&str] = &[
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "namespace",
    "package",
    "return",
    "var",
    "void",
    "while",
];

/// Keywords, which cannot name anything.
const KEYWORDS: &[&str] = &["false", "in", "null", "true"];

impl Parser<'_> {
    /// Parses an operand with its suffixes `.name`, `.name(…)` and `[…]`.
    pub(super) fn member(&mut self) -> Result<Subtree, ConditionError> {
        let mut part = self.primary()?;
        loop {
            part = match self.peek(0) {
                "." => self.select(part)?,
                "[" => self.index(part)?,
                "{" if is_qualified_name(&part) => self.message(&part)?,
                _ => return Ok(part),
            };
        }
    }

    /// Parses the suffix `.name` or `.name(…)` of an operand.
    fn select(&mut self, of: Subtree) -> Result<Subtree, ConditionError> {
        let dot = self.advance();
        self.refuse_optional(&dot)?;
        let name = self.peek(0);
        if !is_name(name) || KEYWORDS.contains(&name) {
            return Err(self.unexpected());
        }
        let name_at = self.advance();
        if self.peek(0) == "(" {
            return self.call(name, name_at, Some(of));
        }
        let (extent, height) = (of.extent.start..name_at.end, of.height);
        node(NodeKind::Member(Box::new(of.node), name.to_owned(), name_at), extent, height)
    }

    /// Parses the suffix `[index]` of an operand.
    fn index(&mut self, of: Subtree) -> Result<Subtree, ConditionError> {
        let open = self.advance();
        self.refuse_optional(&open)?;
        let index = self.expression()?;
        let end = self.require("]")?.end;
        operator(Operator::Index, of.extent.start..end, vec![of, index])
    }

    /// Parses the arguments of a call; the target of a method is the first one.
    fn call(&mut self, name: &str, name_at: Range<usize>, target: Option<Subtree>) -> Result<Subtree, ConditionError> {
        self.require("(")?;
        let start = target.as_ref().map_or(name_at.start, |target| target.extent.start);
        let receiver = target.is_some();
        let mut arguments = Vec::from_iter(target);
        if self.peek(0) != ")" {
            arguments.push(self.expression()?);
            while self.eat(",") {
                arguments.push(self.expression()?);
            }
        }
        let (end, height) = (self.require(")")?.end, tallest(&arguments));
        let kind = NodeKind::Call { name: name.to_owned(), name_at, receiver, arguments: nodes(arguments) };
        node(kind, start..end, height)
    }

    /// Parses an operand without suffixes: a literal, a name, a list, a map, or an expression in parentheses.
    fn primary(&mut self) -> Result<Subtree, ConditionError> {
        match self.peek(0) {
            "(" => self.parenthesized(),
            "[" => self.list(),
            "{" => self.map(),
            "-" if self.is_negative_number() => self.literal(2),
            "true" => Ok(leaf(NodeKind::Literal(Literal::Bool(true)), self.advance())),
            "false" => Ok(leaf(NodeKind::Literal(Literal::Bool(false)), self.advance())),
            "null" => Ok(leaf(NodeKind::Literal(Literal::Null), self.advance())),
            word if literal::is_number(word) || literal::is_text(word) => self.literal(1),
            word if word == "." || (is_name(word) && word != "in") => self.name(),
            _ => Err(self.unexpected()),
        }
    }

    /// Parses an expression in parentheses, which have no node of their own.
    fn parenthesized(&mut self) -> Result<Subtree, ConditionError> {
        let start = self.advance().start;
        let part = self.expression()?;
        if self.peek(0) == "," {
            return Err(self.unexpected().help("write the list in brackets: `x in ['one', 'other']`"));
        }
        let end = self.require(")")?.end;
        Ok(Subtree { extent: start..end, ..part })
    }

    /// Parses a literal that consists of a number of tokens.
    fn literal(&mut self, words: usize) -> Result<Subtree, ConditionError> {
        let start = self.next_range().start;
        let negative = words > 1;
        self.next += words - 1;
        let word = self.peek(0);
        let at = start..self.advance().end;
        let value = if literal::is_text(word) { Ok(literal::text(word)) } else { literal::number(word, negative) };
        match value {
            Ok(value) => Ok(leaf(NodeKind::Literal(value), at)),
            Err(reason) => {
                Err(ConditionError::new(Code::CelSyntax, at.clone(), format!("`{}` {reason}", &self.text[at])))
            }
        }
    }

    /// Parses a name, possibly with a leading dot, or a call.
    fn name(&mut self) -> Result<Subtree, ConditionError> {
        let start = self.next_range().start;
        let rooted = self.eat(".");
        let word = self.peek(0);
        if RESERVED.contains(&word) {
            return Err(ConditionError::new(
                Code::CelSyntax,
                self.next_range(),
                format!("`{word}` is a reserved word of CEL"),
            ));
        }
        if !is_name(word) || KEYWORDS.contains(&word) {
            return Err(self.unexpected());
        }
        let at = start..self.advance().end;
        let name = if rooted { format!(".{word}") } else { word.to_owned() };
        if self.peek(0) == "(" { self.call(&name, at, None) } else { Ok(leaf(NodeKind::Name(name), at)) }
    }

    /// Parses `[a, b]`; a trailing comma is permitted.
    fn list(&mut self) -> Result<Subtree, ConditionError> {
        let open = self.advance();
        let mut items = Vec::new();
        while self.peek(0) != "]" {
            self.refuse_optional(&open)?;
            items.push(self.expression()?);
            if !self.eat(",") {
                break;
            }
        }
        let (end, height) = (self.require("]")?.end, tallest(&items));
        node(NodeKind::List(nodes(items)), open.start..end, height)
    }

    /// Parses `{key: value}`, whose entries are dropped, because the checker rejects map literals.
    fn map(&mut self) -> Result<Subtree, ConditionError> {
        let open = self.advance();
        let mut parts = Vec::new();
        while self.peek(0) != "}" {
            self.refuse_optional(&open)?;
            parts.push(self.expression()?);
            self.require(":")?;
            parts.push(self.expression()?);
            if !self.eat(",") {
                break;
            }
        }
        node(NodeKind::Map, open.start..self.require("}")?.end, tallest(&parts))
    }

    /// Parses `Name{field: value}`.
    fn message(&mut self, name: &Subtree) -> Result<Subtree, ConditionError> {
        let values = self.map()?;
        node(NodeKind::Message, name.extent.start..values.extent.end, values.height)
    }

    fn refuse_optional(&self, at: &Range<usize>) -> Result<(), ConditionError> {
        if self.peek(0) != "?" {
            return Ok(());
        }
        Err(optional(at, "`.?`, `[?`"))
    }
}

/// Returns the error of optional syntax, which is not supported.
pub(super) fn optional(at: &Range<usize>, signs: &str) -> ConditionError {
    let message = format!("optional values ({signs}) are not supported");
    ConditionError::new(Code::CelUnsupported, at.clone(), message)
        .help("use `has()` to check whether a field is present")
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && !literal::is_text(word)
}

/// Returns whether a subtree is `a.b.c` without parentheses.
fn is_qualified_name(part: &Subtree) -> bool {
    let mut node = &part.node;
    while let NodeKind::Member(of, ..) = &node.kind {
        node = of;
    }
    part.extent == part.node.at && matches!(node.kind, NodeKind::Name(_))
}
