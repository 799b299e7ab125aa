//! Accessors with defaults, and the expressions that build a value from the JSON of a schema, without parsing.

mod texts;

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;
use serde_json::{Map, Value};

use super::super::docs;
use super::super::rust::{RustTypes, decimal, exact_number, ident, is_never_optional, number, suffixed};
use crate::model::{EnumId, Field, Literal, Name, Number, Resource, Type, UnionId, evident_variant};

/// Returns the accessor of a field with a default:
///
/// ```text
/// pub fn status_or_default(&self) -> &crate::EventStatus {
///     self.status.as_ref().unwrap_or(&crate::EventStatus::Confirmed)
/// }
/// ```
pub fn of_field(rust: &RustTypes<'_>, field: &Field) -> Option<TokenStream> {
    let copied = field.nullable.then(|| quote!(.as_ref().copied()));
    let member = ident(&field.name.ident);
    let value = if field.boxed { quote!(self.#member.as_deref()) } else { quote!(self.#member.as_ref()) };
    Some(accessor(rust, (&field.name, &field.ty), field.default.as_ref()?, copied, &value))
}

/// Returns the accessor of a field or parameter with a default; `copied` converts it to an option of a copy, and `value`
/// is an option of a reference to it.
pub fn accessor(
    rust: &RustTypes<'_>,
    (name, of): (&Name, &Type),
    default: &Literal,
    copied: Option<TokenStream>,
    value: &TokenStream,
) -> TokenStream {
    let member = ident(&name.ident);
    let method = suffixed(name, "_or_default");
    let doc = format!(" Returns {}, or its default if absent.", docs::link("Self", name));
    let ty = rust.ty(of);
    let (response, body) = match default {
        Literal::Bool(value) => (ty, quote! { self.#member #copied.unwrap_or(#value) }),
        Literal::Number(Number::Decimal(value)) => {
            let copied = copied.map_or_else(|| quote!(.clone()), |_| quote!(.as_ref().cloned()));
            let value = exact_number(*value);
            (ty, quote! { self.#member #copied.unwrap_or_else(|| #value) })
        }
        Literal::Number(value) => {
            let value = decimal(of, number(*value));
            (ty, quote! { self.#member #copied.unwrap_or(#value) })
        }
        Literal::Text(text) if matches!(of, Type::Bytes(_)) => {
            let bytes = texts::bytes(text);
            (quote!(&[u8]), quote! { self.#member.as_deref().unwrap_or(&[#(#bytes),*]) })
        }
        Literal::Text(text) => match texts::copied(of, text) {
            Some(value) => (ty, quote! { self.#member #copied.unwrap_or(#value) }),
            None => (quote!(&str), quote! { self.#member.as_deref().unwrap_or(#text) }),
        },
        Literal::Enum(id, index) => {
            let variant = ident(&rust.api.enumeration(*id).values[*index].name.ident);
            (quote!(&#ty), quote! { self.#member.as_ref().unwrap_or(&#ty::#variant) })
        }
        Literal::Json(json) => {
            let response = match of {
                Type::List(inner) => {
                    let inner = rust.ty(inner);
                    quote!(&[#inner])
                }
                _ => quote!(&#ty),
            };
            (response, lazily(&ty, value, &initializer(rust, of, json)))
        }
    };
    quote! {
        #[doc = #doc]
        #[must_use]
        pub fn #method(&self) -> #response { #body }
    }
}

/// Returns the body of the accessor of a value that is built once:
///
/// ```text
/// static DEFAULT: LazyLock<Vec<String>> = LazyLock::new(|| vec!["a".into()]);
/// self.tags.as_ref().unwrap_or(&DEFAULT)
/// ```
fn lazily(ty: &TokenStream, value: &TokenStream, initializer: &TokenStream) -> TokenStream {
    quote! {
        static DEFAULT: ::std::sync::LazyLock<#ty> = ::std::sync::LazyLock::new(#initializer);
        #value.unwrap_or(&DEFAULT)
    }
}

/// Returns the function that builds a value.
fn initializer(rust: &RustTypes<'_>, ty: &Type, json: &Value) -> TokenStream {
    let is_empty = match json {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    if is_empty && matches!(ty, Type::List(_) | Type::Map(_) | Type::Object | Type::Resource(_)) {
        return quote!(::std::default::Default::default);
    }
    let value = value(rust, ty, json);
    quote!(|| #value)
}

/// Returns the expression of a value of a type, which the resolver has compared with the type.
fn value(rust: &RustTypes<'_>, ty: &Type, json: &Value) -> TokenStream {
    let built = match (ty, json) {
        (Type::Nullable(_), Value::Null) => Some(quote!(None)),
        (Type::Nullable(inner), json) => {
            let inner = value(rust, inner, json);
            Some(quote!(Some(#inner)))
        }
        (Type::List(inner), Value::Array(items)) => {
            let items = items.iter().map(|item| value(rust, inner, item));
            Some(quote!(vec![#(#items),*]))
        }
        (Type::Map(inner), Value::Object(members)) => Some(map(rust, inner, members.iter())),
        (Type::Object, Value::Object(members)) => Some(object(rust, members)),
        (Type::Any, json) => Some(any(rust, json)),
        (Type::Resource(id), Value::Object(members)) => Some(resource(rust, rust.api.resource(*id), ty, members)),
        (Type::Enum(id), json) => enum_value(rust, *id, json),
        (Type::Union(id), json) => union(rust, *id, json),
        (ty, Value::String(text)) => texts::owned(rust, ty, text),
        (Type::Bool, Value::Bool(flag)) => Some(quote!(#flag)),
        (Type::Number, Value::Number(number)) => {
            let digits = number.to_string();
            Some(quote!(::wireform_runtime::__private::constants::number(#digits)))
        }
        (ty, Value::Number(digits)) => texts::number(ty, &digits.to_string()),
        _ => None,
    };
    // `resolve` rejects it; code with another value would hide the error.
    built.unwrap_or_else(|| quote!(::core::compile_error!("a default that was not checked")))
}

/// Returns the expression of a map.
fn map<'j>(
    rust: &RustTypes<'_>,
    inner: &Type,
    members: impl ExactSizeIterator<Item = (&'j String, &'j Value)>,
) -> TokenStream {
    if members.len() == 0 {
        return quote!(::std::collections::BTreeMap::new());
    }
    let members = members.map(|(key, json)| {
        let value = value(rust, inner, json);
        quote!((#key.into(), #value))
    });
    quote!(::std::collections::BTreeMap::from([#(#members),*]))
}

/// Returns the expression of an object of any members.
fn object(rust: &RustTypes<'_>, members: &Map<String, Value>) -> TokenStream {
    let map = rust.runtime(&quote!(Map));
    let members = members.iter().map(|(key, json)| {
        let value = any(rust, json);
        quote!((#key.into(), #value))
    });
    quote!(#map::from_iter([#(#members),*]))
}

/// Returns the expression of any JSON.
fn any(rust: &RustTypes<'_>, json: &Value) -> TokenStream {
    let value = rust.runtime(&quote!(Value));
    match json {
        Value::Null => quote!(#value::Null),
        Value::Bool(flag) => quote!(#value::Bool(#flag)),
        Value::Number(number) => {
            let digits = match (number.as_i64(), number.as_u64()) {
                (Some(number), _) => Lit::i64_suffixed(number),
                (_, Some(number)) => Lit::u64_suffixed(number),
                _ => Lit::f64_suffixed(number.as_f64().unwrap_or_default()),
            };
            quote!(#value::from(#digits))
        }
        Value::String(text) => quote!(#value::from(#text)),
        Value::Array(items) => {
            let items = items.iter().map(|item| any(rust, item));
            quote!(#value::Array(vec![#(#items),*]))
        }
        Value::Object(members) if members.is_empty() => {
            let map = rust.runtime(&quote!(Map));
            quote!(#value::Object(#map::new()))
        }
        Value::Object(members) => {
            let members = object(rust, members);
            quote!(#value::Object(#members))
        }
    }
}

/// Returns the expression of a resource: `Settings { size: Some(3), ..Default::default() }`.
fn resource(rust: &RustTypes<'_>, resource: &Resource, ty: &Type, members: &Map<String, Value>) -> TokenStream {
    let name = rust.ty(ty);
    let find = |field: &Field| members.get(&field.name.wire).filter(|json| field.nullable || !json.is_null());
    let named = resource.named_fields().iter().filter_map(|field| Some((field, find(field)?)));
    let mut values: Vec<TokenStream> = named.map(|(field, json)| member(rust, field, json)).collect();
    let is_named = |key: &str| resource.named_fields().iter().any(|field| field.name.wire == key);
    let others: Map<String, Value> =
        members.iter().filter(|(key, _)| !is_named(key)).map(|(key, json)| (key.clone(), json.clone())).collect();
    let has_others = !others.is_empty();
    match resource.rest_field() {
        Some(Field { name, ty: Type::Map(inner), .. }) if has_others => {
            let (member, fields) = (ident(&name.ident), rust.runtime(&quote!(AdditionalFields)));
            let map = map(rust, inner, others.iter());
            values.push(quote!(#member: #fields(#map)));
        }
        None if has_others && resource.preserves_unknown => {
            let (fields, map) = (rust.runtime(&quote!(UnknownFields)), map(rust, &Type::Any, others.iter()));
            values.push(quote!(unknown_members: #fields(#map)));
        }
        _ => {}
    }
    let count = resource.fields.len() + usize::from(resource.preserves_unknown);
    let rest = (values.len() < count).then(|| quote!(..::std::default::Default::default()));
    quote!(#name { #(#values,)* #rest })
}

/// Emits a field of a resource's value.
fn member(rust: &RustTypes<'_>, field: &Field, json: &Value) -> TokenStream {
    let (name, value) = (ident(&field.name.ident), value(rust, &field.ty, json));
    let value = if field.boxed { quote!(::std::boxed::Box::new(#value)) } else { value };
    let nullable = rust.runtime(&quote!(Nullable));
    match (is_never_optional(field), field.nullable) {
        (true, _) => quote!(#name: #value),
        (false, true) if json.is_null() => quote!(#name: #nullable::Null),
        (false, true) => quote!(#name: #nullable::Value(#value)),
        (false, false) => quote!(#name: Some(#value)),
    }
}

/// Returns the path of the variant of an enum; `None` if it has no such value.
fn enum_value(rust: &RustTypes<'_>, id: EnumId, json: &Value) -> Option<TokenStream> {
    let definition = rust.api.enumeration(id);
    let is_value = |text: &String| match json {
        Value::String(own) if own == text => true,
        json => serde_json::from_str::<Value>(text).is_ok_and(|value| value == *json),
    };
    let found = definition.values.iter().find(|value| is_value(&value.name.wire) || value.aliases.iter().any(is_value));
    let (ty, variant) = (rust.ty(&Type::Enum(id)), ident(&found?.name.ident));
    Some(quote!(#ty::#variant))
}

/// Returns the expression of a union, by the variant that the value evidently is.
fn union(rust: &RustTypes<'_>, id: UnionId, json: &Value) -> Option<TokenStream> {
    let union = rust.api.union(id);
    let variants: Vec<(&str, &Type)> =
        union.variants.iter().map(|variant| (variant.name.wire.as_str(), &variant.ty)).collect();
    let variant = union.variants.get(evident_variant(union.discriminator.as_deref(), &variants, json)?)?;
    let (ty, name) = (rust.ty(&Type::Union(id)), ident(&variant.name.ident));
    let value = match (&variant.ty, json) {
        (Type::Resource(id), Value::Object(members)) => {
            let of = rust.api.resource(*id);
            // A discriminator that is no field of the resource belongs to the union.
            let is_own = |key: &String| Some(key) != union.discriminator.as_ref() || variant.discriminator.is_some();
            let own = members.iter().filter(|(key, _)| is_own(key)).map(|(key, json)| (key.clone(), json.clone()));
            let value = resource(rust, of, &variant.ty, &own.collect());
            quote!(::std::boxed::Box::new(#value))
        }
        (ty, json) => value(rust, ty, json),
    };
    Some(quote!(#ty::#name(#value)))
}
