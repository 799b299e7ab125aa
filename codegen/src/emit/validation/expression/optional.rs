//! Optional fields, and their values once they are present.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::code::{Code, Faults, Precedence, Representation};
use crate::model::{Field, Type};

/// Code with which generated rules read an optional field or parameter, and test whether it is present.
pub struct Optional<'a> {
    /// Option as a value.
    pub value: TokenStream,
    /// Option as a place, for a pattern.
    pub place: TokenStream,
    /// Ways in which the option can end without a value.
    pub faults: Faults,
    present: TokenStream,
    missing: TokenStream,
    ty: &'a Type,
    access: ValueAccess,
    level: Precedence,
}

/// How an option holds its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueAccess {
    /// By value.
    Value,
    /// By reference, to a value that is copied.
    Borrowed,
    /// By reference.
    Ref,
    /// As `&str`.
    Str,
    /// As `&String`.
    StringRef,
}

impl Optional<'_> {
    /// Returns the test for presence.
    pub fn is_present(&self) -> Code {
        let level = if self.present.to_string().starts_with('!') { Precedence::Unary } else { self.level };
        Code::bool(self.present.clone(), level, self.faults)
    }

    /// Returns the test for absence.
    pub fn is_missing(&self) -> Code {
        let level = if self.missing.to_string().starts_with('!') { Precedence::Unary } else { self.level };
        Code::bool(self.missing.clone(), level, self.faults)
    }

    /// Returns the value that is bound to a name.
    pub fn bound(&self, name: &Ident) -> Code {
        let tokens = quote!(#name);
        match self.access {
            ValueAccess::Value | ValueAccess::Borrowed => scalar(self.ty, tokens),
            ValueAccess::Ref => referenced(self.ty, tokens),
            ValueAccess::Str => Code::atom(tokens, Representation::Str),
            ValueAccess::StringRef => Code::atom(tokens, Representation::StringRef),
        }
    }

    /// Returns the value if it is required.
    pub fn required(&self) -> Code {
        let value = &self.value;
        let value = quote!(cel::require(#value)?);
        let code = match self.access {
            ValueAccess::Value => scalar(self.ty, value),
            ValueAccess::Borrowed => scalar(self.ty, quote!((*#value))),
            ValueAccess::Ref => referenced(self.ty, value),
            ValueAccess::Str => Code::atom(value, Representation::Str),
            ValueAccess::StringRef => Code::atom(value, Representation::StringRef),
        };
        code.with_faults(Faults::Absent).with_faults(self.faults)
    }

    /// Returns the pattern that binds it, for the option as a value.
    pub fn pattern(&self, name: &Ident) -> TokenStream {
        if self.access == ValueAccess::Borrowed { quote!(&#name) } else { quote!(#name) }
    }

    /// Returns the pattern that binds it, for the option as a place.
    pub fn pattern_of_place(&self, name: &Ident) -> TokenStream {
        self.pattern(name)
    }
}

/// Returns a value that is copied or converted, by its schema type.
pub fn scalar(ty: &Type, tokens: TokenStream) -> Code {
    match ty {
        Type::Int32 | Type::Uint32 => Code::atom(tokens, Representation::Narrow),
        ty if ty.wrapper().is_some() => Code::atom(quote!(#tokens.0), Representation::Value),
        Type::Float => Code::atom(quote!(f64::from(#tokens)), Representation::Value),
        Type::Duration => Code::atom(quote!(#tokens.to_signed()), Representation::Value),
        // Conditions read it as the nearest double.
        Type::Number => Code::atom(quote!(#tokens.as_f64()), Representation::Value),
        _ => Code::atom(tokens, Representation::Value),
    }
}

/// Returns a value behind a reference, by its schema type.
fn referenced(ty: &Type, tokens: TokenStream) -> Code {
    if *ty == Type::Number { scalar(ty, tokens) } else { Code::atom(tokens, Representation::Ref) }
}

/// Returns whether values of a type are copied.
pub fn is_copied(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Bool
            | Type::Int32
            | Type::Int64(_)
            | Type::Uint32
            | Type::Uint64(_)
            | Type::Float
            | Type::Double
            | Type::Date
            | Type::DateTime
            | Type::Duration
    )
}

/// Returns the value behind a place or a reference.
pub fn deref_value(ty: &Type, tokens: TokenStream, reference: bool) -> Code {
    match ty {
        ty if is_copied(ty) && reference => scalar(ty, quote!((*#tokens))),
        ty if is_copied(ty) => scalar(ty, tokens),
        Type::Number => scalar(ty, tokens),
        Type::String if reference => Code::atom(tokens, Representation::StringRef),
        _ => Code::atom(tokens, if reference { Representation::Ref } else { Representation::Place }),
    }
}

/// Describes how generated rules read an optional field or parameter, and test whether it is present. An empty list
/// or map is present only if it has explicit presence. `faults` are those of the code in `place`.
pub fn field_option(
    ty: &Type,
    place: TokenStream,
    boxed: bool,
    explicit_presence: bool,
    faults: Faults,
) -> Optional<'_> {
    let (value, pattern, held) = match ty {
        Type::String => (quote!(#place.as_deref()), quote!(#place.as_deref()), ValueAccess::Str),
        ty if is_copied(ty) => (place.clone(), place.clone(), ValueAccess::Value),
        _ if boxed => (quote!(#place.as_deref()), quote!(#place.as_deref()), ValueAccess::Ref),
        _ => (quote!(#place.as_ref()), quote!(&#place), ValueAccess::Ref),
    };
    let (present, missing) = if ty.is_collection() && !explicit_presence {
        (quote!(!#place.is_empty()), quote!(#place.is_empty()))
    } else {
        (quote!(#place.is_some()), quote!(#place.is_none()))
    };
    Optional { value, place: pattern, faults, present, missing, ty, access: held, level: Precedence::Atom }
}

/// Describes how generated rules test the presence of a field that can be null, which is present if it is null.
pub fn nullable_field_option(ty: &Type, place: TokenStream, faults: Faults) -> Optional<'_> {
    let (present, missing) = (quote!(!#place.is_absent()), quote!(#place.is_absent()));
    Optional { present, missing, ..field_option(ty, place, false, true, faults) }
}

/// Describes how generated rules read a field of a merge patch, which is present if the patch sets it.
pub fn patch_field_option<'a>(field: &'a Field, place: &TokenStream, faults: Faults) -> Optional<'a> {
    let ty = &field.ty;
    let held = match ty {
        Type::String => ValueAccess::StringRef,
        ty if is_copied(ty) => ValueAccess::Borrowed,
        _ => ValueAccess::Ref,
    };
    let value = if field.boxed { quote!(#place.as_set().map(|inner| &**inner)) } else { quote!(#place.as_set()) };
    let (present, missing) = if ty.is_collection() {
        let items = quote!(#place.as_set());
        (quote!(#items.is_some_and(|items| !items.is_empty())), quote!(#items.is_none_or(|items| items.is_empty())))
    } else {
        (quote!(#place.is_set()), quote!(!#place.is_set()))
    };
    Optional { place: value.clone(), value, faults, present, missing, ty, access: held, level: Precedence::Atom }
}
