//! Merge patches (RFC 7396): the difference of two values, and its application.
//!
//! Property tests check the law that applying the difference of `old` and `new` to `old` gives `new`.

mod field;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::patch::Patch;

/// Value that can be changed by a merge patch.
///
/// Scalars, lists and `any` values are replaced as a whole, so their patch is a value of their own type. Objects and
/// maps are merged field by field, so their patch holds a [`Patch`] for each. An `object`, whose fields no schema
/// knows, is treated like `any`.
///
/// RFC 7396 cannot represent two cases: inside an `any` value `null` is data, but a field that is set to `null` as a
/// whole reads as cleared; and an `any` value that is an object is replaced here, where an implementation without the
/// schema would merge it.
pub trait Merge: Sized {
    /// Type of a merge patch of the value.
    type Patch;

    /// Returns the smallest patch that turns `self` into `new`, or `None` if they are equal.
    fn diff(&self, new: &Self) -> Option<Self::Patch>;

    /// Applies a patch to `self`.
    fn apply(&mut self, patch: Self::Patch);

    /// Creates the value that a patch gives where there was none: RFC 7396 applies it to an empty object.
    fn create(patch: Self::Patch) -> Self;

    /// Returns the patch that creates this value: `create(value.to_patch())` equals `value`.
    fn to_patch(&self) -> Self::Patch;
}

/// Field of a resource that can be patched: an option, a list or a map.
pub trait MergeField {
    /// Type of a patch of this field, usually a [`Patch`].
    type Patch;

    /// Returns the smallest patch that turns this field into `new`; [`Patch::Keep`] if they are equal.
    fn diff_field(&self, new: &Self) -> Self::Patch;

    /// Applies a patch to the field.
    fn apply_field(&mut self, patch: Self::Patch);
}

/// Implements [`Merge`] for types that a patch replaces as a whole. They must be `Clone` and `PartialEq`.
#[doc(hidden)]
#[macro_export]
macro_rules! merge_whole {
    ($($ty:ty),* $(,)?) => {$(
        impl $crate::Merge for $ty {
            type Patch = Self;

            #[inline]
            fn diff(&self, new: &Self) -> ::core::option::Option<Self> {
                (self != new).then(|| ::core::clone::Clone::clone(new))
            }

            #[inline]
            fn apply(&mut self, patch: Self) {
                *self = patch;
            }

            #[inline]
            fn create(patch: Self) -> Self {
                patch
            }

            #[inline]
            fn to_patch(&self) -> Self {
                ::core::clone::Clone::clone(self)
            }
        }
    )*};
}

/// Applies a patch to the default value, and returns the result.
pub fn create_from_patch<T: Merge + Default>(patch: T::Patch) -> T {
    let mut value = T::default();
    value.apply(patch);
    value
}

/// Returns the patch that turns the default value into this one.
pub fn diff_to_default<T: Merge<Patch: Default> + Default>(value: &T) -> T::Patch {
    T::default().diff(value).unwrap_or_default()
}

/// Implements [`Merge`] for an object and its patch, and [`ToWire`](crate::ToWire) for the patch, given their common
/// fields: `merge_object!(Event => EventPatch { id, status, start });`. Both must be `Default`, the object `PartialEq`;
/// each field of the object must implement [`MergeField`], and the patch must have the patch of that field under the
/// same name.
#[doc(hidden)]
#[macro_export]
macro_rules! merge_object {
    ($ty:ty => $patch:path { $($field:ident),* $(,)? }) => {
        impl $crate::__private::ToWire for $patch {
            #[inline]
            fn to_wire<S: $crate::serde::Serializer>(&self, s: S) -> ::core::result::Result<S::Ok, S::Error> {
                $crate::__private::write_object(self, s)
            }
        }

        impl $crate::Merge for $ty {
            type Patch = $patch;

            fn diff(&self, new: &Self) -> ::core::option::Option<$patch> {
                if self == new {
                    return ::core::option::Option::None;
                }
                // A path with a module cannot be used in a struct expression here.
                type Changes = $patch;
                ::core::option::Option::Some(Changes {
                    $($field: $crate::__private::MergeField::diff_field(&self.$field, &new.$field),)*
                })
            }

            fn apply(&mut self, patch: $patch) {
                $($crate::__private::MergeField::apply_field(&mut self.$field, patch.$field);)*
            }

            fn create(patch: $patch) -> Self {
                $crate::__private::create_from_patch(patch)
            }

            fn to_patch(&self) -> $patch {
                $crate::__private::diff_to_default(self)
            }
        }
    };
}

