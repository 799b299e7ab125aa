//! What a value can be: numbers between two ends, one of a few values, none of some others.

use crate::model::condition::{Comparison, Literal};

/// What a value can be.
#[derive(Clone, Debug, Default)]
pub struct Domain {
    low: Option<End>,
    high: Option<End>,
    /// The values of which it is one.
    allowed: Option<Vec<Literal>>,
    /// The values that it is not.
    excluded: Vec<Literal>,
    /// How long a text can be, in code points.
    length: Option<(u64, u64)>,
}

/// An end of a range.
#[derive(Clone, Copy, Debug)]
struct End {
    number: Number,
    /// Whether the number itself is in the range.
    is_inside: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
enum Number {
    Int(i128),
    Float(f64),
}

impl Domain {
    /// Narrows to what compares so with a value.
    pub fn bound(&mut self, comparison: Comparison, value: &Literal) {
        let Some(number) = number(value) else { return };
        let is_inside = matches!(comparison, Comparison::LessOrEqual | Comparison::GreaterOrEqual);
        match comparison {
            Comparison::Less | Comparison::LessOrEqual => self.at_most(number, is_inside),
            Comparison::Greater | Comparison::GreaterOrEqual => self.at_least(number, is_inside),
        }
    }

    /// Narrows to whole numbers between two ends that are inside.
    pub fn between(&mut self, low: Option<i128>, high: Option<i128>) {
        if let Some(low) = low {
            self.at_least(Number::Int(low), true);
        }
        if let Some(high) = high {
            self.at_most(Number::Int(high), true);
        }
    }

    /// Narrows to floating-point numbers between two ends that are inside.
    pub fn between_floats(&mut self, low: Option<f64>, high: Option<f64>) {
        if let Some(low) = low {
            self.at_least(Number::Float(low), true);
        }
        if let Some(high) = high {
            self.at_most(Number::Float(high), true);
        }
    }

    /// Narrows to texts of some lengths.
    pub fn length(&mut self, least: u64, most: u64) {
        self.length = Some((least, most));
    }

    /// Narrows to one of some values, or to none of them.
    pub fn one_of(&mut self, values: Vec<Literal>, is_one: bool) {
        if !is_one {
            self.excluded.extend(values);
            return;
        }
        self.allowed = Some(match self.allowed.take() {
            Some(known) => known.into_iter().filter(|value| values.contains(value)).collect(),
            None => values,
        });
    }

    /// Whether no value is left.
    pub fn is_empty(&self) -> bool {
        match &self.allowed {
            Some(allowed) => !allowed.iter().any(|value| self.has(value)),
            None => self.is_nothing_between(),
        }
    }

    fn has(&self, value: &Literal) -> bool {
        let fits = number(value).is_none_or(|number| {
            let above = |end: End| number > end.number || end.is_inside && number == end.number;
            let below = |end: End| number < end.number || end.is_inside && number == end.number;
            self.low.is_none_or(above) && self.high.is_none_or(below)
        });
        let is_length = |text: &str| {
            let count = text.chars().count() as u64;
            self.length.is_none_or(|(least, most)| (least..=most).contains(&count))
        };
        let has_length = if let Literal::String(text) = value { is_length(text) } else { true };
        fits && has_length && !self.excluded.contains(value)
    }

    /// Whether the ends leave nothing, or only values that are excluded.
    fn is_nothing_between(&self) -> bool {
        let (Some(low), Some(high)) = (self.low, self.high) else { return false };
        match (low.number, high.number) {
            (Number::Int(low), Number::Int(high)) => {
                let is_excluded = |number: i128| self.excluded.iter().any(|value| int(value) == Some(number));
                // Each value that is excluded takes one away, so that no more have to be looked at.
                let most = high.min(low.saturating_add(self.excluded.len() as i128));
                (low..=most).all(is_excluded)
            }
            (Number::Float(least), Number::Float(most)) => {
                least > most || least == most && !(low.is_inside && high.is_inside)
            }
            _ => false,
        }
    }

    fn at_least(&mut self, number: Number, is_inside: bool) {
        let end = whole(number, is_inside, 1);
        let is_narrower =
            |known: End| end.number > known.number || end.number == known.number && known.is_inside && !end.is_inside;
        if self.low.is_none_or(is_narrower) {
            self.low = Some(end);
        }
    }

    fn at_most(&mut self, number: Number, is_inside: bool) {
        let end = whole(number, is_inside, -1);
        let is_narrower =
            |known: End| end.number < known.number || end.number == known.number && known.is_inside && !end.is_inside;
        if self.high.is_none_or(is_narrower) {
            self.high = Some(end);
        }
    }
}

/// An end of a range of whole numbers is always inside.
fn whole(number: Number, is_inside: bool, step: i128) -> End {
    match number {
        Number::Int(number) if !is_inside => End { number: Number::Int(number.saturating_add(step)), is_inside: true },
        number => End { number, is_inside },
    }
}

fn number(value: &Literal) -> Option<Number> {
    match value {
        Literal::Double(value) => Some(Number::Float(*value)),
        value => int(value).map(Number::Int),
    }
}

fn int(value: &Literal) -> Option<i128> {
    match value {
        Literal::Int(value) => Some(i128::from(*value)),
        Literal::Uint(value) => Some(i128::from(*value)),
        _ => None,
    }
}
