//! Typed expressions.

use super::{CelType, Function};
use crate::model::EnumId;
use crate::patterns::Matcher;

/// An expression and what it evaluates to.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: CelType,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A value that is written out.
    Literal(Literal),
    /// A list that is written out.
    List(Vec<Expr>),
    /// What a condition starts from.
    Root(Root),
    /// The variable of a loop.
    Variable(Variable),
    /// A member of a resource or of a patch.
    Member {
        /// The resource.
        of: Box<Expr>,
        /// The field, by index.
        field: usize,
        /// How it is read.
        read: Read,
    },
    /// A parameter of the operation, by index.
    Parameter(usize, Read),
    /// Whether a member or a parameter, and what it is in, is there.
    Has(Box<Expr>),
    /// The opposite.
    Not(Box<Expr>),
    /// Whether all hold.
    And(Vec<Expr>),
    /// Whether one holds.
    Or(Vec<Expr>),
    /// One value or the other.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Whether two values, of one type but for enums and texts, are the same.
    Equal(Box<Expr>, Box<Expr>),
    /// Whether two values stand in that order.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// Whether a list has the element, or a map the key.
    In(Box<Expr>, Box<Expr>),
    /// Arithmetic, and the joining of texts.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// A number with the other sign.
    Negate(Box<Expr>),
    /// An element of a list, or the value of a key.
    Index(Box<Expr>, Box<Expr>),
    /// A function.
    Call(Function, Box<Expr>, Vec<Expr>),
    /// Whether a text has what a pattern describes.
    Matches(Box<Expr>, Matcher),
    /// Something about the elements of a list, or the keys of a map.
    Loop(Box<Loop>),
}

/// How a member is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// It is always there: a list, a map, or a required parameter.
    Plain,
    /// `has()` has said that it is there.
    Narrowed,
    /// Its default stands for it where it is absent.
    Default,
    /// It is required; where it is absent all the same, the condition has no value.
    Required,
    /// Only its presence is asked for.
    Presence,
}

/// A value that is written out.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A floating-point number; finite.
    Double(f64),
    /// Text.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// `null`.
    Null,
    /// A value of an enum, by its index.
    Enum(EnumId, usize),
    /// A point in time, as text that is one.
    Timestamp(String),
    /// A date: year, month, day.
    Date(u16, u8, u8),
    /// A length of time: seconds and nanoseconds, of one sign.
    Duration(i64, i32),
}

/// What a condition starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root {
    /// The resource that a rule is about.
    This,
    /// What an operation is sent.
    Body,
    /// What is stored.
    Old,
    /// What comes of a merge patch: what is stored, with the patch applied.
    New,
}

/// The variable of a loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable {
    /// Its number within the condition.
    pub number: usize,
    /// Its name, for the reader's sake.
    pub name: String,
}

/// An order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// An arithmetic operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

/// A loop over a list or over the keys of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// What it asks for.
    pub kind: LoopKind,
    /// What it goes over.
    pub over: Expr,
    /// The element.
    pub variable: Variable,
    /// The condition on an element; of [`LoopKind::Map`] that under which it is taken.
    pub condition: Option<Expr>,
    /// What [`LoopKind::Map`] makes of an element.
    pub result: Option<Expr>,
}

/// What a loop asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// Whether the condition holds for all elements.
    All,
    /// Whether it holds for one of them.
    Exists,
    /// Whether it holds for exactly one.
    ExistsOne,
    /// The elements for which it holds.
    Filter,
    /// Something of each element.
    Map,
}

impl Expr {
    /// An expression of a type.
    #[must_use]
    pub fn new(kind: ExprKind, ty: CelType) -> Self {
        Self { kind, ty }
    }

    /// A boolean expression.
    #[must_use]
    pub fn bool(kind: ExprKind) -> Self {
        Self { kind, ty: CelType::Bool }
    }

    /// Shows every expression in it, itself first.
    pub fn walk<'e>(&'e self, see: &mut dyn FnMut(&'e Expr)) {
        see(self);
        for part in self.parts() {
            part.walk(see);
        }
    }

    /// The expressions that it is made of.
    #[must_use]
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Root(_) | ExprKind::Variable(_) | ExprKind::Parameter(..) => Vec::new(),
            ExprKind::List(items) | ExprKind::And(items) | ExprKind::Or(items) => items.iter().collect(),
            ExprKind::Call(_, first, rest) => std::iter::once(&**first).chain(rest).collect(),
            ExprKind::Member { of, .. } => vec![of],
            ExprKind::Has(one) | ExprKind::Not(one) | ExprKind::Negate(one) | ExprKind::Matches(one, _) => vec![one],
            ExprKind::If(a, b, c) => vec![a, b, c],
            ExprKind::Equal(a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::In(a, b)
            | ExprKind::Arithmetic(_, a, b)
            | ExprKind::Index(a, b) => vec![a, b],
            ExprKind::Loop(each) => std::iter::once(&each.over).chain(&each.condition).chain(&each.result).collect(),
        }
    }

    /// Whether a part of it, or itself, is as asked.
    #[must_use]
    pub fn any(&self, is: &dyn Fn(&Expr) -> bool) -> bool {
        is(self) || self.parts().into_iter().any(|part| part.any(is))
    }
}
