//! What a value is checked for: the operation, the direction, what is stored.

use std::any::Any;
use std::fmt;

use wireform_runtime::operation::Operation;

/// How many violations are kept unless told otherwise.
pub const MOST_VIOLATIONS: usize = 100;

/// The index of an operation where there is none.
pub const NO_OPERATION: u16 = u16::MAX;

/// Whether a value is on its way to the server or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// It is sent to the server: all rules hold.
    Request,
    /// It comes from the server: values that are not known, and what only the server sets, are fine.
    Response,
}

/// What a value is checked for.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub(crate) operation: Option<&'static Operation>,
    pub(crate) index: u16,
    pub(crate) side: Side,
    pub(crate) stored: Option<&'a dyn Any>,
    pub(crate) most: usize,
    pub(crate) drift: bool,
    pub(crate) warns: bool,
}

impl Context<'static> {
    /// A value by itself: only what holds in every operation is asked.
    pub const VALUE: Self = Self {
        operation: None,
        index: NO_OPERATION,
        side: Side::Request,
        stored: None,
        most: MOST_VIOLATIONS,
        drift: false,
        warns: true,
    };

    /// Creates a request of that operation; the index is that by which the generated rules know it.
    #[must_use]
    pub const fn request(operation: &'static Operation, index: u16) -> Self {
        Self { operation: Some(operation), index, ..Self::VALUE }
    }

    /// Creates an answer of that operation.
    #[must_use]
    pub const fn response(operation: &'static Operation, index: u16) -> Self {
        Self { operation: Some(operation), index, side: Side::Response, ..Self::VALUE }
    }

    /// Creates a request of the operation with that number; of none, where the lists do not have it.
    #[must_use]
    pub const fn request_of(lists: &[&[(u16, &'static Operation)]], number: u16) -> Self {
        match numbered(lists, number) {
            Some(operation) => Self::request(operation, number),
            None => Self::VALUE,
        }
    }

    /// Creates an answer of the operation with that number; of none, where the lists do not have it.
    #[must_use]
    pub const fn response_of(lists: &[&[(u16, &'static Operation)]], number: u16) -> Self {
        match numbered(lists, number) {
            Some(operation) => Self::response(operation, number),
            None => Self::VALUE,
        }
    }
}

/// Looks for a number in lists that each have theirs in order.
const fn numbered(lists: &[&[(u16, &'static Operation)]], number: u16) -> Option<&'static Operation> {
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

impl<'a> Context<'a> {
    /// With the value that is stored where the request goes, so that rules about changes can be checked.
    #[must_use]
    pub fn with_stored<'b, T: Any>(self, stored: &'b T) -> Context<'b>
    where
        'a: 'b,
    {
        Context { stored: Some(stored), ..self }
    }

    /// With what is stored, where its type is not known.
    #[must_use]
    pub const fn with_any_stored<'b>(self, stored: Option<&'b dyn Any>) -> Context<'b>
    where
        'a: 'b,
    {
        Context { stored, ..self }
    }

    /// With another bound on the number of violations that are kept; further ones are counted.
    #[must_use]
    pub const fn keeping(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// Without warnings: they cost what making them costs, and a server tells nobody of them.
    #[must_use]
    pub const fn without_warnings(mut self) -> Self {
        self.warns = false;
        self
    }

    /// Returns whether the value is on its way to the server.
    pub(crate) const fn is_request(&self) -> bool {
        matches!(self.side, Side::Request)
    }

    /// Told of unknown values of enums as well, which an answer may have.
    pub(crate) const fn with_drift(mut self) -> Self {
        self.drift = true;
        self
    }

    /// Returns the operation.
    #[must_use]
    pub const fn operation(&self) -> Option<&'static Operation> {
        self.operation
    }
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("operation", &self.operation.map(|operation| operation.name))
            .field("side", &self.side)
            .field("stored", &self.stored.is_some())
            .field("most", &self.most)
            .finish_non_exhaustive()
    }
}
