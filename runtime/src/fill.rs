//! Values that a client generates: a request without the identifier by which the server recognizes a retry gets one.

use std::collections::BTreeMap;

use crate::AdditionalFields;
use crate::patch::Patch;

/// Type with fields that a client fills in, directly or in nested values.
pub trait Fill {
    /// Fills in absent fields; `new_id` generates an identifier.
    fn fill(&mut self, new_id: &mut dyn FnMut() -> String);
}

/// Field that a client fills in.
pub trait FillField {
    /// Sets the field to a new identifier if it is absent.
    fn fill_field(&mut self, new_id: &mut dyn FnMut() -> String);
}

impl FillField for Option<String> {
    fn fill_field(&mut self, new_id: &mut dyn FnMut() -> String) {
        if self.is_none() {
            *self = Some(new_id());
        }
    }
}

impl FillField for Patch<String> {
    fn fill_field(&mut self, new_id: &mut dyn FnMut() -> String) {
        if self.is_keep() {
            *self = Patch::Set(new_id());
        }
    }
}

/// Implements [`Fill`] for a container by descending into each item that the expression yields.
macro_rules! descend {
    ($(impl for $ty:ty: $this:ident => $items:expr;)*) => {$(
        impl<T: Fill> Fill for $ty {
            fn fill(&mut self, new_id: &mut dyn FnMut() -> String) {
                let $this = self;
                for item in $items {
                    item.fill(new_id);
                }
            }
        }
    )*};
}

descend! {
    impl for Option<T>: option => option.iter_mut();
    impl for Vec<T>: list => list.iter_mut();
    impl for BTreeMap<String, T>: table => table.values_mut();
    impl for AdditionalFields<T>: rest => rest.values_mut();
    impl for Patch<T>: patch => patch.as_set_mut().into_iter();
}

impl<T: Fill + ?Sized> Fill for Box<T> {
    fn fill(&mut self, new_id: &mut dyn FnMut() -> String) {
        (**self).fill(new_id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Resource(Option<String>, Patch<String>);

    impl Fill for Resource {
        fn fill(&mut self, new_id: &mut dyn FnMut() -> String) {
            self.0.fill_field(new_id);
            self.1.fill_field(new_id);
        }
    }

    #[test]
    fn fills_only_absent_fields() {
        let mut resources =
            Some(vec![Box::new(Resource(None, Patch::Keep)), Box::new(Resource(Some("given".into()), Patch::Clear))]);
        let mut made = 0;
        resources.fill(&mut || {
            made += 1;
            format!("id{made}")
        });
        let resources = resources.unwrap();
        assert_eq!((resources[0].0.as_deref(), &resources[0].1), (Some("id1"), &Patch::Set("id2".to_owned())));
        assert_eq!((resources[1].0.as_deref(), &resources[1].1), (Some("given"), &Patch::Clear));
    }
}
