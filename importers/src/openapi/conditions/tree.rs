//! Conditions, and their texts in CEL and in words.

use std::collections::HashSet;

/// Condition across the members of an object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Always true, or always false.
    Known(bool),
    /// Member is present.
    Has(String),
    /// Comparison of a member with a literal of CEL: `["kind", "==", "'book'"]`.
    Compare(String, &'static str, String),
    /// Both are true, or all.
    All(Vec<Condition>),
    /// One or more are true.
    Any(Vec<Condition>),
    /// Exactly one is true.
    One(Vec<Condition>),
    /// Is false.
    Not(Box<Condition>),
    /// Second one is true if the first one is.
    If(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// Returns whether all conditions are true.
    pub fn all(parts: Vec<Self>) -> Self {
        if parts.contains(&Self::Known(false)) {
            return Self::Known(false);
        }
        let parts = parts.into_iter().filter(|one| *one != Self::Known(true));
        combine(parts, true, Self::All, |one| match one {
            Self::All(inner) => Ok(inner),
            other => Err(other),
        })
    }

    /// Returns whether at least one condition is true.
    pub fn any(parts: Vec<Self>) -> Self {
        if parts.contains(&Self::Known(true)) {
            return Self::Known(true);
        }
        let parts = parts.into_iter().filter(|one| *one != Self::Known(false));
        combine(parts, false, Self::Any, |one| match one {
            Self::Any(inner) => Ok(inner),
            other => Err(other),
        })
    }

    /// Returns whether exactly one condition is true.
    pub fn one(parts: Vec<Self>) -> Self {
        let certain = parts.iter().filter(|one| **one == Self::Known(true)).count();
        let mut rest: Vec<Self> = parts.into_iter().filter(|one| !matches!(one, Self::Known(_))).collect();
        match (certain, rest.len()) {
            (0, 0) | (2.., _) => Self::Known(false),
            (0, 1) => rest.remove(0),
            (0, _) => Self::One(rest),
            (_, _) => Self::all(rest.into_iter().map(Self::not).collect()),
        }
    }

    /// Returns whether the condition is false.
    pub fn not(self) -> Self {
        match self {
            Self::Known(value) => Self::Known(!value),
            Self::Not(inner) => *inner,
            other => Self::Not(Box::new(other)),
        }
    }

    /// Returns whether a condition implies another one.
    pub fn implies(self, then: Self) -> Self {
        match (self, then) {
            (Self::Known(false), _) | (_, Self::Known(true)) => Self::Known(true),
            (Self::Known(true), then) => then,
            (condition, Self::Known(false)) => condition.not(),
            (condition, then) => Self::If(Box::new(condition), Box::new(then)),
        }
    }

    /// Returns the name of the member whose presence is all that the condition tests, in backticks.
    pub fn present(&self) -> Option<String> {
        if let Self::Has(name) = self { Some(quoted(name)) } else { None }
    }

    /// Returns the member that is missing where the condition is false, if it is certain.
    pub fn consequence(&self) -> Option<&str> {
        match self {
            Self::Has(name) => Some(name),
            Self::If(_, then) => then.consequence(),
            _ => None,
        }
    }

    /// Adds the members whose presence the condition tests.
    pub fn tested(&self, found: &mut HashSet<String>) {
        match self {
            Self::Has(name) => _ = found.insert(name.clone()),
            Self::Known(_) | Self::Compare(..) => {}
            Self::All(parts) | Self::Any(parts) | Self::One(parts) => {
                parts.iter().for_each(|part| part.tested(found));
            }
            Self::Not(inner) => inner.tested(found),
            Self::If(condition, then) => [condition, then].into_iter().for_each(|part| part.tested(found)),
        }
    }

    /// Returns the condition in CEL.
    pub fn to_cel(&self) -> String {
        match self {
            Self::Known(value) => value.to_string(),
            Self::Has(name) => format!("has(this.{name})"),
            Self::Compare(name, "==", literal) if literal == "true" => format!("this.{name}"),
            Self::Compare(name, "==", literal) if literal == "false" => format!("!this.{name}"),
            Self::Compare(name, operator, literal) => format!("this.{name} {operator} {literal}"),
            Self::All(parts) => join_cel(parts, " && "),
            Self::Any(parts) => join_cel(parts, " || "),
            Self::One(parts) => match parts.as_slice() {
                [one, other] => format!("{} != {}", one.operand(true), other.operand(true)),
                _ => format!("[{}].exists_one(holds, holds)", join_parts(parts, ", ", Self::to_cel)),
            },
            Self::Not(inner) => format!("!{}", inner.operand(true)),
            Self::If(condition, then) => {
                format!("{} || {}", condition.as_ref().clone().not().operand(false), then.operand(false))
            }
        }
    }

    /// Returns the condition as an operand, in parentheses if necessary.
    fn operand(&self, is_tight: bool) -> String {
        let text = self.to_cel();
        let is_closed = match self {
            Self::Known(_) | Self::Has(_) | Self::Not(_) => true,
            Self::Compare(_, _, literal) => !is_tight || literal == "true",
            Self::One(parts) => parts.len() > 2 || !is_tight,
            Self::All(_) | Self::Any(_) | Self::If(..) => false,
        };
        if is_closed { text } else { format!("({text})") }
    }

    /// Describes the condition in words.
    pub fn describe(&self) -> String {
        match self {
            Self::Known(value) => value.to_string(),
            Self::Has(name) => format!("{} is present", quoted(name)),
            Self::Compare(name, operator, literal) => {
                let words = match *operator {
                    "==" => "is",
                    ">" => "is greater than",
                    "<" => "is less than",
                    ">=" => "is at least",
                    _ => "is at most",
                };
                format!("{} {words} `{}`", quoted(name), value(literal))
            }
            Self::All(parts) => join_parts(parts, " and ", Self::describe),
            Self::Any(parts) => join_parts(parts, " or ", Self::describe),
            Self::One(parts) => format!("exactly one holds: {}", join_parts(parts, ", or ", Self::describe)),
            Self::Not(inner) => match &**inner {
                Self::Has(name) => format!("{} is absent", quoted(name)),
                Self::Compare(name, "==", literal) => {
                    format!("{} is not `{}`", quoted(name), value(literal))
                }
                other => format!("it is not the case that {}", other.describe()),
            },
            Self::If(condition, then) => format!("{} if {}", then.describe(), condition.describe()),
        }
    }
}

/// Combines conditions into one, those of the same kind into the same list.
fn combine(
    parts: impl Iterator<Item = Condition>,
    neutral: bool,
    many: fn(Vec<Condition>) -> Condition,
    inner: impl Fn(Condition) -> Result<Vec<Condition>, Condition>,
) -> Condition {
    let (mut flat, mut known) = (Vec::new(), HashSet::new());
    for part in parts {
        let parts = inner(part).unwrap_or_else(|one| vec![one]);
        flat.extend(parts.into_iter().filter(|one| known.insert(one.clone())));
    }
    match flat.len() {
        0 => Condition::Known(neutral),
        1 => flat.remove(0),
        _ => many(flat),
    }
}

/// Returns a literal without quotes.
fn value(literal: &str) -> &str {
    literal.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')).unwrap_or(literal)
}

/// Returns a name in backticks.
fn quoted(name: &str) -> String {
    format!("`{name}`")
}

/// Joins texts as in a sentence: `a`, `b` and `c`.
pub fn join(texts: &[String], word: &str) -> String {
    match texts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// Joins the texts of conditions.
fn join_parts(parts: &[Condition], between: &str, text: fn(&Condition) -> String) -> String {
    parts.iter().map(text).collect::<Vec<_>>().join(between)
}

/// Joins conditions with an operator.
fn join_cel(parts: &[Condition], operator: &str) -> String {
    join_parts(parts, operator, |part| part.operand(false))
}
