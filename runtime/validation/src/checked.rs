//! How operations are checked where the types of their requests and answers are not known.

use std::any::Any;

use wireform_runtime::operation::Operation;
use wireform_runtime::{FromWire, Request};

use crate::drift::{DriftReport, drift};
use crate::validates::{Validates, check_as};
use crate::violations::{Violations, Warnings};

/// Checks a request beside what is stored, if that is known.
type CheckRequest<V> = fn(&V, &dyn Any, Option<&dyn Any>) -> Option<Result<Warnings, Violations>>;

/// How one operation is checked by the rules `V`. Generated code has a list of them for each group.
pub struct Checked<V: 'static> {
    name: &'static str,
    request: CheckRequest<V>,
    answer: Option<fn(&V, &[u8]) -> DriftReport>,
}

impl<V: 'static> Checked<V> {
    /// Creates an operation whose requests are checked.
    #[must_use]
    pub const fn request<T>() -> Self
    where
        T: Request + Any,
        V: Validates<T>,
    {
        let request = |rules: &V, request: &dyn Any, stored: Option<&dyn Any>| {
            check_as::<T, V>(rules, request, <V as Validates<T>>::CONTEXT.with_any_stored(stored))
        };
        Self { name: T::OPERATION.name, request, answer: None }
    }

    /// Creates an operation whose requests are checked, and whose answers are compared with what is known of `A`.
    #[must_use]
    pub const fn exchange<T, A>() -> Self
    where
        T: Request + Any,
        A: for<'de> FromWire<'de>,
        V: Validates<T> + Validates<A>,
    {
        let answer = |rules: &V, answer: &[u8]| drift::<A, V>(rules, answer, <V as Validates<T>>::CONTEXT);
        Self { answer: Some(answer), ..Self::request::<T>() }
    }

    /// Returns the operation among those of all groups.
    #[must_use]
    pub fn find(groups: &'static [&'static [Self]], operation: &Operation) -> Option<&'static Self> {
        groups.iter().copied().flatten().find(|checked| checked.name == operation.name)
    }

    /// Checks a request; `stored` is what is stored where it goes. None if it is of another type.
    #[must_use]
    pub fn check_request(
        &self,
        rules: &V,
        request: &dyn Any,
        stored: Option<&dyn Any>,
    ) -> Option<Result<Warnings, Violations>> {
        (self.request)(rules, request, stored)
    }

    /// Compares an answer with the schema, where that tells what it is.
    #[must_use]
    pub fn check_answer(&self, rules: &V, answer: &[u8]) -> Option<DriftReport> {
        self.answer.map(|check| check(rules, answer))
    }
}
