//! Field of a response, or of a resource within it.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::super::super::rust::{ident, is_never_optional as field_is_plain};
use crate::model::{Api, Field, FieldPath, Resource};

/// Field of a response, with the fields whose resources it is in.
#[derive(Clone)]
pub struct NestedField<'r> {
    outer: Vec<&'r Field>,
    pub field: &'r Field,
}

impl<'r> NestedField<'r> {
    /// Returns the field at a path.
    pub fn new(api: &'r Api, response: &'r Resource, path: FieldPath) -> Option<Self> {
        let mut outer = api.fields_at(response, path)?;
        let field = outer.pop()?;
        Some(Self { outer, field })
    }

    /// Returns the path of the field in a field mask: `meta/total`.
    pub fn mask(&self) -> String {
        let names = self.outer.iter().chain([&self.field]).map(|field| field.name.wire.as_str());
        names.collect::<Vec<_>>().join("/")
    }

    /// Returns the expression of a reference to the value, if it is present.
    pub fn reference(&self) -> TokenStream {
        self.and_then(|member| quote!(#member.as_ref()))
    }

    /// Returns an optional expression of the field, given its place.
    pub fn and_then(&self, expression: impl Fn(&TokenStream) -> TokenStream) -> TokenStream {
        self.within(&quote!(as_ref), expression, |owner, inner| quote!(#owner.and_then(|owner| #inner)))
    }

    /// Returns the expression of a number of the field, given its place; zero if it is absent.
    pub fn or_zero(&self, expression: impl Fn(&TokenStream) -> TokenStream) -> TokenStream {
        self.within(&quote!(as_ref), expression, |owner, inner| quote!(#owner.map_or(0, |owner| #inner)))
    }

    /// Returns an expression of the field that is true if the field is absent, given its place.
    pub fn is_none_or(&self, expression: impl Fn(&TokenStream) -> TokenStream) -> TokenStream {
        self.within(&quote!(as_ref), expression, |owner, inner| quote!(#owner.is_none_or(|owner| #inner)))
    }

    /// Returns the expression that takes the elements of a list or a map.
    pub fn take(&self) -> TokenStream {
        if field_is_plain(self.field) {
            let taken = |member: &TokenStream| quote!(::std::mem::take(&mut #member));
            return self.within(
                &quote!(as_mut),
                taken,
                |owner, inner| quote!(#owner.map(|owner| #inner).unwrap_or_default()),
            );
        }
        let taken = self.within(
            &quote!(as_mut),
            |member| quote!(#member.take()),
            |owner, inner| quote!(#owner.and_then(|owner| #inner)),
        );
        quote!(#taken.unwrap_or_default())
    }

    /// Returns an expression of the field; `combine` combines it with that of the resource that contains the field.
    fn within(
        &self,
        borrow: &TokenStream,
        expression: impl Fn(&TokenStream) -> TokenStream,
        combine: impl Fn(&TokenStream, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        let member = ident(&self.field.name.ident);
        let Some((first, others)) = self.outer.split_first() else { return expression(&quote!(response.#member)) };
        let first = ident(&first.name.ident);
        let owner = others.iter().fold(quote!(response.#first.#borrow()), |owner, next| {
            let next = ident(&next.name.ident);
            quote!(#owner.and_then(|outer| outer.#next.#borrow()))
        });
        combine(&owner, &expression(&quote!(owner.#member)))
    }
}