merge_whole!(bool, i32, u32, i64, u64, f32, f64, crate::Number, String, Value, Map<String, Value>);

/// Lists are replaced as a whole (RFC 7396, section 1). As a value inside a map, an empty list is a list.
impl<T: Clone + PartialEq> Merge for Vec<T> {
    type Patch = Self;

    fn diff(&self, new: &Self) -> Option<Self> {
        (self != new).then(|| new.clone())
    }

    fn apply(&mut self, patch: Self) {
        *self = patch;
    }

    fn create(patch: Self) -> Self {
        patch
    }

    fn to_patch(&self) -> Self {
        self.clone()
    }
}

/// Nullable entry of a map. In memory null is distinct from a removed entry; in a merge patch both are null, which
/// removes the entry.
impl<T: Merge> Merge for Option<T> {
    type Patch = Option<T::Patch>;

    fn diff(&self, new: &Self) -> Option<Self::Patch> {
        match (self, new) {
            (None, None) => None,
            (_, None) => Some(None),
            (Some(old), Some(new)) => old.diff(new).map(Some),
            (None, Some(new)) => Some(Some(new.to_patch())),
        }
    }

    fn apply(&mut self, patch: Self::Patch) {
        *self = match (self.take(), patch) {
            (_, None) => None,
            (Some(mut value), Some(patch)) => {
                value.apply(patch);
                Some(value)
            }
            (None, Some(patch)) => Some(T::create(patch)),
        };
    }

    fn create(patch: Self::Patch) -> Self {
        patch.map(T::create)
    }

    fn to_patch(&self) -> Self::Patch {
        self.as_ref().map(T::to_patch)
    }
}

impl<T: Merge> Merge for Box<T> {
    type Patch = Box<T::Patch>;

    fn diff(&self, new: &Self) -> Option<Self::Patch> {
        (**self).diff(new).map(Box::new)
    }

    fn apply(&mut self, patch: Self::Patch) {
        (**self).apply(*patch);
    }

    fn create(patch: Self::Patch) -> Self {
        Self::new(T::create(*patch))
    }

    fn to_patch(&self) -> Self::Patch {
        Box::new((**self).to_patch())
    }
}

/// Maps are merged key by key; a removed key is [`Patch::Clear`].
impl<T: Merge> Merge for BTreeMap<String, T> {
    type Patch = BTreeMap<String, Patch<T::Patch>>;

    fn diff(&self, new: &Self) -> Option<Self::Patch> {
        let removed = self.keys().filter(|key| !new.contains_key(*key)).map(|key| (key.clone(), Patch::Clear));
        let changed = new.iter().filter_map(|(key, value)| {
            let patch = match self.get(key) {
                Some(old) => old.diff(value)?,
                None => value.to_patch(),
            };
            Some((key.clone(), Patch::Set(patch)))
        });
        let patch: Self::Patch = removed.chain(changed).collect();
        (!patch.is_empty()).then_some(patch)
    }

    fn apply(&mut self, patch: Self::Patch) {
        for (key, patch) in patch {
            match patch {
                Patch::Keep => {}
                Patch::Clear => drop(self.remove(&key)),
                Patch::Set(patch) => match self.get_mut(&key) {
                    Some(value) => value.apply(patch),
                    None => drop(self.insert(key, T::create(patch))),
                },
            }
        }
    }

    fn create(patch: Self::Patch) -> Self {
        let mut table = Self::new();
        table.apply(patch);
        table
    }

    fn to_patch(&self) -> Self::Patch {
        self.iter().map(|(key, value)| (key.clone(), Patch::Set(value.to_patch()))).collect()
    }
}

#[cfg(test)]
mod tests;
