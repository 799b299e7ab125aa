//! Context of a validation: the operation, the direction, the stored value.

use std::any::Any;
use std::fmt;

use wireform_runtime::operation::Operation;

/// Default limit of the violations that are kept.
pub const MAX_VIOLATIONS: usize = 100;

/// Index of the operation of a value outside of any operation.
pub const NO_OPERATION: u16 = u16::MAX;

/// Direction of a validated value: to the server or from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// In a request to the server: all rules apply.
    Request,
    /// In a response of the server: unknown values, and values that only the server sets, are allowed.
    Response,
}

/// Context of a validation: the operation, the direction of the value, the stored value and what is reported.
#[derive(Clone, Copy)]
pub struct ValidationContext<'a> {
    pub(crate) operation: Option<&'static Operation>,
    pub(crate) index: u16,
    pub(crate) direction: Direction,
    pub(crate) stored: Option<&'a dyn Any>,
    pub(crate) max_violations: usize,
    pub(crate) detects_drift: bool,
    pub(crate) reports_warnings: bool,
}

impl ValidationContext<'static> {
    /// Standalone value: only rules that apply to every operation are checked.
    pub const VALUE: Self = Self {
        operation: None,
        index: NO_OPERATION,
        direction: Direction::Request,
        stored: None,
        max_violations: MAX_VIOLATIONS,
        detects_drift: false,
        reports_warnings: true,
    };

    /// Creates the context of a request; `index` identifies the operation in the generated rules.
    #[must_use]
    pub const fn request(operation: &'static Operation, index: u16) -> Self {
        Self { operation: Some(operation), index, ..Self::VALUE }
    }

    /// Creates the context of a response.
    #[must_use]
    pub const fn response(operation: &'static Operation, index: u16) -> Self {
        Self { operation: Some(operation), index, direction: Direction::Response, ..Self::VALUE }
    }

    /// Creates the context of a request of the operation with this index; of a standalone value if the lists do not
    /// contain it.
    #[must_use]
    pub const fn request_by_index(lists: &[&[(u16, &'static Operation)]], number: u16) -> Self {
        match find_operation(lists, number) {
            Some(operation) => Self::request(operation, number),
            None => Self::VALUE,
        }
    }

    /// Creates the context of a response of the operation with this index; of a standalone value if the lists do not
    /// contain it.
    #[must_use]
    pub const fn response_by_index(lists: &[&[(u16, &'static Operation)]], number: u16) -> Self {
        match find_operation(lists, number) {
            Some(operation) => Self::response(operation, number),
            None => Self::VALUE,
        }
    }
}

/// Searches for an index in lists that are each sorted.
const fn find_operation(lists: &[&[(u16, &'static Operation)]], number: u16) -> Option<&'static Operation> {
    let mut list = 0;
    while list < lists.len() {
        let (entries, mut low, mut high) = (lists[list], 0, lists[list].len());
        while low < high {
            let middle = low + (high - low) / 2;
            if entries[middle].0 == number {
                return Some(entries[middle].1);
            }
            if entries[middle].0 < number {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        list += 1;
    }
    None
}

impl<'a> ValidationContext<'a> {
    /// Sets the stored value that the request changes, so that rules about changes can be checked.
    #[must_use]
    pub fn with_stored<'b, T: Any>(self, stored: &'b T) -> ValidationContext<'b>
    where
        'a: 'b,
    {
        ValidationContext { stored: Some(stored), ..self }
    }

    /// Sets the stored value without its static type.
    #[must_use]
    pub const fn with_any_stored<'b>(self, stored: Option<&'b dyn Any>) -> ValidationContext<'b>
    where
        'a: 'b,
    {
        ValidationContext { stored, ..self }
    }

    /// Sets the maximum number of violations that are kept; further ones are counted.
    #[must_use]
    pub const fn with_max_violations(mut self, max_violations: usize) -> Self {
        self.max_violations = max_violations;
        self
    }

    /// Disables warnings, whose creation has a cost, for callers that do not report them, such as a server.
    #[must_use]
    pub const fn without_warnings(mut self) -> Self {
        self.reports_warnings = false;
        self
    }

    /// Returns whether the value is a request.
    pub(crate) const fn is_request(&self) -> bool {
        matches!(self.direction, Direction::Request)
    }

    /// Enables the report of unknown enum values in responses.
    pub(crate) const fn with_drift(mut self) -> Self {
        self.detects_drift = true;
        self
    }

    /// Returns the operation.
    #[must_use]
    pub const fn operation(&self) -> Option<&'static Operation> {
        self.operation
    }
}

impl fmt::Debug for ValidationContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValidationContext")
            .field("operation", &self.operation.map(|operation| operation.name))
            .field("direction", &self.direction)
            .field("stored", &self.stored.is_some())
            .field("max_violations", &self.max_violations)
            .finish_non_exhaustive()
    }
}
