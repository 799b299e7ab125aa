//! Parameter, or field of the request body, that selects a page.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::super::super::super::rust::{RustTypes, ident};
use super::super::structs::is_never_optional;
use super::body_resource;
use crate::model::Type;
use crate::model::{Operation, Pages};

/// Value of a request that selects a page.
pub struct PageValue {
    /// Field of the request, or of its body.
    member: Ident,
    ty: Type,
    place: Place,
}

/// Where the value is.
enum Place {
    /// In a field of the request, which is not an `Option` if the parameter is required.
    Parameter { required: bool },
    /// In a field of the request body, which may be absent, and in a `Nullable` there, of this type.
    Body { required: bool, nullable: Option<TokenStream> },
}

impl PageValue {
    /// Returns the value of an operation; `None` if pages are identified by URLs.
    pub fn new(rust: &RustTypes<'_>, operation: &Operation, pages: Pages) -> Option<Self> {
        let index = pages.request_value()?;
        if pages.in_body {
            let (body, field) = (operation.body.as_ref()?, body_resource(rust.api, operation)?.field(index));
            let nullable = field.nullable.then(|| rust.runtime(&quote!(Nullable)));
            let place = Place::Body { required: body.required, nullable };
            return Some(Self { member: ident(&field.name.ident), ty: field.ty.clone(), place });
        }
        let parameter = operation.parameter(index);
        let place = Place::Parameter { required: is_never_optional(parameter) };
        Some(Self { member: ident(&parameter.name.ident), ty: parameter.ty.clone(), place })
    }

    /// Returns the expression that reads the page as text, and the statements that set it.
    pub fn accessors(&self) -> (TokenStream, TokenStream) {
        let member = &self.member;
        let parsed = quote!(token.and_then(|token| token.parse().ok()));
        match (&self.place, self.ty == Type::String) {
            (Place::Parameter { required: true }, true) => {
                (quote!(Some(self.#member.as_str().into())), quote!(self.#member = token.unwrap_or_default();))
            }
            (Place::Parameter { required: false }, true) => {
                (quote!(self.#member.as_deref().map(Into::into)), quote!(self.#member = token;))
            }
            (Place::Parameter { required: true }, false) => {
                (quote!(Some(self.#member.to_string().into())), quote!(self.#member = #parsed.unwrap_or_default();))
            }
            (Place::Parameter { required: false }, false) => {
                (quote!(self.#member.map(|page| page.to_string().into())), quote!(self.#member = #parsed;))
            }
            (Place::Body { required, nullable }, is_text) => {
                let page = self.in_body(*required);
                let get = if is_text {
                    quote!(#page.map(|page| page.as_str().into()))
                } else {
                    quote!(#page.map(|page| page.to_string().into()))
                };
                let page = if is_text { quote!(token) } else { parsed };
                // The first page is requested without the field.
                let page =
                    nullable.as_ref().map_or_else(|| page.clone(), |ty| quote!(#page.map_or(#ty::Absent, #ty::Value)));
                let body = if *required { quote!(self.body) } else { quote!(self.body.get_or_insert_default()) };
                (get, quote!(#body.#member = #page;))
            }
        }
    }

    /// Returns the number of the requested page or item, or the first one.
    pub fn current(&self, first: i32) -> TokenStream {
        let (member, first) = (&self.member, Literal::i32_unsuffixed(first));
        let page = match &self.place {
            Place::Parameter { required: true } if self.ty.is_decimal_string() => return quote!(self.#member.0),
            Place::Parameter { required: true } => return quote!(self.#member),
            Place::Parameter { required: false } => quote!(self.#member),
            Place::Body { required, .. } => self.in_body(*required),
        };
        match &self.place {
            _ if self.ty.is_decimal_string() => quote!(#page.map_or(#first, |page| page.0)),
            Place::Parameter { .. } => quote!(#page.unwrap_or(#first)),
            Place::Body { .. } => quote!(#page.copied().unwrap_or(#first)),
        }
    }

    /// Returns a reference to the field of the body, if it is set.
    fn in_body(&self, required: bool) -> TokenStream {
        let member = &self.member;
        if required {
            quote!(self.body.#member.as_ref())
        } else {
            quote!(self.body.as_ref().and_then(|body| body.#member.as_ref()))
        }
    }
}

/// Returns the integer behind a reference to a value of the type.
pub fn integer(ty: &Type, value: &TokenStream) -> TokenStream {
    if ty.is_decimal_string() { quote!(#value.0) } else { quote!(*#value) }
}
