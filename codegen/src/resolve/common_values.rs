//! Values of two variants of a union between which only the order of the schema decides, because neither variant says
//! more about them than the other.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::model::{Constraints, Encoding, Enum, Field, Lexical, Literal, Number, Range, Required, Resource, Type};
use crate::patterns::{self, Language};

/// Maximum number of values that are compared for two variants.
const MAX_PLACES: usize = 500;

/// Maximum number of elements of a list in a value.
const MAX_ITEMS: u64 = 8;

/// Maximum number of steps of the search for texts, of all unions in total.
const MAX_STEPS: usize = 32 << 20;

/// Type of a value in a variant, with its constraints.
#[derive(Clone, Copy)]
struct ConstrainedType<'t> {
    ty: &'t Type,
    constraints: &'t Constraints,
}

impl<'t> ConstrainedType<'t> {
    const fn new(ty: &'t Type, constraints: &'t Constraints) -> Self {
        Self { ty, constraints }
    }

    const fn of(field: &'t Field) -> Self {
        Self::new(&field.ty, &field.constraints)
    }
}

/// Definitions that types refer to.
pub struct CommonValues<'t> {
    resources: &'t [Resource],
    enums: &'t [Enum],
    /// Number of values that can still be compared.
    left: Cell<usize>,
    /// The texts that match each pattern; `None` for an invalid one.
    languages: RefCell<BTreeMap<String, Option<Language>>>,
    /// Number of steps of searches that are left.
    steps: Cell<usize>,
}

impl<'t> CommonValues<'t> {
    /// Creates the comparison of variants whose types refer to these definitions.
    pub fn new(resources: &'t [Resource], enums: &'t [Enum]) -> Self {
        Self { resources, enums, left: Cell::new(0), languages: RefCell::default(), steps: Cell::new(MAX_STEPS) }
    }

    /// Returns a value of both types of which neither says more than the other; `None` if there is none, or if none was
    /// found.
    pub fn find(&self, one: &Type, other: &Type) -> Option<Value> {
        let unlimited = Constraints::default();
        self.left.set(MAX_PLACES);
        self.common(ConstrainedType::new(one, &unlimited), ConstrainedType::new(other, &unlimited))
    }

    fn common(&self, one: ConstrainedType<'_>, other: ConstrainedType<'_>) -> Option<Value> {
        self.left.set(self.left.get().checked_sub(1)?);
        let constant = |of: ConstrainedType<'_>| of.constraints.constant.as_ref().map(|literal| self.json(literal));
        match (constant(one), constant(other)) {
            (Some(one), Some(other)) => return one.filter(|value| Some(value) == other.as_ref()),
            (None, None) => {}
            _ => return None,
        }
        match (one.ty.non_null(), other.ty.non_null()) {
            (Type::Bool, Type::Bool) => Some(json!(true)),
            (Type::Float | Type::Double | Type::Number, Type::Float | Type::Double | Type::Number) => {
                float(one.constraints, other.constraints)
            }
            (Type::String, Type::String) => self.text(one.constraints, other.constraints),
            (Type::Any, Type::Any) => Some(json!(true)),
            (Type::Object, Type::Object) => Some(json!({})),
            (Type::Enum(one), Type::Enum(other)) => self.listed(self.enums.get(one.0)?, self.enums.get(other.0)?),
            (Type::List(own), Type::List(its)) => {
                let count = count(one.constraints, other.constraints)?;
                let limits = [one, other].map(|of| of.constraints.for_elements());
                let [own, its] = [ConstrainedType::new(own, &limits[0]), ConstrainedType::new(its, &limits[1])];
                let element = || self.common(own, its);
                (0..count).map(|_| element()).collect::<Option<Vec<_>>>().map(Value::Array)
            }
            (Type::Map(_), Type::Map(_)) => (count(one.constraints, other.constraints)? == 0).then(|| json!({})),
            (Type::Resource(one), Type::Resource(other)) => {
                self.object(self.resources.get(one.0)?, self.resources.get(other.0)?)
            }
            (own, its) if own.integer_range().is_some() => {
                integer(ConstrainedType { ty: own, ..one }, ConstrainedType { ty: its, ..other })
            }
            (own, its) if own == its => Some(Value::from(sample(own)?)),
            // Both say more than a text does.
            (Type::String, its) => self.sample_of(its, one.constraints),
            (own, Type::String) => self.sample_of(own, other.constraints),
            _ => None,
        }
    }

