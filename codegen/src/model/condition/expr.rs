//! Typed expressions.

use super::{CelType, Function};
use crate::model::EnumId;
use crate::patterns::Matcher;

/// Expression with its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Kind.
    pub kind: ExprKind,
    /// Type.
    pub ty: CelType,
}

/// Kind of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// Literal.
    Literal(Literal),
    /// List literal.
    List(Vec<Expr>),
    /// Root variable.
    Root(Root),
    /// Loop variable.
    Variable(Variable),
    /// Field of a resource or of a patch.
    Member {
        /// Resource.
        of: Box<Expr>,
        /// Index of the field.
        field: usize,
        /// How the field is read.
        read: Read,
    },
    /// Parameter of the operation, by index.
    Parameter(usize, Read),
    /// Presence of a field or parameter, and of everything that contains it.
    Has(Box<Expr>),
    /// Negation.
    Not(Box<Expr>),
    /// Conjunction.
    And(Vec<Expr>),
    /// Disjunction.
    Or(Vec<Expr>),
    /// Conditional expression: condition, then, else.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Equality of two values of one type; an enum may be compared with a text.
    Equal(Box<Expr>, Box<Expr>),
    /// Comparison of order.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// Membership of an element in a list, or of a key in a map.
    In(Box<Expr>, Box<Expr>),
    /// Arithmetic, and concatenation of texts.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// Negative of a number.
    Negate(Box<Expr>),
    /// Element of a list, or value of a key.
    Index(Box<Expr>, Box<Expr>),
    /// Function call.
    Call(Function, Box<Expr>, Vec<Expr>),
    /// Match of a text with a pattern.
    Matches(Box<Expr>, Matcher),
    /// Macro over the elements of a list or the keys of a map.
    Loop(Box<Loop>),
}

/// How a field or parameter is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// Always present: a list, a map, or a required parameter.
    Plain,
    /// Known to be present because of `has()`.
    Narrowed,
    /// Replaced by its default if absent.
    Default,
    /// Required; if it is absent nevertheless, the condition has no value.
    Required,
    /// Read for its presence only.
    Presence,
}

/// Literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// Signed integer.
    Int(i64),
    /// Unsigned integer.
    Uint(u64),
    /// Finite floating-point number.
    Double(f64),
    /// Text.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// `null`.
    Null,
    /// Enum value, by its index.
    Enum(EnumId, usize),
    /// Timestamp, as valid text.
    Timestamp(String),
    /// Date: year, month, day.
    Date(u16, u8, u8),
    /// Duration: seconds and nanoseconds of the same sign.
    Duration(i64, i32),
}

/// Root variable of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root {
    /// Resource of a rule: `this`.
    This,
    /// Request body of the operation.
    Body,
    /// Stored resource.
    Old,
    /// Result of a merge patch: the stored resource with the patch applied.
    New,
}

/// Loop variable.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable {
    /// Number that is unique within the condition.
    pub number: usize,
    /// Name in the source, for readers.
    pub name: String,
}

/// Comparison operator.
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

impl Comparison {
    /// Returns the comparison that holds for exchanged operands: `>` for `<`.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }

    /// Returns the comparison that holds exactly if this one does not: `>=` for `<`.
    #[must_use]
    pub const fn negated(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }
}

/// Arithmetic operator.
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

/// Loop over a list or over the keys of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// Kind of the loop.
    pub kind: LoopKind,
    /// List or map that is iterated.
    pub over: Expr,
    /// Variable of the element.
    pub variable: Variable,
    /// Condition on an element; for [`LoopKind::Map`] the filter.
    pub condition: Option<Expr>,
    /// Result of [`LoopKind::Map`] for an element.
    pub result: Option<Expr>,
}

/// Kind of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopKind {
    /// True if the condition holds for all elements.
    All,
    /// True if it holds for at least one.
    Exists,
    /// True if it holds for exactly one.
    ExistsOne,
    /// List of the elements for which it holds.
    Filter,
    /// List of the results for each element.
    Map,
}

impl Expr {
    /// Creates an expression of a type.
    #[must_use]
    pub fn new(kind: ExprKind, ty: CelType) -> Self {
        Self { kind, ty }
    }

    /// Creates a boolean expression.
    #[must_use]
    pub fn bool(kind: ExprKind) -> Self {
        Self { kind, ty: CelType::Bool }
    }

    /// Calls a function with every subexpression, the expression itself first.
    pub fn walk<'e>(&'e self, see: &mut dyn FnMut(&'e Expr)) {
        see(self);
        for part in self.children() {
            part.walk(see);
        }
    }

    /// Returns the direct subexpressions.
    #[must_use]
    pub fn children(&self) -> Vec<&Expr> {
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

    /// Returns whether the expression or a subexpression satisfies a predicate.
    #[must_use]
    pub fn contains(&self, is: &dyn Fn(&Expr) -> bool) -> bool {
        is(self) || self.children().into_iter().any(|part| part.contains(is))
    }
}
