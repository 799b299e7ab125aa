//! Checks of numbers.

use std::cmp::Ordering;

use wireform_runtime::BigDecimal;
use wireform_runtime::Number as ExactNumber;

use super::Checker;
use crate::constraint::{Constraint, SchemaNumber};
use crate::location::Location;
use crate::multiple_of;

/// Number of arbitrary precision, whose checks are exact.
pub trait ExactDecimal: sealed::ExactDecimal {}

impl<N: sealed::ExactDecimal> ExactDecimal for N {}

/// Number type of a field.
pub trait Number: Copy + PartialOrd + sealed::Number {}

mod sealed {
    /// Operations that the checks require.
    pub trait Number {
        /// Returns the number for a violation.
        fn to_schema_number(self) -> super::SchemaNumber;
        /// Returns whether the number is a multiple of `of`; no number is a multiple of zero.
        fn divisible_by(self, of: Self) -> bool;
    }

    /// Operations that the checks of numbers of arbitrary precision require.
    pub trait ExactDecimal {
        /// Compares the number with one in text form.
        fn cmp_text(&self, other: &str) -> super::Ordering;
    }
}

macro_rules! exact {
    ($($ty:ty)*) => {$(
        impl sealed::ExactDecimal for $ty {
            fn cmp_text(&self, other: &str) -> Ordering {
                self.cmp_text(other)
            }
        }
    )*};
}

exact!(BigDecimal ExactNumber);

macro_rules! integers {
    ($($ty:ty as $figure:ident;)*) => {$(
        impl Number for $ty {}

        impl sealed::Number for $ty {
            #[inline]
            fn to_schema_number(self) -> SchemaNumber {
                SchemaNumber::$figure(self.into())
            }

            #[inline]
            fn divisible_by(self, of: Self) -> bool {
                // The minimum divided by -1 overflows, and is a multiple.
                of != 0 && self.checked_rem(of).unwrap_or(0) == 0
            }
        }
    )*};
}

integers! {
    i32 as Int;
    i64 as Int;
    u32 as Uint;
    u64 as Uint;
}

impl Number for f64 {}

impl sealed::Number for f64 {
    #[inline]
    fn to_schema_number(self) -> SchemaNumber {
        SchemaNumber::Float(self)
    }

    #[inline]
    fn divisible_by(self, of: Self) -> bool {
        multiple_of::is_multiple(&self, &of)
    }
}

impl Number for f32 {}

impl sealed::Number for f32 {
    #[inline]
    fn to_schema_number(self) -> SchemaNumber {
        SchemaNumber::Float(multiple_of::widen(self))
    }

    #[inline]
    fn divisible_by(self, of: Self) -> bool {
        multiple_of::is_multiple(&self, &of)
    }
}

impl Checker<'_> {
    /// Checks that the number is at least `min` and at most `max`, if they are given.
    #[inline]
    pub fn range<N: Number>(&mut self, at: Location<'_>, found: N, min: Option<N>, max: Option<N>) {
        // NaN is in no range, so the comparisons must hold instead of not fail.
        let holds = min.is_none_or(|min| found >= min) && max.is_none_or(|max| found <= max);
        if !holds {
            self.range_violation(at, min.map(N::to_schema_number), max.map(N::to_schema_number));
        }
    }

    /// Checks that the number is greater than `end`.
    #[inline]
    pub fn above<N: Number>(&mut self, at: Location<'_>, found: N, end: N) {
        // NaN is not greater.
        if !matches!(found.partial_cmp(&end), Some(Ordering::Greater)) {
            self.end_violation(at, Constraint::Above(end.to_schema_number()));
        }
    }

    /// Checks that the number is less than `end`.
    #[inline]
    pub fn below<N: Number>(&mut self, at: Location<'_>, found: N, end: N) {
        if !matches!(found.partial_cmp(&end), Some(Ordering::Less)) {
            self.end_violation(at, Constraint::Below(end.to_schema_number()));
        }
    }

    /// Checks exactly that the decimal number is greater than `end`.
    pub fn decimal_above(&mut self, at: Location<'_>, found: &impl ExactDecimal, end: &'static str) {
        if found.cmp_text(end).is_le() {
            self.end_violation(at, Constraint::Above(SchemaNumber::Decimal(end)));
        }
    }

    /// Checks exactly that the decimal number is less than `end`.
    pub fn decimal_below(&mut self, at: Location<'_>, found: &impl ExactDecimal, end: &'static str) {
        if found.cmp_text(end).is_ge() {
            self.end_violation(at, Constraint::Below(SchemaNumber::Decimal(end)));
        }
    }

    /// Checks exactly that the decimal number is at least `min` and at most `max`, if they are given.
    pub fn decimal_range(
        &mut self,
        at: Location<'_>,
        found: &impl ExactDecimal,
        min: Option<&'static str>,
        max: Option<&'static str>,
    ) {
        let holds =
            min.is_none_or(|min| found.cmp_text(min).is_ge()) && max.is_none_or(|max| found.cmp_text(max).is_le());
        if !holds {
            self.range_violation(at, min.map(SchemaNumber::Decimal), max.map(SchemaNumber::Decimal));
        }
    }

    /// Checks that the number is a multiple of `of` in decimal notation: `0.3` is a multiple of `0.1`.
    #[inline]
    pub fn multiple_of<N: Number>(&mut self, at: Location<'_>, found: N, of: N) {
        if !found.divisible_by(of) {
            self.multiple_violation(at, of.to_schema_number());
        }
    }

    /// Checks exactly that the number is a multiple of `of`.
    pub fn decimal_multiple_of(&mut self, at: Location<'_>, found: &ExactNumber, of: &'static str) {
        if !multiple_of::is_multiple_text(found.as_str(), of) {
            self.multiple_violation(at, SchemaNumber::Decimal(of));
        }
    }

    /// Checks exactly that the number is the only allowed one.
    pub fn decimal_constant(&mut self, at: Location<'_>, found: &ExactNumber, expected: &'static str) {
        if found.cmp_text(expected).is_ne() {
            self.end_violation(at, Constraint::Constant(expected));
        }
    }

    /// Records that a number is out of its range.
    #[cold]
    #[inline(never)]
    fn range_violation(&mut self, at: Location<'_>, min: Option<SchemaNumber>, max: Option<SchemaNumber>) {
        self.error(at, Constraint::Range { min, max });
    }

    /// Records that a number is not beyond an exclusive end, or not the constant.
    #[cold]
    #[inline(never)]
    fn end_violation(&mut self, at: Location<'_>, constraint: Constraint) {
        self.error(at, constraint);
    }

    /// Records that a number is not a multiple of another.
    #[cold]
    #[inline(never)]
    fn multiple_violation(&mut self, at: Location<'_>, of: SchemaNumber) {
        self.error(at, Constraint::MultipleOf(of));
    }
}
