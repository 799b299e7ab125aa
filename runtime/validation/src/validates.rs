//! Traits of generated rules.

use std::any::Any;

use wireform_runtime::ConditionSet;
use wireform_runtime::fields::Shape;
use wireform_runtime::operation::Operation;

use crate::checker::Checker;
use crate::context::ValidationContext;
use crate::drift_report::DriftReport;
use crate::location::Location;
use crate::shapes;
use crate::source_lines::SourceLines;
use crate::violations::{Violations, Warnings};

/// Rules of `T`. A crate of generated rules implements this for a type of its own, since neither this trait nor the
/// types are local to it.
pub trait Validates<T: ?Sized> {
    /// Shape of the body, which determines the order of the document; `None` if it is not a resource.
    const SHAPE: Option<&'static Shape> = None;

    /// Default context of a value: standalone, or the request that it is.
    const CONTEXT: ValidationContext<'static> = ValidationContext::VALUE;

    /// Lines of the schema that define the fields and rules of `T`.
    const SOURCES: &'static SourceLines = &SourceLines::NONE;

    /// Returns the conditions of fields that hold for a request, by its parameters. All of them hold by default.
    fn effective_conditions(&self, _request: &T) -> ConditionSet {
        ConditionSet::ALL
    }

    /// Checks a value at a location.
    fn check(&self, value: &T, at: Location<'_>, checker: &mut Checker<'_>);

    /// Validates a value against all rules of its type.
    ///
    /// # Errors
    /// Returns all violations in the order of the document, if at least one of them is an error.
    #[inline]
    fn validate(&self, value: &T, context: ValidationContext<'_>) -> Result<Warnings, Violations> {
        let mut checker = Checker::new(context);
        self.check(value, Location::BODY, &mut checker);
        if checker.violation_count() > 0 {
            shapes::sort_and_annotate(checker.violations_mut(), context.operation(), Self::SHAPE, Self::SOURCES);
        }
        checker.finish()
    }
}

/// Rules of the requests of an API, type-erased: a client passes any request that it is about to send. Generated code
/// implements this with [`check_downcast`].
pub trait CheckRequests: Send + Sync {
    /// Validates a request; `stored` is the resource that it changes, if that is known. Returns `None` if there are no
    /// rules for this request.
    fn check_request(
        &self,
        operation: &'static Operation,
        request: &dyn Any,
        stored: Option<&dyn Any>,
    ) -> Option<Result<Warnings, Violations>>;

    /// Compares the body of a response with the schema. Returns `None` if there are no rules for this response.
    fn check_response(&self, operation: &'static Operation, response: &[u8]) -> Option<DriftReport> {
        let _ = (operation, response);
        None
    }
}

/// Validates a request of the type `R`; returns `None` if it has another type.
#[must_use]
pub fn check_downcast<R: Any, V: Validates<R>>(
    rules: &V,
    request: &dyn Any,
    context: ValidationContext<'_>,
) -> Option<Result<Warnings, Violations>> {
    request.downcast_ref::<R>().map(|request| rules.validate(request, context))
}

/// Defines the constants of an implementation of [`Validates`]: the lines of the schema, and the type of the body, if
/// there is one.
#[doc(hidden)]
#[macro_export]
macro_rules! facts {
    ($sources:path) => {
        const SOURCES: &'static $crate::__private::SourceLines = &$sources;
    };
    ($sources:path, $ty:ty) => {
        const SHAPE: ::core::option::Option<&'static $crate::wireform_runtime::fields::Shape> =
            ::core::option::Option::Some(<$ty as $crate::wireform_runtime::fields::Selectable>::SHAPE);

        $crate::facts!($sources);
    };
}
