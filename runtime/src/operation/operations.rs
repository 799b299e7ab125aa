//! The list of an API's operations where its groups are features.

use super::{Operation, ScopeNeed};

/// Makes the list of the operations that are there, in the order of the schema: those of a condition follow it.
///
/// ```text
/// operations! {
///     OPERATIONS {
///         (feature = "events") { EventsGet, EventsInsert },
///         (any(feature = "events", feature = "calendars")) { CalendarsGet },
///     }
/// }
/// ```
#[macro_export]
macro_rules! operations {
    ($name:ident { $($condition:tt { $($request:ident),* $(,)? }),* $(,)? }) => {
        /// The operations, in the order of the schema.
        pub static $name: &[&$crate::operation::Operation] = &[
            $($(#[cfg $condition] <$request as $crate::Request>::OPERATION,)*)*
        ];
    };
    ($($condition:tt { $($request:ident),* $(,)? }),+ $(,)?) => {
        &[$($(#[cfg $condition] <$request as $crate::Request>::OPERATION,)*)+]
    };
    ($name:ident: [$($part:path),* $(,)?]) => {
        /// The operations, in the order of the schema.
        pub static $name: &[&$crate::operation::Operation] = {
            const PARTS: &[&[&$crate::operation::Operation]] = &[$($part),*];
            const ALL: [&$crate::operation::Operation; $crate::operation::count(PARTS)] =
                $crate::operation::join(PARTS);
            &ALL
        };
    };
}

/// Returns how many operations several lists have together.
#[doc(hidden)]
#[must_use]
pub const fn count(mut parts: &[&[&Operation]]) -> usize {
    let mut count = 0;
    while let [part, others @ ..] = parts {
        count += part.len();
        parts = others;
    }
    count
}

/// Returns the operations of several lists as one.
#[doc(hidden)]
#[must_use]
pub const fn join<const N: usize>(mut parts: &[&[&'static Operation]]) -> [&'static Operation; N] {
    let mut all = [&NONE; N];
    let mut free: &mut [&'static Operation] = &mut all;
    while let [part, others @ ..] = parts {
        let mut part = *part;
        while let [operation, more @ ..] = part {
            let [slot, rest @ ..] = free else { return all };
            *slot = *operation;
            free = rest;
            part = more;
        }
        parts = others;
    }
    all
}

/// What stands in a place until an operation does.
static NONE: Operation = Operation {
    name: "",
    method: "",
    path: &[],
    verb: None,
    parameters: &[],
    scopes: ScopeNeed::None,
    api_key: false,
    safe: false,
    idempotent: false,
    cost: 0,
};
