//! The plan by which the runtime finds the variant of a value without a discriminator: what each variant says about its
//! values, as far as another variant says something else at the same place.

use std::cell::Cell;

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;
use serde_json::Value;

use super::bounds::{bounds, integers};
use super::place::Place;
use super::{ANY, imported_bits, kinds, of_kinds};
use crate::emit::rust::{RustTypes, ident};
use crate::model::{EnumId, Field, Lexical, Literal, Number, Required, Resource, Type, UnionId};

/// Maximum number of nested objects that the plan of a variant inspects. Decoding distinguishes objects beyond it.
const MAX_OBJECTS: usize = 64;

/// Maximum depth of nested places that the plan inspects.
const MAX_DEPTH: usize = 16;

/// Forms of the values of a variant.
pub struct Forms<'f, 'a> {
    rust: &'f RustTypes<'a>,
    /// Number of objects that can still be inspected.
    left: Cell<usize>,
}

impl<'f, 'a> Forms<'f, 'a> {
    /// Creates the forms of a variant.
    pub fn new(rust: &'f RustTypes<'a>) -> Self {
        Self { rust, left: Cell::new(MAX_OBJECTS) }
    }

    /// Returns the form of a variant, next to the types of the others.
    pub fn variant<'t>(&self, ty: &Type, others: impl Iterator<Item = &'t Type>) -> TokenStream {
        let rivals = distinct(others.flat_map(|ty| Place::variant(ty).expand(self.rust.api)));
        self.expanded(&Place::variant(ty), &rivals, 0)
    }

    /// Returns the form of a value; a union is expanded.
    fn expanded(&self, place: &Place, rivals: &[Place], depth: usize) -> TokenStream {
        match &place.ty {
            Type::Union(id) => self.union(*id, rivals, depth),
            _ => self.form(place, rivals, depth),
        }
    }

    /// Returns the form of the values of a union.
    fn union(&self, id: UnionId, rivals: &[Place], depth: usize) -> TokenStream {
        let union = self.rust.api.union(id);
        if let Some(member) = &union.discriminator {
            let names = union.variants.iter().map(|variant| &variant.name.wire);
            return quote!(ValueForm::Tagged(#member, &[#(#names),*]));
        }
        if depth >= MAX_DEPTH {
            return of_kinds(kinds(self.rust.api, &Type::Union(id)));
        }
        let forms = union.variants.iter().map(|variant| self.expanded(&Place::variant(&variant.ty), rivals, depth + 1));
        quote!(ValueForm::AnyOf(&[#(#forms),*]))
    }

    /// Returns the form of the values at a place, within their bounds.
    fn form(&self, place: &Place, rivals: &[Place], depth: usize) -> TokenStream {
        if let Some(form) = self.constant(place) {
            return form;
        }
        let mut form = self.of_type(place, rivals, depth);
        let mut rivals = rivals.iter().filter(|rival| self.is_rival(place, rival)).peekable();
        if rivals.peek().is_none() {
            return form;
        }
        let bounds = bounds(place);
        let is_exact = place.ty == Type::Bool || place.ty.integer_range().is_some() || place.ty.is_collection();
        if bounds.is_empty() && is_exact && rivals.any(Place::is_narrow) {
            return quote!(ValueForm::Loose(&#form));
        }
        for bounds in bounds {
            form = quote!(ValueForm::Bounded(&#form, #bounds));
        }
        form
    }

    /// Returns whether values of a kind that both places have are only distinguished by inspecting them.
    fn is_rival(&self, place: &Place, rival: &Place) -> bool {
        kinds(self.rust.api, &place.ty) & kinds(self.rust.api, &rival.ty) != 0 && rival.differs(place)
    }

    /// Returns the form of a constant.
    fn constant(&self, place: &Place) -> Option<TokenStream> {
        Some(match place.constraints.constant.as_ref()? {
            Literal::Text(text) => quote!(ValueForm::Text(#text)),
            Literal::Bool(flag) => quote!(ValueForm::Flag(#flag)),
            Literal::Number(Number::Int(value)) => integers(*value, *value, place.ty.is_decimal_string()),
            Literal::Number(Number::Float(value)) => number(*value),
            Literal::Number(Number::Decimal(value)) => number(value.nearest()),
            Literal::Enum(id, index) => {
                let enumeration = self.rust.api.enumeration(*id);
                let wire = &enumeration.value(*index).name.wire;
                match enumeration.wire_type {
                    None => quote!(ValueForm::Text(#wire)),
                    Some(_) => quote!(ValueForm::Json(#wire)),
                }
            }
            // No kind: null alone.
            Literal::Json(Value::Null) => quote!(ValueForm::Kinds(0)),
            Literal::Json(value @ (Value::Bool(_) | Value::String(_))) => {
                let json = value.to_string();
                quote!(ValueForm::Json(#json))
            }
            Literal::Json(_) => return None,
        })
    }

    /// Returns the form of the values of a type, without their bounds.
    fn of_type(&self, place: &Place, rivals: &[Place], depth: usize) -> TokenStream {
        let (form, api) = (quote!(ValueForm), self.rust.api);
        match &place.ty {
            Type::Int32 | Type::Uint32 | Type::Int64(_) | Type::Uint64(_) => {
                let (least, greatest) = place.ty.integer_range().unwrap_or_default();
                integers(least, greatest, place.ty.is_decimal_string())
            }
            Type::Float | Type::Double | Type::Number | Type::String | Type::Any | Type::Object | Type::Unresolved => {
                let bits = imported_bits(kinds(api, &place.ty));
                quote!(#form::LowPrecedence(#bits))
            }
            Type::Date => quote!(#form::DATE),
            Type::DateTime => quote!(#form::DATE_TIME),
            Type::Duration => quote!(#form::DURATION),
            Type::Lexical(Lexical::Decimal) => quote!(#form::BIG_DECIMAL),
            Type::Lexical(Lexical::IsoDuration) => quote!(#form::ISO_DURATION),
            Type::Lexical(Lexical::Time) => quote!(#form::TIME),
            Type::Lexical(Lexical::HttpDate) => quote!(#form::HTTP_DATE),
            Type::Bytes(_) => quote!(#form::BYTES),
            Type::Enum(id) => self.enumeration(*id),
            Type::List(inner) => {
                let inner = self.element(place, inner, rivals, depth);
                quote!(#form::List(&#inner))
            }
            Type::Map(inner) => {
                let inner = self.element(place, inner, rivals, depth);
                quote!(#form::Map(&#inner))
            }
            Type::Nullable(inner) => {
                let inner = self.form(&Place { ty: (**inner).clone(), ..place.clone() }, rivals, depth);
                quote!(#form::Nullable(&#inner))
            }
            Type::Resource(id) if api.resource(*id).outcome.is_none() => self.object(api.resource(*id), rivals, depth),
            Type::Bool | Type::Resource(_) | Type::Union(_) => of_kinds(kinds(api, &place.ty)),
        }
    }

    /// Returns the form of the elements of a list or a map. Unions in them are not expanded, because such unions can
    /// contain themselves.
    fn element(&self, place: &Place, inner: &Type, rivals: &[Place], depth: usize) -> TokenStream {
        let api = self.rust.api;
        let element = place.element().unwrap_or_else(|| Place::variant(inner));
        let form = if self.is_limit(&element, depth) {
            of_kinds(kinds(api, &element.ty))
        } else {
            let elements = rivals.iter().flat_map(|rival| rival.elements(api));
            self.form(&element, &distinct(elements.flat_map(|rival| rival.expand(api))), depth + 1)
        };
        if matches!(inner, Type::Nullable(_) | Type::Any) { quote!(ValueForm::Nullable(&#form)) } else { form }
    }

    /// Returns whether the values of a place are too deep or too many to be inspected.
    fn is_limit(&self, place: &Place, depth: usize) -> bool {
        let is_object = matches!(place.ty.innermost_type(), Type::Resource(_) | Type::Union(_));
        depth >= MAX_DEPTH || is_object && self.left.get() == 0
    }

    /// Emits the form of the values of an enum.
    fn enumeration(&self, id: EnumId) -> TokenStream {
        let enumeration = self.rust.api.enumeration(id);
        let (types, name) = (&self.rust.types, ident(&enumeration.name.ident));
        let form = if enumeration.wire_type.is_none() { ident("EnumValues") } else { ident("EnumJson") };
        quote! {
            ValueForm::#form(|text| <#types::#name as ::wireform_runtime::OpenEnum>::parse_known(text).is_some())
        }
    }

    /// Emits the form of a resource: the kinds of its fields, those that are nullable or required, and the forms of those
    /// about which another variant says something else.
    fn object(&self, resource: &Resource, rivals: &[Place], depth: usize) -> TokenStream {
        self.left.set(self.left.get().saturating_sub(1));
        let (api, types, name) = (self.rust.api, &self.rust.types, ident(&resource.name.ident));
        let members = resource.named_fields().iter().map(|field| match &field.ty {
            // Unions are open, so a value of any kind is possible.
            Type::Union(_) => imported_bits(ANY),
            ty => imported_bits(kinds(api, ty)),
        });
        let names = |keep: fn(&Field) -> bool| {
            resource.named_fields().iter().filter(move |field| keep(field)).map(|field| field.name.wire.as_str())
        };
        let nullable = names(|field| field.nullable || field.ty == Type::Any);
        let others = match resource.rest_field().map(|rest| rest.ty.innermost_type()) {
            Some(Type::Union(_)) => imported_bits(ANY),
            Some(ty) => imported_bits(kinds(api, ty)),
            None if resource.preserves_unknown => imported_bits(ANY),
            None => quote!(0),
        };
        let required = names(|field| field.behavior.required == Required::Everywhere);
        let fields = resource.named_fields().iter().enumerate().filter_map(|(index, field)| {
            let (form, index) = (self.field(field, rivals, depth)?, Lit::usize_unsuffixed(index));
            Some(quote!((#index, #form)))
        });
        quote! {
            ValueForm::Object(&ObjectForm {
                index: <#types::#name as ::wireform_runtime::__private::Object>::index,
                kinds: &[#(#members),*],
                additional: #others,
                nullable: &[#(#nullable),*],
                required: &[#(#required),*],
                fields: &[#(#fields),*],
            })
        }
    }

    /// Returns the form of the values of a field: of a constant, and where another variant says something else about
    /// values of the same kind.
    fn field(&self, field: &Field, rivals: &[Place], depth: usize) -> Option<TokenStream> {
        let (api, place) = (self.rust.api, Place::field(field));
        if let Some(form) = self.constant(&place) {
            return Some(form);
        }
        let own: Vec<Place> = rivals.iter().filter_map(|rival| rival.member(api, &field.name.wire)).collect();
        if !own.iter().any(|rival| self.is_rival(&place, rival)) || self.is_limit(&place, depth) {
            return None;
        }
        let own = distinct(own.iter().flat_map(|rival| rival.expand(api)));
        match &place.ty {
            Type::Union(id) => {
                let form = self.union(*id, &own, depth + 1);
                Some(quote!(ValueForm::Open(&#form)))
            }
            _ => Some(self.form(&place, &own, depth + 1)),
        }
    }
}

/// Emits the form of the only number.
fn number(value: f64) -> TokenStream {
    let value = Lit::f64_unsuffixed(value);
    quote!(ValueForm::Number(#value))
}

/// Returns the places of which none has the same values as another one. Without this their number would multiply with
/// each level of nested unions.
fn distinct(places: impl Iterator<Item = Place>) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    for place in places {
        if found.iter().all(|other| other.differs(&place)) {
            found.push(place);
        }
    }
    found
}
