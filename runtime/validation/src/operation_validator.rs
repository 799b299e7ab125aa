//! Type-erased validation of the operations of an API.

use std::any::Any;

use wireform_runtime::operation::Operation;
use wireform_runtime::{FromWire, Request};

use crate::drift::detect_drift;
use crate::drift_report::DriftReport;
use crate::validates::{Validates, check_downcast};
use crate::violations::{Violations, Warnings};

/// Function that validates a request with the stored value, if that is known.
type CheckRequest<V> = fn(&V, &dyn Any, Option<&dyn Any>) -> Option<Result<Warnings, Violations>>;

/// Validation of an operation with the rules `V`. Generated code has a list of them for each group.
pub struct OperationValidator<V: 'static> {
    name: &'static str,
    request: CheckRequest<V>,
    response: Option<fn(&V, &[u8]) -> DriftReport>,
}

impl<V: 'static> OperationValidator<V> {
    /// Creates an entry for an operation with validated requests.
    #[must_use]
    pub const fn request<T>() -> Self
    where
        T: Request + Any,
        V: Validates<T>,
    {
        let request = |rules: &V, request: &dyn Any, stored: Option<&dyn Any>| {
            check_downcast::<T, V>(rules, request, <V as Validates<T>>::CONTEXT.with_any_stored(stored))
        };
        Self { name: T::OPERATION.name, request, response: None }
    }

    /// Creates an entry for an operation with validated requests, and with responses that are compared with the schema
    /// of `A`.
    #[must_use]
    pub const fn request_and_response<T, A>() -> Self
    where
        T: Request + Any,
        A: for<'de> FromWire<'de>,
        V: Validates<T> + Validates<A>,
    {
        let response = |rules: &V, response: &[u8]| detect_drift::<A, V>(rules, response, <V as Validates<T>>::CONTEXT);
        Self { response: Some(response), ..Self::request::<T>() }
    }

    /// Returns the entry of an operation among those of all groups.
    #[must_use]
    pub fn find(groups: &'static [&'static [Self]], operation: &Operation) -> Option<&'static Self> {
        groups.iter().copied().flatten().find(|checked| checked.name == operation.name)
    }

    /// Validates a request; `stored` is the resource that it changes. Returns `None` if the request has another type.
    #[must_use]
    pub fn check_request(
        &self,
        rules: &V,
        request: &dyn Any,
        stored: Option<&dyn Any>,
    ) -> Option<Result<Warnings, Violations>> {
        (self.request)(rules, request, stored)
    }

    /// Compares a response with the schema, if the entry has one.
    #[must_use]
    pub fn check_response(&self, rules: &V, response: &[u8]) -> Option<DriftReport> {
        self.response.map(|check| check(rules, response))
    }
}
