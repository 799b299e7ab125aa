//! Who knows the rules of a type.

use std::any::Any;

use wireform_runtime::Effective;
use wireform_runtime::fields::Shape;
use wireform_runtime::operation::Operation;

use crate::at::At;
use crate::checker::Checker;
use crate::context::Context;
use crate::drift::report::DriftReport;
use crate::shapes::{self, Sources};
use crate::violations::{Violations, Warnings};

/// Knows the rules of `T`. A crate of generated rules implements it for a type of its own, since neither this trait
/// nor the types are its own.
pub trait Validates<T: ?Sized> {
    /// The members of the body, from which the order of the document is known; none if there is no resource.
    const SHAPE: Option<&'static Shape> = None;

    /// What a value is checked for where nothing else is said: by itself, or as the request that it is.
    const CONTEXT: Context<'static> = Context::VALUE;

    /// The lines of the schema.
    const SOURCES: &'static Sources = &Sources::NONE;

    /// Returns which members of a request have an effect, by its parameters. All of them have one unless the schema says
    /// otherwise.
    fn effective(&self, _request: &T) -> Effective {
        Effective::ALL
    }

    /// Checks a value that stands at that place.
    fn check(&self, value: &T, at: At<'_>, checker: &mut Checker<'_>);

    /// Checks a value.
    ///
    /// # Errors
    /// All violations in the order of the document, when there is an error among them.
    #[inline]
    fn validate(&self, value: &T, context: Context<'_>) -> Result<Warnings, Violations> {
        let mut checker = Checker::new(context);
        self.check(value, At::BODY, &mut checker);
        if checker.count() > 0 {
            shapes::settle(checker.violations_mut(), context.operation(), Self::SHAPE, Self::SOURCES);
        }
        checker.finish()
    }
}

/// Knows the rules of an API's requests, whose types are not known where it is asked: a client hands over whatever
/// request it is about to send. Generated code implements it with [`check_as`].
pub trait CheckRequests: Send + Sync {
    /// Checks a request; `stored` is what is stored where it goes, if that is known. `None` if these rules know
    /// nothing of such a request.
    fn check_request(
        &self,
        operation: &'static Operation,
        request: &dyn Any,
        stored: Option<&dyn Any>,
    ) -> Option<Result<Warnings, Violations>>;

    /// Compares the body of an answer with the schema. `None` if these rules know nothing of such an answer.
    fn check_answer(&self, operation: &'static Operation, answer: &[u8]) -> Option<DriftReport> {
        let _ = (operation, answer);
        None
    }
}

/// Checks a request of the type `R`; `None` if it is of another one.
#[must_use]
pub fn check_as<R: Any, V: Validates<R>>(
    rules: &V,
    request: &dyn Any,
    context: Context<'_>,
) -> Option<Result<Warnings, Violations>> {
    request.downcast_ref::<R>().map(|request| rules.validate(request, context))
}

/// The constants of an implementation of [`Validates`]: the lines of the schema, and the type whose members have an
/// order, if there is one.
#[macro_export]
macro_rules! facts {
    ($sources:path) => {
        const SOURCES: &'static $crate::Sources = &$sources;
    };
    ($sources:path, $ty:ty) => {
        const SHAPE: ::core::option::Option<&'static $crate::wireform_runtime::fields::Shape> =
            ::core::option::Option::Some(<$ty as $crate::wireform_runtime::fields::Selectable>::SHAPE);

        $crate::facts!($sources);
    };
}
