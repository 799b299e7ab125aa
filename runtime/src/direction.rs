//! Which side may write a member: what only the server writes is dropped from requests, and what only the
//! client writes is dropped from responses.

use std::collections::BTreeMap;

use crate::Rest;
use crate::patch::Patch;

/// A type with members that only one side writes. Generated code clears those members and descends into the
/// others; both methods do nothing unless they are overridden.
pub trait Direction {
    /// Removes what only the server writes from a request to the operation with this id, such as
    /// `events.insert`: people read a resource, change it and send all of it back. Some operations are
    /// excepted by the schema, hence the id.
    fn strip_output_only(&mut self, _operation: &str) {}

    /// Removes the same but members that the schema refuses, which a server has to find to refuse them.
    fn drop_output_only(&mut self, operation: &str) {
        self.strip_output_only(operation);
    }

    /// Removes what only the client writes from a response of the operation with this id.
    fn strip_input_only(&mut self, _operation: &str) {}

    /// Takes over from what is stored what a client that sends a whole resource cannot say: members that only the
    /// server writes, and absent members that do not change after creation. Elements of lists are new ones: nothing
    /// says which of them is which.
    fn keep_stored(&mut self, _stored: &Self, _operation: &str)
    where
        Self: Sized,
    {
    }
}

/// Descends into each item that the expression yields.
macro_rules! descend {
    ($(impl for $ty:ty: $this:ident => $items:expr $(, $stored:ident keeps $pairs:expr)?;)*) => {$(
        impl<T: Direction> Direction for $ty {
            fn strip_output_only(&mut self, operation: &str) {
                let $this = self;
                for item in $items {
                    item.strip_output_only(operation);
                }
            }

            fn drop_output_only(&mut self, operation: &str) {
                let $this = self;
                for item in $items {
                    item.drop_output_only(operation);
                }
            }

            fn strip_input_only(&mut self, operation: &str) {
                let $this = self;
                for item in $items {
                    item.strip_input_only(operation);
                }
            }

            $(
                fn keep_stored(&mut self, $stored: &Self, operation: &str) {
                    let $this = self;
                    for (item, stored) in $pairs {
                        item.keep_stored(stored, operation);
                    }
                }
            )?
        }
    )*};
}

descend! {
    impl for Option<T>: option => option.iter_mut(), stored keeps option.iter_mut().zip(stored);
    impl for Vec<T>: list => list.iter_mut();
    impl for BTreeMap<String, T>: table => table.values_mut(),
        stored keeps table.iter_mut().filter_map(|(key, item)| Some((item, stored.get(key)?)));
    impl for Rest<T>: rest => rest.values_mut(),
        stored keeps rest.iter_mut().filter_map(|(key, item)| Some((item, stored.get(key)?)));
    impl for Patch<T>: patch => patch.as_set_mut().into_iter();
}

impl<T: Direction> Direction for Box<T> {
    fn strip_output_only(&mut self, operation: &str) {
        (**self).strip_output_only(operation);
    }

    fn drop_output_only(&mut self, operation: &str) {
        (**self).drop_output_only(operation);
    }

    fn strip_input_only(&mut self, operation: &str) {
        (**self).strip_input_only(operation);
    }

    fn keep_stored(&mut self, stored: &Self, operation: &str) {
        (**self).keep_stored(stored, operation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Deep = Option<Vec<Box<BTreeMap<String, Patch<Both>>>>>;

    #[derive(Debug, PartialEq)]
    struct Both(bool, bool);

    impl Direction for Both {
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
