//! XML representation of types, as tables for the runtime.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::rust::ident;
use super::unions::forms as unions;
use crate::model::xml::default_name;
use crate::model::{Api, Encoding, Field, Resource, ResourceId, Type, UnionId, Xml};

/// Rust paths of the API's types and of the runtime in the generated XML code.
pub struct XmlPaths {
    /// Path of the types: `crate`.
    pub types: TokenStream,
    /// Path of the runtime: `::wireform_runtime`.
    pub runtime: TokenStream,
}

impl XmlPaths {
    /// Creates the paths within the types crate.
    pub fn in_types_crate() -> Self {
        Self { types: quote!(crate), runtime: quote!(::wireform_runtime) }
    }
}

/// Returns the XML facts of a resource:
///
/// ```text
/// impl XmlObject for crate::Item {
///     fn xml() -> &'static ObjectDescription {
///         static OBJECT: ObjectDescription = ObjectDescription { fields: &[FieldDescription::element("id", XmlName::new("id"), XmlValue::Text)], rest: None };
///         &OBJECT
///     }
/// }
/// ```
pub fn of_resource(api: &Api, id: ResourceId) -> Option<TokenStream> {
    if !api.xml.resources.contains(&id) {
        return None;
    }
    let (resource, places) = (api.resource(id), XmlPaths::in_types_crate());
    let name = ident(&resource.name.ident);
    let members = resource.named_fields().iter().map(|field| member(api, &places, field));
    let rest = match resource.rest_field().map(|rest| &rest.ty) {
        Some(Type::Map(inner)) => {
            let inner = value(api, &places, inner);
            quote!(Some(&#inner))
        }
        _ => quote!(None),
    };
    let xml = quote!(::wireform_runtime::xml);
    Some(quote! {
        impl #xml::XmlObject for crate::#name {
            fn xml() -> &'static #xml::ObjectDescription {
                static OBJECT: #xml::ObjectDescription = #xml::ObjectDescription { fields: &[#(#members),*], rest: #rest };
                &OBJECT
            }
        }
    })
}

