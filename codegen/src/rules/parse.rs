//! Parser of conditions: from texts to syntax trees with spans.
//!
//! Recursive descent over the grammar of CEL, which covers more than conditions support: map and message literals are
//! parsed, so that `check` can report them by name. Recursion is bounded by the brackets and conditionals that
//! `tokens` accepts, and the height of a tree by [`MAX_HEIGHT`].

use std::ops::Range;

mod operands;

use super::ConditionError;
use super::foreign_syntax;
use super::literal;
use super::tokens;
use super::tree::{Node, NodeKind, Operator};
use crate::diagnostics::Code;
use crate::model::condition::{Arithmetic, Comparison};

/// Maximum height of a tree, so that later stages can recurse over it.
const MAX_HEIGHT: usize = 64;

/// Parses a condition.
pub fn condition(text: &str) -> Result<Node, ConditionError> {
    let words = tokens::split(text)?;
    if words.is_empty() {
        return Err(ConditionError::new(Code::CelSyntax, 0..text.len(), "empty condition"));
    }
    let mut parser = Parser { text, words, next: 0 };
    let whole = parser.expression()?;
    if parser.next < parser.words.len() {
        return Err(parser.unexpected());
    }
    Ok(whole.node)
}

/// Subtree with facts that its parents need.
struct Subtree {
    node: Node,
    /// Height of the subtree.
    height: usize,
    /// Range in the text, including parentheses.
    extent: Range<usize>,
}

/// Creates a node with children.
fn node(kind: NodeKind, extent: Range<usize>, below: usize) -> Result<Subtree, ConditionError> {
    let height = below + 1;
    if height > MAX_HEIGHT {
        return Err(too_deep(extent));
    }
    Ok(Subtree { node: Node { kind, at: extent.clone() }, height, extent })
}

/// Creates a node without children.
fn leaf(kind: NodeKind, at: Range<usize>) -> Subtree {
    Subtree { node: Node { kind, at: at.clone() }, height: 0, extent: at }
}

/// Creates the node of an operator; fails if the tree becomes too high.
fn operator(operator: Operator, extent: Range<usize>, operands: Vec<Subtree>) -> Result<Subtree, ConditionError> {
    let height = tallest(&operands);
    node(NodeKind::Operator(operator, nodes(operands)), extent, height)
}

/// Returns the maximum height of subtrees, 0 if there are none.
fn tallest(parts: &[Subtree]) -> usize {
    parts.iter().map(|part| part.height).max().unwrap_or(0)
}

/// Returns the nodes of subtrees, without their extents.
fn nodes(parts: Vec<Subtree>) -> Vec<Node> {
    parts.into_iter().map(|part| part.node).collect()
}

fn too_deep(at: Range<usize>) -> ConditionError {
    ConditionError::new(Code::CelTooLarge, at, "the condition is nested too deeply").help("split it into several rules")
}

/// Returns the operator of a relation (`==`, `<`, `in`); `None` for other tokens.
fn relation(sign: &str) -> Option<Operator> {
    Some(match sign {
        "==" => Operator::Equal,
        "!=" => Operator::NotEqual,
        "<" => Operator::Compare(Comparison::Less),
        "<=" => Operator::Compare(Comparison::LessOrEqual),
        ">" => Operator::Compare(Comparison::Greater),
        ">=" => Operator::Compare(Comparison::GreaterOrEqual),
        "in" => Operator::In,
        _ => return None,
    })
}

/// Returns the operator between the terms of a sum; `None` for other tokens.
fn term(sign: &str) -> Option<Operator> {
    Some(Operator::Arithmetic(match sign {
        "+" => Arithmetic::Add,
        "-" => Arithmetic::Subtract,
        _ => return None,
    }))
}

/// Returns the operator between the factors of a product; `None` for other tokens.
fn factor(sign: &str) -> Option<Operator> {
    Some(Operator::Arithmetic(match sign {
        "*" => Arithmetic::Multiply,
        "/" => Arithmetic::Divide,
        "%" => Arithmetic::Remainder,
        _ => return None,
    }))
}

/// Parser method for a rule of the grammar.
type Rule<'t> = fn(&mut Parser<'t>) -> Result<Subtree, ConditionError>;

/// Recursive-descent parser over the tokens of a condition.
struct Parser<'t> {
    text: &'t str,
    /// Range of each token.
    words: Vec<Range<usize>>,
    /// Index of the next token.
    next: usize,
}

