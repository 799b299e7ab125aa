//! Output-only and input-only fields: fields that only the server writes are dropped from requests, and fields that
//! only the client writes from responses.

mod matching;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::AdditionalFields;
use crate::conditions::WriteContext;
use crate::patch::Patch;

/// Type with output-only or input-only fields. Generated code clears those fields and descends into the others; the
/// methods do nothing by default.
pub trait FieldBehavior {
    /// Clears output-only fields in a request to the operation with this id, such as `events.insert`: clients read a
    /// resource, change it and send all of it back. The schema excludes some operations, hence the id.
    fn strip_output_only(&mut self, _operation: &str) {}

    /// Clears output-only fields as well, except those that the schema rejects: a server must find these to reject the
    /// request.
    fn strip_ignored_output_only(&mut self, operation: &str) {
        self.strip_output_only(operation);
    }

    /// Clears input-only fields in a response of the operation with this id.
    fn strip_input_only(&mut self, _operation: &str) {}

    /// Clears the fields of a request that have no effect because of a parameter or another field.
    fn strip_ineffective(&mut self, _context: &WriteContext<'_>) {}

    /// Copies fields that the request cannot change from the stored value: output-only fields, fields that do not
    /// change after creation, and fields without an effect. An element of a list copies from the stored element with
    /// the same identifier; elements without identifiers cannot be matched.
    fn restore_stored(&mut self, _stored: &Self, _context: &WriteContext<'_>)
    where
        Self: Sized,
    {
    }

    /// Returns the members that identify the value, each by itself, in the order of the schema and in the form in which
    /// they are compared; `None` for one that the value does not have.
    fn identifiers(&self) -> impl IntoIterator<Item = Option<Cow<'_, str>>> {
        std::iter::empty()
    }
}

/// Implements [`FieldBehavior`] for a container by descending into each item that the expression yields.
macro_rules! descend {
    ($(
        impl for $ty:ty: $this:ident => $items:expr $(, $stored:ident keeps $pairs:expr)? $(, { $($identity:item)* })?;
    )*) => {$(
        impl<T: FieldBehavior> FieldBehavior for $ty {
            fn strip_output_only(&mut self, operation: &str) {
                let $this = self;
                for item in $items {
                    item.strip_output_only(operation);
                }
            }

            fn strip_ignored_output_only(&mut self, operation: &str) {
                let $this = self;
                for item in $items {
                    item.strip_ignored_output_only(operation);
                }
            }

            fn strip_input_only(&mut self, operation: &str) {
                let $this = self;
                for item in $items {
                    item.strip_input_only(operation);
                }
            }

            fn strip_ineffective(&mut self, context: &WriteContext<'_>) {
                let $this = self;
                for item in $items {
                    item.strip_ineffective(context);
                }
            }

            $(
                fn restore_stored(&mut self, $stored: &Self, context: &WriteContext<'_>) {
                    let $this = self;
                    for (item, stored) in $pairs {
                        item.restore_stored(stored, context);
                    }
                }
            )?
            $($($identity)*)?
        }
    )*};
}

descend! {
    impl for Option<T>: option => option.iter_mut(), stored keeps option.iter_mut().zip(stored), {
        fn identifiers(&self) -> impl IntoIterator<Item = Option<Cow<'_, str>>> {
            self.iter().flat_map(T::identifiers)
        }
    };
    impl for Vec<T>: list => list.iter_mut(), stored keeps matching::pair_by_identifier(list, stored);
    impl for BTreeMap<String, T>: table => table.values_mut(),
        stored keeps table.iter_mut().filter_map(|(key, item)| Some((item, stored.get(key)?)));
    impl for AdditionalFields<T>: rest => rest.values_mut(),
        stored keeps rest.iter_mut().filter_map(|(key, item)| Some((item, stored.get(key)?)));
    impl for Patch<T>: patch => patch.as_set_mut().into_iter();
}

impl<T: FieldBehavior> FieldBehavior for Box<T> {
    fn strip_output_only(&mut self, operation: &str) {
        (**self).strip_output_only(operation);
    }

    fn strip_ignored_output_only(&mut self, operation: &str) {
        (**self).strip_ignored_output_only(operation);
    }

    fn strip_input_only(&mut self, operation: &str) {
        (**self).strip_input_only(operation);
    }

    fn strip_ineffective(&mut self, context: &WriteContext<'_>) {
        (**self).strip_ineffective(context);
    }

    fn restore_stored(&mut self, stored: &Self, context: &WriteContext<'_>) {
        (**self).restore_stored(stored, context);
    }

    fn identifiers(&self) -> impl IntoIterator<Item = Option<Cow<'_, str>>> {
        (**self).identifiers()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Deep = Option<Vec<Box<BTreeMap<String, Patch<Both>>>>>;

    #[derive(Debug, PartialEq)]
    struct Both(bool, bool);

    impl FieldBehavior for Both {
        fn strip_output_only(&mut self, operation: &str) {
            self.0 = operation == "events.import";
        }

        fn strip_input_only(&mut self, _operation: &str) {
            self.1 = false;
        }
    }

    #[test]
    fn descends_through_every_container() {
        let mut deep = Some(vec![Box::new(BTreeMap::from([("a".to_owned(), Patch::Set(Both(true, true)))]))]);
        let inside = |deep: &Deep| {
            deep.iter().flatten().flat_map(|table| table.values()).filter_map(Patch::as_set).map(|b| (b.0, b.1)).next()
        };
        deep.strip_output_only("events.import");
        assert_eq!(inside(&deep), Some((true, true)));
        deep.strip_output_only("events.insert");
        assert_eq!(inside(&deep), Some((false, true)));
        deep.strip_input_only("events.get");
        assert_eq!(inside(&deep), Some((false, false)));
    }
}
