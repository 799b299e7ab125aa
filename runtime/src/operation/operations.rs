//! The list of an API's operations where its groups are features.

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
}
