//! Parser of searches.

use std::iter::Peekable;
use std::vec::IntoIter;

use super::lex::{Token, tokens};
use super::terms::is_supported;
use super::{Expression, MAX_DEPTH, MAX_LENGTH, MAX_TERMS, NamedOperator, Query, QueryError, Term};

/// Parses a search.
///
/// # Errors
/// Returns an error if it is too long, has too many words, is nested too deeply, or has an unsupported condition.
pub fn parse(text: &str) -> Result<Query, QueryError> {
    let length = text.chars().count();
    if length > MAX_LENGTH {
        return Err(QueryError::TooLong(length));
    }
    let mut parser = Parser { tokens: tokens(text).into_iter().peekable(), terms: 0 };
    let mut all = Vec::new();
    while parser.tokens.peek().is_some() {
        all.extend(parser.sequence(None, 0)?);
        // Skips an unmatched closing bracket.
        parser.tokens.next();
    }
    Ok(Query(Expression::All(all)))
}

/// Returns a disjunction; empty brackets match everything.
fn any(some: Vec<Expression>) -> Expression {
    if some.is_empty() { Expression::All(some) } else { Expression::Any(some) }
}

/// Combines two alternatives, flattening nested ones.
fn either(before: Option<Expression>, next: Expression) -> Expression {
    match before {
        Some(Expression::Any(mut some)) => {
            some.push(next);
            Expression::Any(some)
        }
        Some(before) => Expression::Any(vec![before, next]),
        None => next,
    }
}

/// Parser of a search.
struct Parser {
    /// Remaining tokens.
    tokens: Peekable<IntoIter<Token>>,
    /// Number of terms so far.
    terms: usize,
}

impl Parser {
    /// Parses a sequence of terms up to a closing bracket or the end. `operator` is the one before the brackets.
    fn sequence(&mut self, operator: Option<NamedOperator>, depth: usize) -> Result<Vec<Expression>, QueryError> {
        let mut all: Vec<Expression> = Vec::new();
        let mut alternative = false;
        while let Some(token) = self.tokens.peek() {
            match token {
                Token::Close | Token::CloseBrace => break,
                Token::Or => {
                    self.tokens.next();
                    // An `OR` without a left side is ignored.
                    alternative = !all.is_empty();
                }
                Token::And => {
                    self.tokens.next();
                }
                _ => {
                    let next = self.item(operator, depth)?;
                    let before = if alternative { all.pop() } else { None };
                    all.push(either(before, next));
                    alternative = false;
                }
            }
        }
        Ok(all)
    }

    /// Parses a term, a negation or a group in brackets. `operator` is the one before it, which applies to all terms in
    /// it.
    fn item(&mut self, operator: Option<NamedOperator>, depth: usize) -> Result<Expression, QueryError> {
        if depth >= MAX_DEPTH {
            return Err(QueryError::TooDeep);
        }
        match self.tokens.next() {
            Some(Token::Minus) => self.negation(operator, depth),
            Some(Token::Operator(operator)) => self.item(Some(operator), depth + 1),
            Some(Token::Open) => self.group(operator, depth).map(Expression::All),
            Some(Token::OpenBrace) => self.group(operator, depth).map(any),
            Some(Token::Word(text) | Token::Phrase(text)) => self.term(operator, text),
            _ => Ok(Expression::All(Vec::new())),
        }
    }

    /// Parses what follows a minus sign, and negates it. `operator` applies to it, such as `from` in `from:(-ada)`. A
    /// minus sign before nothing matches everything.
    fn negation(&mut self, operator: Option<NamedOperator>, depth: usize) -> Result<Expression, QueryError> {
        match self.tokens.peek() {
            // A minus sign before nothing that can be negated.
            None | Some(Token::Close | Token::CloseBrace | Token::Or | Token::And) => Ok(Expression::All(Vec::new())),
            Some(_) => self.item(operator, depth + 1).map(|item| Expression::Not(Box::new(item))),
        }
    }

    /// Parses a group in brackets. A bracket of the other kind closes it as well.
    fn group(&mut self, operator: Option<NamedOperator>, depth: usize) -> Result<Vec<Expression>, QueryError> {
        let all = self.sequence(operator, depth + 1)?;
        self.tokens.next();
        Ok(all)
    }

    /// Returns a term; an error if there are too many.
    fn term(&mut self, operator: Option<NamedOperator>, text: String) -> Result<Expression, QueryError> {
        self.terms += 1;
        if self.terms > MAX_TERMS {
            return Err(QueryError::TooManyTerms);
        }
        let term = Term { operator, text };
        if !is_supported(&term) {
            let name = term.operator.map_or_else(String::new, |(_, name)| format!("{name}:"));
            return Err(QueryError::Unsupported(format!("{name}{}", term.text.escape_debug())));
        }
        Ok(Expression::Term(term))
    }
}