    /// Returns an object with the fields that one of the resources requires, if both have them.
    fn object(&self, one: &Resource, other: &Resource) -> Option<Value> {
        if one.outcome.is_some() || other.outcome.is_some() {
            return None;
        }
        let mut members = Map::new();
        let is_required = |field: &&Field| field.behavior.required == Required::Everywhere;
        for (of, with) in [(one, other), (other, one)] {
            for field in of.named_fields().iter().filter(is_required) {
                let name = &field.name.wire;
                if members.contains_key(name) {
                    continue;
                }
                let its = with.named_fields().iter().find(|field| field.name.wire == *name)?;
                let value = self.common(ConstrainedType::of(field), ConstrainedType::of(its))?;
                members.insert(name.clone(), value);
            }
        }
        Some(Value::Object(members))
    }

    /// Returns a text that both allow, unless only one limits it.
    fn text(&self, one: &Constraints, other: &Constraints) -> Option<Value> {
        let is_limited = |of: &Constraints| of.length.is_some() || !of.patterns().is_empty();
        if is_limited(one) != is_limited(other) {
            return None;
        }
        let limits = [one, other].map(|of| of.length.unwrap_or(Range { min: None, max: None }));
        let min = limits.iter().filter_map(|range| range.min).max();
        let max = limits.iter().filter_map(|range| range.max).min();
        let patterns: Vec<&str> = [one, other].into_iter().flat_map(Constraints::patterns).collect();
        self.matching(&patterns, (min.unwrap_or(u64::from(max != Some(0))), max)).map(Value::from)
    }

    /// Returns a text in the format of a type that a limited text allows.
    fn sample_of(&self, ty: &Type, text: &Constraints) -> Option<Value> {
        let (sample, patterns) = (sample(ty)?, text.patterns());
        let exact: String =
            sample.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("\\{c}") }).collect();
        let all: Vec<&str> = patterns.iter().copied().chain([exact.as_str()]).collect();
        let length = text.length.unwrap_or(Range { min: None, max: None });
        (!patterns.is_empty()).then(|| self.matching(&all, (length.min.unwrap_or(0), length.max)))?.map(Value::from)
    }

    /// Returns a text that matches all patterns, each of which is compiled once for all comparisons.
    fn matching(&self, patterns: &[&str], length: (u64, Option<u64>)) -> Option<String> {
        let mut languages = self.languages.borrow_mut();
        for pattern in patterns.iter().filter(|pattern| !languages.contains_key(**pattern)).collect::<Vec<_>>() {
            languages.insert((*pattern).to_owned(), Language::parse(pattern).ok());
        }
        let all: Option<Vec<&Language>> = patterns.iter().map(|pattern| languages.get(*pattern)?.as_ref()).collect();
        let mut steps = self.steps.get();
        let text = patterns::common_text(&all?, length, &mut steps);
        self.steps.set(steps);
        text
    }

    /// Returns the first value that both enums list.
    fn listed(&self, one: &Enum, other: &Enum) -> Option<Value> {
        if one.wire_type != other.wire_type {
            return None;
        }
        let is_in = |name: &&String| other.values.iter().any(|value| value.name.wire == **name);
        let name = one.values.iter().map(|value| &value.name.wire).find(is_in)?;
        wire_json(one, name)
    }

    /// Returns the JSON of a literal.
    fn json(&self, literal: &Literal) -> Option<Value> {
        match literal {
            Literal::Bool(flag) => Some(json!(flag)),
            Literal::Number(Number::Int(value)) => i64::try_from(*value).ok().map(Value::from),
            Literal::Number(Number::Float(value)) => Some(json!(value)),
            Literal::Number(Number::Decimal(value)) => Some(json!(value.nearest())),
            Literal::Text(text) => Some(json!(text)),
            Literal::Json(value) => Some(value.clone()),
            Literal::Enum(id, index) => {
                let of = self.enums.get(id.0)?;
                wire_json(of, &of.values.get(*index)?.name.wire)
            }
        }
    }
}