impl<'t> Parser<'t> {
    /// Returns the token at a distance from the next one; empty after the last.
    fn peek(&self, distance: usize) -> &'t str {
        let text = self.text;
        self.words.get(self.next + distance).map_or("", |at| &text[at.clone()])
    }

    /// Returns the range of the next token.
    fn next_range(&self) -> Range<usize> {
        self.words.get(self.next).cloned().unwrap_or(self.text.len()..self.text.len())
    }

    /// Consumes the next token.
    fn advance(&mut self) -> Range<usize> {
        let at = self.next_range();
        self.next += 1;
        at
    }

    /// Consumes the next token if it is the given one; returns whether it was.
    fn eat(&mut self, word: &str) -> bool {
        let found = self.peek(0) == word;
        self.next += usize::from(found);
        found
    }

    /// Consumes the next token, which must be the given one, and returns its range.
    fn require(&mut self, word: &str) -> Result<Range<usize>, ConditionError> {
        if self.peek(0) == word { Ok(self.advance()) } else { Err(self.unexpected()) }
    }

    /// Returns the error of an unexpected next token, with help for operators of other languages.
    fn unexpected(&self) -> ConditionError {
        let message = match self.peek(0) {
            "" => "unexpected end of the condition".to_owned(),
            found => format!("unexpected `{found}`"),
        };
        let error = ConditionError::new(Code::CelSyntax, self.next_range(), message);
        let before = self.next.checked_sub(1).and_then(|at| self.words.get(at)).map_or("", |at| &self.text[at.clone()]);
        if self.peek(0) == "not" && self.peek(1) == "in" {
            return error.help("write `!(element in […])`");
        }
        match foreign_syntax::operator_replacement(self.peek(0))
            .or_else(|| foreign_syntax::operator_replacement(before).filter(|_| before == "not"))
        {
            Some(help) => error.help(help),
            None => error,
        }
    }

    /// Parses `a ? b : c`, which nests to the right only.
    fn expression(&mut self) -> Result<Subtree, ConditionError> {
        let condition = self.disjunction()?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let is_chained = self.peek(0) == "." && self.text[..self.next_range().start].ends_with('?');
        let then = self.disjunction()?;
        if is_chained && self.peek(0) != ":" {
            return Err(operands::optional(&(condition.extent.end..condition.extent.end + 1), "`?.`"));
        }
        self.require(":")?;
        let otherwise = self.expression()?;
        let extent = condition.extent.start..otherwise.extent.end;
        operator(Operator::Conditional, extent, vec![condition, then, otherwise])
    }

    /// Parses `a || b`.
    fn disjunction(&mut self) -> Result<Subtree, ConditionError> {
        self.chain(Operator::Or, "||", Self::conjunction)
    }

    /// Parses `a && b`.
    fn conjunction(&mut self) -> Result<Subtree, ConditionError> {
        self.chain(Operator::And, "&&", Self::comparison)
    }

    /// Parses `==`, `!=`, `<`, `<=`, `>`, `>=` and `in`.
    fn comparison(&mut self) -> Result<Subtree, ConditionError> {
        self.left(relation, Self::sum)
    }

    /// Parses `a + b` and `a - b`.
    fn sum(&mut self) -> Result<Subtree, ConditionError> {
        self.left(term, Self::product)
    }

    /// Parses `a * b`, `a / b` and `a % b`.
    fn product(&mut self) -> Result<Subtree, ConditionError> {
        self.left(factor, Self::unary)
    }

    /// Parses a logical operator with any number of operands, which become one node.
    fn chain(&mut self, sign: Operator, word: &str, operand: Rule<'t>) -> Result<Subtree, ConditionError> {
        let first = operand(self)?;
        if self.peek(0) != word {
            return Ok(first);
        }
        let start = first.extent.start;
        let mut operands = vec![first];
        let mut end = start;
        while self.eat(word) {
            let next = operand(self)?;
            end = next.extent.end;
            operands.push(next);
        }
        operator(sign, start..end, operands)
    }

    /// Parses left-associative operators of one precedence.
    fn left(&mut self, sign: fn(&str) -> Option<Operator>, operand: Rule<'t>) -> Result<Subtree, ConditionError> {
        let mut left = operand(self)?;
        while let Some(found) = sign(self.peek(0)) {
            self.next += 1;
            let right = operand(self)?;
            left = operator(found, left.extent.start..right.extent.end, vec![left, right])?;
        }
        Ok(left)
    }

    /// Parses `!!x` or `--x`. The sign directly before a number belongs to the number.
    fn unary(&mut self) -> Result<Subtree, ConditionError> {
        let (word, sign) = match self.peek(0) {
            "-" => ("-", Operator::Negate),
            _ => ("!", Operator::Not),
        };
        let mut signs = Vec::new();
        while self.peek(0) == word && !self.is_negative_number() {
            signs.push(self.advance().start);
        }
        let mut part = self.member()?;
        while let Some(start) = signs.pop() {
            part = operator(sign, start..part.extent.end, vec![part])?;
        }
        Ok(part)
    }

    fn is_negative_number(&self) -> bool {
        self.peek(0) == "-" && literal::is_number(self.peek(1))
    }
}
