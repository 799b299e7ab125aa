//! Domain of a value: a range of numbers, allowed values, excluded values.

use crate::model::condition::{Comparison, Literal};

/// Domain of a value.
#[derive(Clone, Debug, Default)]
pub struct Domain {
    low: Option<End>,
    high: Option<End>,
    /// Allowed values, if they are limited.
    allowed: Option<Vec<Literal>>,
    /// Excluded values.
    excluded: Vec<Literal>,
    /// Range of a text's length in code points.
    length: Option<(u64, u64)>,
}

/// End of a range.
#[derive(Clone, Copy, Debug)]
struct End {
    number: Number,
    /// True if the end is inclusive.
    is_inside: bool,
}

/// Exact number; an integer and a float are not comparable.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Number {
    Int(i128),
    Float(f64),
}

impl Domain {
    /// Narrows the domain by a comparison with a value.
    pub fn bound(&mut self, comparison: Comparison, value: &Literal) {
        let Some(number) = number(value) else { return };
        let is_inside = matches!(comparison, Comparison::LessOrEqual | Comparison::GreaterOrEqual);
        match comparison {
            Comparison::Less | Comparison::LessOrEqual => self.at_most(number, is_inside),
            Comparison::Greater | Comparison::GreaterOrEqual => self.at_least(number, is_inside),
        }
    }

    /// Narrows the domain to integers between two inclusive bounds.
    pub fn between(&mut self, low: Option<i128>, high: Option<i128>) {
        if let Some(low) = low {
            self.at_least(Number::Int(low), true);
        }
        if let Some(high) = high {
            self.at_most(Number::Int(high), true);
        }
    }

    /// Narrows the domain to floating-point numbers between two inclusive bounds.
    pub fn between_floats(&mut self, low: Option<f64>, high: Option<f64>) {
        if let Some(low) = low {
            self.at_least(Number::Float(low), true);
        }
        if let Some(high) = high {
            self.at_most(Number::Float(high), true);
        }
    }

    /// Narrows the domain to texts of a range of lengths.
    pub fn length(&mut self, least: u64, max: u64) {
        self.length = Some((least, max));
    }

    /// Narrows the domain to some values, or excludes them.
    pub fn restrict_to(&mut self, values: Vec<Literal>, is_one: bool) {
        if !is_one {
            self.excluded.extend(values);
            return;
        }
        self.allowed = Some(match self.allowed.take() {
            Some(known) => known.into_iter().filter(|value| values.contains(value)).collect(),
            None => values,
        });
    }

    /// Returns whether the domain is empty.
    pub fn is_empty(&self) -> bool {
        match &self.allowed {
            Some(allowed) => !allowed.iter().any(|value| self.contains(value)),
            None => self.is_range_empty(),
        }
    }

    /// Returns whether a value is in the range, has a permitted length and is not excluded; ignores `allowed`.
    fn contains(&self, value: &Literal) -> bool {
        let fits = number(value).is_none_or(|number| {
            let above = |end: End| number > end.number || end.is_inside && number == end.number;
            let below = |end: End| number < end.number || end.is_inside && number == end.number;
            self.low.is_none_or(above) && self.high.is_none_or(below)
        });
        let is_length = |text: &str| {
            let count = text.chars().count() as u64;
            self.length.is_none_or(|(least, max)| (least..=max).contains(&count))
        };
        let has_length = if let Literal::String(text) = value { is_length(text) } else { true };
        fits && has_length && !self.excluded.contains(value)
    }

    /// Returns whether the range is empty, or contains only excluded values.
    fn is_range_empty(&self) -> bool {
        let (Some(low), Some(high)) = (self.low, self.high) else { return false };
        match (low.number, high.number) {
            (Number::Int(low), Number::Int(high)) => {
                let is_excluded = |number: i128| self.excluded.iter().any(|value| int(value) == Some(number));
                // Each excluded value removes one integer, so no more have to be tested.
                let max = high.min(low.saturating_add(self.excluded.len() as i128));
                (low..=max).all(is_excluded)
            }
            (Number::Float(least), Number::Float(max)) => {
                least > max || least == max && !(low.is_inside && high.is_inside)
            }
            _ => false,
        }
    }

    fn at_least(&mut self, number: Number, is_inside: bool) {
        let end = integer_end(number, is_inside, 1);
        let is_narrower =
            |known: End| end.number > known.number || end.number == known.number && known.is_inside && !end.is_inside;
        if self.low.is_none_or(is_narrower) {
            self.low = Some(end);
        }
    }

    fn at_most(&mut self, number: Number, is_inside: bool) {
        let end = integer_end(number, is_inside, -1);
        let is_narrower =
            |known: End| end.number < known.number || end.number == known.number && known.is_inside && !end.is_inside;
        if self.high.is_none_or(is_narrower) {
            self.high = Some(end);
        }
    }
}

/// Returns an end of an integer range, which is always inclusive.
fn integer_end(number: Number, is_inside: bool, step: i128) -> End {
    match number {
        Number::Int(number) if !is_inside => End { number: Number::Int(number.saturating_add(step)), is_inside: true },
        number => End { number, is_inside },
    }
}

/// Returns the number that a literal is; `None` for other literals.
fn number(value: &Literal) -> Option<Number> {
    match value {
        Literal::Double(value) => Some(Number::Float(*value)),
        value => int(value).map(Number::Int),
    }
}

/// Returns the integer that a literal is, signed or unsigned; `None` for other literals.
fn int(value: &Literal) -> Option<i128> {
    match value {
        Literal::Int(value) => Some(i128::from(*value)),
        Literal::Uint(value) => Some(i128::from(*value)),
        _ => None,
    }
}