/// Returns the JSON of an enum value.
fn wire_json(of: &Enum, wire: &str) -> Option<Value> {
    match of.wire_type {
        None => Some(json!(wire)),
        Some(_) => serde_json::from_str(wire).ok(),
    }
}

/// Returns the least number of elements that both allow, unless only one has a limit.
fn count(one: &Constraints, other: &Constraints) -> Option<u64> {
    let Some((one, other)) = one.items.zip(other.items) else {
        return (one.items.is_none() && other.items.is_none()).then_some(0);
    };
    let least = one.min.max(other.min).unwrap_or_default();
    let fits = [one.max, other.max].into_iter().flatten().all(|most| least <= most);
    (fits && least <= MAX_ITEMS).then_some(least)
}

/// Returns an integer that both allow, unless only one has bounds.
fn integer(own: ConstrainedType<'_>, its: ConstrainedType<'_>) -> Option<Value> {
    let (ty, one, other_ty, other) = (own.ty, own.constraints, its.ty, its.constraints);
    let is_bounded = |constraints: &Constraints| constraints.min.is_some() || constraints.max.is_some();
    if ty.is_decimal_string() != other_ty.is_decimal_string() || is_bounded(one) != is_bounded(other) {
        return None;
    }
    let (mut least, mut most) = ty.integer_range()?;
    for (ty, constraints) in [(ty, one), (other_ty, other)] {
        let (low, high) = ty.integer_range()?;
        let end = |end: Option<Number>, otherwise: i128| match end {
            Some(Number::Int(value)) => value,
            _ => otherwise,
        };
        least = least.max(low).max(end(constraints.min, low));
        most = most.min(high).min(end(constraints.max, high));
    }
    let step = |constraints: &Constraints| match constraints.multiple_of {
        Some(Number::Int(step)) if step > 1 => Some(step),
        _ => None,
    };
    let value = 1.clamp(least, most.max(least));
    let value = if step(one).is_some() || step(other).is_some() { least.max(0) } else { value };
    let fits = (least..=most).contains(&value)
        && [one, other].into_iter().filter_map(step).all(|step| value.checked_rem(step) == Some(0));
    let value = fits.then_some(value)?;
    if ty.is_decimal_string() { Some(json!(value.to_string())) } else { i64::try_from(value).ok().map(Value::from) }
}

/// Returns a number that both allow, unless only one has bounds.
fn float(one: &Constraints, other: &Constraints) -> Option<Value> {
    let is_bounded = |constraints: &Constraints| constraints.min.is_some() || constraints.max.is_some();
    if is_bounded(one) != is_bounded(other) || one.multiple_of.or(other.multiple_of).is_some() {
        return None;
    }
    let float = |number: Option<Number>| match number {
        Some(Number::Float(value)) => Some(value),
        Some(Number::Decimal(value)) => Some(value.nearest()),
        _ => None,
    };
    let low = |of: &Constraints| float(of.min).map(|min| if of.exclusive.min { min.next_up() } else { min });
    let high = |of: &Constraints| float(of.max).map(|max| if of.exclusive.max { max.next_down() } else { max });
    let least = [one, other].into_iter().filter_map(low).fold(f64::NEG_INFINITY, f64::max);
    let most = [one, other].into_iter().filter_map(high).fold(f64::INFINITY, f64::min);
    let value = 1.5_f64.max(least).min(most);
    (least <= value && value <= most).then(|| json!(value))
}

/// Returns a value of a type whose values are texts in a format.
fn sample(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        Type::Date => "2026-01-01",
        Type::DateTime => "2026-01-01T00:00:00Z",
        Type::Duration => "1s",
        Type::Bytes(encoding) if *encoding != Encoding::File => "AAAA",
        Type::Lexical(Lexical::Decimal) => "1.5",
        Type::Lexical(Lexical::IsoDuration) => "P1D",
        Type::Lexical(Lexical::Time) => "12:00:00Z",
        Type::Lexical(Lexical::HttpDate) => "Thu, 01 Jan 2026 00:00:00 GMT",
        _ => return None,
    })
}
