//! List of the operations of an API whose groups are features.

use super::{AuthRequirement, Operation};

/// Creates the list of the enabled operations, in the order of the schema: the operations of a condition follow it.
///
/// ```text
/// operations! {
///     OPERATIONS {
///         (feature = "events") { EventsGet, EventsInsert },
///         (any(feature = "events", feature = "calendars")) { CalendarsGet },
///     }
/// }
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! operations {
    ($name:ident { $($condition:tt { $($request:ident),* $(,)? }),* $(,)? }) => {
        /// Operations, in the order of the schema.
        pub static $name: &[&$crate::operation::Operation] = &[
            $($(#[cfg $condition] <$request as $crate::Request>::OPERATION,)*)*
        ];
    };
    ($($condition:tt { $($request:ident),* $(,)? }),+ $(,)?) => {
        &[$($(#[cfg $condition] <$request as $crate::Request>::OPERATION,)*)+]
    };
    ($name:ident: [$($part:path),* $(,)?]) => {
        /// Operations, in the order of the schema.
        pub static $name: &[&$crate::operation::Operation] = {
            const PARTS: &[&[&$crate::operation::Operation]] = &[$($part),*];
            const ALL: [&$crate::operation::Operation; $crate::operation::count_operations(PARTS)] =
                $crate::operation::join_operations(PARTS);
            &ALL
        };
    };
}

/// Returns the total number of operations of several lists.
#[doc(hidden)]
#[must_use]
pub const fn count_operations(mut parts: &[&[&Operation]]) -> usize {
    let mut count = 0;
    while let [part, others @ ..] = parts {
        count += part.len();
        parts = others;
    }
    count
}

/// Joins several lists of operations.
#[doc(hidden)]
#[must_use]
pub const fn join_operations<const N: usize>(mut parts: &[&[&'static Operation]]) -> [&'static Operation; N] {
    let mut all = [&PLACEHOLDER; N];
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

/// Placeholder of an element until it is set.
static PLACEHOLDER: Operation = Operation {
    name: "",
    method: "",
    path: &[],
    verb: None,
    parameters: &[],
    scopes: AuthRequirement::None,
    api_key: false,
    safe: false,
    idempotent: false,
    cost: 0,
};