/// Emits the XML description of a field: text, attribute, element, or element for each item of a list.
fn member(api: &Api, places: &XmlPaths, field: &Field) -> TokenStream {
    let runtime = &places.runtime;
    let (member, wire) = (quote!(#runtime::xml::FieldDescription), &field.name.wire);
    let aliases = &field.aliases;
    let aliases = (!aliases.is_empty()).then(|| quote!(.aliases(&[#(#aliases),*])));
    if field.xml.text {
        let value = value(api, places, &field.ty);
        return quote!(#member::text(#wire, #value) #aliases);
    }
    let own = name(places, &field.xml_name(), &field.xml);
    let (kind, value) = match &field.ty {
        _ if field.xml.attribute => (quote!(attribute), value(api, places, &field.ty)),
        Type::List(inner) if field.xml.wrapped => {
            let items = field.xml.items.clone().unwrap_or_else(|| field.xml_name());
            (quote!(element), list(api, places, &name(places, &items, &field.xml), inner))
        }
        Type::List(inner) => (quote!(elements), value(api, places, inner)),
        ty => (quote!(element), value(api, places, ty)),
    };
    quote!(#member::#kind(#wire, #own, #value) #aliases)
}

/// Returns an XML name: `XmlName::new("item").in_namespace("a", "https://example.com")`.
fn name(places: &XmlPaths, local: &str, xml: &Xml) -> TokenStream {
    let runtime = &places.runtime;
    let within = xml.namespace.as_ref().map(|namespace| {
        let prefix = xml.prefix.as_deref().unwrap_or_default();
        quote!(.in_namespace(#prefix, #namespace))
    });
    quote!(#runtime::xml::XmlName::new(#local) #within)
}

/// Emits the content of an element that wraps a list; `items` is the XML name of the inner elements.
fn list(api: &Api, places: &XmlPaths, items: &TokenStream, inner: &Type) -> TokenStream {
    let (runtime, inner) = (&places.runtime, value(api, places, inner));
    quote!(#runtime::xml::XmlValue::List(#items, &#inner))
}

/// Returns the content of an element.
fn value(api: &Api, places: &XmlPaths, ty: &Type) -> TokenStream {
    let XmlPaths { types, runtime } = places;
    let kind = match ty {
        Type::Bool => quote!(Bool),
        Type::Int32 | Type::Uint32 | Type::Float | Type::Double | Type::Number => quote!(Number),
        Type::Int64(encoding) | Type::Uint64(encoding) if *encoding != Encoding::DecimalString => quote!(Number),
        Type::String => quote!(Text),
        Type::Any | Type::Object | Type::Unresolved => quote!(Any),
        Type::Resource(id) => {
            let name = ident(&api.resource(*id).name.ident);
            quote!(Object(<#types::#name as #runtime::xml::XmlObject>::xml))
        }
        Type::Union(id) => {
            let name = ident(&api.union(*id).name.ident);
            quote!(Union(<#types::#name as #runtime::xml::XmlUnion>::xml))
        }
        Type::Enum(id) => match &api.enumeration(*id).wire_type {
            None => quote!(Token),
            Some(Type::Any) => {
                let bits = unions::bits(runtime, unions::kinds(api, ty));
                quote!(Mixed(#bits))
            }
            Some(_) => quote!(Number),
        },
        Type::List(inner) => {
            return list(api, places, &name(places, &element_name(api, inner), &Xml::default()), inner);
        }
        Type::Map(inner) => {
            let inner = value(api, places, inner);
            quote!(Map(&#inner))
        }
        Type::Nullable(inner) => return value(api, places, inner),
        Type::Int64(_)
        | Type::Uint64(_)
        | Type::Bytes(_)
        | Type::Date
        | Type::DateTime
        | Type::Duration
        | Type::Lexical(_) => quote!(Token),
    };
    quote!(#runtime::xml::XmlValue::#kind)
}

/// Returns the default name of a list's elements: that of the resource, or a generic one.
fn element_name(api: &Api, ty: &Type) -> String {
    match ty.non_null() {
        Type::Resource(id) => api.resource(*id).xml_name(),
        Type::Union(id) => default_name(&api.union(*id).name.wire),
        _ => "item".to_owned(),
    }
}

/// Returns the XML facts of a union.
pub fn of_union(api: &Api, id: UnionId) -> Option<TokenStream> {
    if !api.xml.unions.contains(&id) {
        return None;
    }
    let (union, places) = (api.union(id), XmlPaths::in_types_crate());
    let name = ident(&union.name.ident);
    let discriminator = union.discriminator.as_deref().unwrap_or_default();
    let variants = union.variants.iter().map(|variant| {
        let (name, value) = (&variant.name.wire, value(api, &places, &variant.ty));
        quote!((#name, #value))
    });
    let kinds = unions::bits(&places.runtime, unions::kinds(api, &Type::Union(id)));
    let xml = quote!(::wireform_runtime::xml);
    Some(quote! {
        impl #xml::XmlUnion for crate::#name {
            fn xml() -> &'static #xml::UnionDescription {
                static UNION: #xml::UnionDescription =
                    #xml::UnionDescription { discriminator: #discriminator, variants: &[#(#variants),*], kinds: #kinds };
                &UNION
            }
        }
    })
}

/// Returns the root element of a body: `XmlRoot::new(XmlName::new("Item"), Value::Object(…), &["application/xml"])`.
pub fn root(api: &Api, places: &XmlPaths, xml: &Xml, ty: &Type, media_types: &[String]) -> TokenStream {
    let runtime = &places.runtime;
    let of_resource = |resource: &Resource| {
        let has_facts = xml.namespace.is_some();
        let namespace = if has_facts { xml } else { &resource.xml };
        name(places, xml.name.as_ref().unwrap_or(&resource.xml_name()), namespace)
    };
    let own = match ty.non_null() {
        Type::Resource(id) => of_resource(api.resource(*id)),
        _ => name(places, xml.name.as_deref().unwrap_or_default(), xml),
    };
    let value = match ty.non_null() {
        Type::List(inner) => {
            let of_items = match inner.non_null() {
                Type::Resource(id) if xml.namespace.is_none() => &api.resource(*id).xml,
                _ => xml,
            };
            let items = xml.items.clone().unwrap_or_else(|| element_name(api, inner));
            list(api, places, &name(places, &items, of_items), inner)
        }
        other => value(api, places, other),
    };
    quote!(#runtime::xml::XmlRoot::new(#own, #value, &[#(#media_types),*]))
}
