//! Shapes of variants, as tables for the runtime.

use std::collections::BTreeSet;

use proc_macro2::{Literal as Lit, TokenStream, TokenTree};
use quote::quote;

use super::super::super::rust::{RustTypes, ident};
use crate::model::{Api, Field, Lexical, Literal, Required, Resource, Type, Union};

/// Returns the facts about each variant: `&[Variant { name: "mail", has_discriminator: false, form: … }, …]`, in a
/// block with its imports.
pub fn variants(rust: &RustTypes<'_>, union: &Union) -> TokenStream {
    let facts = union.variants.iter().enumerate().map(|(at, variant)| {
        // A nested union keeps the discriminator, so that its own variants can have it.
        let is_nested = union.discriminator.is_some() && matches!(variant.ty, Type::Union(_));
        let (name, has) = (&variant.name.wire, is_nested || variant.discriminator.is_some());
        // If the discriminator or the JSON kind is enough, the value itself is not examined.
        let others = union.variants.iter().enumerate().filter(|(other, _)| *other != at);
        let mine = kinds(rust.api, &variant.ty);
        let kind_is_enough = union.discriminator.is_some()
            || others.map(|(_, other)| kinds(rust.api, &other.ty)).all(|its| its & mine == 0);
        let form = if kind_is_enough { of_kinds(mine) } else { expanded_form(rust, &variant.ty) };
        quote!(Variant { name: #name, has_discriminator: #has, form: #form })
    });
    let facts: Vec<TokenStream> = facts.collect();
    let facts = quote!(&[#(#facts),*]);
    let mut used = BTreeSet::new();
    collect_identifiers(&facts, &mut used);
    let used = IMPORTS.iter().filter(|name| used.contains(**name)).map(|name| ident(name));
    quote! {
        {
            use ::wireform_runtime::__private::unions::{#(#used),*};
            #facts
        }
    }
}

/// Items that the facts may use, in the order of an import.
const IMPORTS: [&str; 10] =
    ["ANY", "BOOL", "FRACTION", "ValueForm", "INTEGER", "LIST", "OBJECT", "ObjectForm", "TEXT", "Variant"];

/// Adds the identifiers of tokens, except those after a `::`, which belong to other modules.
fn collect_identifiers(tokens: &TokenStream, found: &mut BTreeSet<String>) {
    let mut colons = 0;
    for token in tokens.clone() {
        match &token {
            TokenTree::Ident(word) if colons < 2 => drop(found.insert(word.to_string())),
            TokenTree::Group(group) => collect_identifiers(&group.stream(), found),
            _ => {}
        }
        colons = if matches!(&token, TokenTree::Punct(it) if it.as_char() == ':') { colons + 1 } else { 0 };
    }
}

/// Bits of the JSON kinds of a value, equal to those of the runtime's `unions` module.
const BOOL: u8 = 1;
const INTEGER: u8 = 2;
const FRACTION: u8 = 4;
const TEXT: u8 = 8;
const LIST: u8 = 16;
const OBJECT: u8 = 32;
pub const ANY: u8 = 63;

/// Returns the JSON kinds of a type's values, as bits of the runtime's constants.
pub fn kinds(api: &Api, ty: &Type) -> u8 {
    match ty {
        Type::Bool => BOOL,
        Type::Enum(id) => match api.enumeration(*id).wire_type {
            None => TEXT,
            Some(Type::Double) => INTEGER | FRACTION,
            Some(Type::Any) => TEXT | INTEGER | FRACTION | BOOL,
            Some(_) => INTEGER,
        },
        ty if ty.is_decimal_string() => INTEGER | TEXT,
        Type::Int32 | Type::Int64(_) | Type::Uint32 | Type::Uint64(_) => INTEGER,
        Type::Float | Type::Double => INTEGER | FRACTION,
        Type::String | Type::Bytes(_) | Type::Date | Type::DateTime | Type::Duration | Type::Lexical(_) => TEXT,
        Type::Any | Type::Unresolved => ANY,
        Type::Object | Type::Map(_) | Type::Resource(_) => OBJECT,
        Type::List(_) => LIST,
        Type::Nullable(inner) => kinds(api, inner),
        Type::Union(id) => {
            let union = api.union(*id);
            match union.discriminator {
                Some(_) => OBJECT,
                None => union.variants.iter().fold(0, |all, variant| all | kinds(api, &variant.ty)),
            }
        }
    }
}

/// Returns kinds with full paths: `unions::INTEGER | unions::TEXT`, in the runtime's path of the crate.
pub fn bits(runtime: &TokenStream, kinds: u8) -> TokenStream {
    named_bits(&quote!(#runtime::__private::unions::), kinds)
}

/// Returns kinds with imported names.
fn imported_bits(kinds: u8) -> TokenStream {
    named_bits(&TokenStream::new(), kinds)
}

fn named_bits(path: &TokenStream, kinds: u8) -> TokenStream {
    if kinds == ANY {
        return quote!(#path ANY);
    }
    let names = [
        (BOOL, "BOOL"),
        (INTEGER, "INTEGER"),
        (FRACTION, "FRACTION"),
        (TEXT, "TEXT"),
        (LIST, "LIST"),
        (OBJECT, "OBJECT"),
    ];
    let names = names.iter().filter(|(bit, _)| kinds & bit != 0).map(|(_, name)| ident(name));
    quote!(#(#path #names)|*)
}

fn of_kinds(kinds: u8) -> TokenStream {
    let bits = imported_bits(kinds);
    quote!(ValueForm::Kinds(#bits))
}

/// Returns the form of a variant. A nested union is expanded; one in a list or a map is not, because such unions can
/// contain themselves.
fn expanded_form(rust: &RustTypes<'_>, ty: &Type) -> TokenStream {
    let Type::Union(id) = ty else { return form(rust, ty) };
    let union = rust.api.union(*id);
    if let Some(member) = &union.discriminator {
        let names = union.variants.iter().map(|variant| &variant.name.wire);
        return quote!(ValueForm::Tagged(#member, &[#(#names),*]));
    }
    let forms = union.variants.iter().map(|variant| expanded_form(rust, &variant.ty));
    quote!(ValueForm::AnyOf(&[#(#forms),*]))
}

/// Emits the `ValueForm` of a type, by which the runtime recognizes a variant; unions are not expanded.
fn form(rust: &RustTypes<'_>, ty: &Type) -> TokenStream {
    let form = quote!(ValueForm);
    match ty {
        Type::Enum(id) if rust.api.enumeration(*id).wire_type == Some(Type::Any) => {
            let bits = imported_bits(kinds(rust.api, ty));
            quote!(#form::LowPrecedence(#bits))
        }
        Type::Enum(id) if rust.api.enumeration(*id).wire_type.is_some() => of_kinds(kinds(rust.api, ty)),
        Type::Int32 | Type::Uint32 | Type::Int64(_) | Type::Uint64(_) => {
            let (least, greatest) = ty.integer_range().unwrap_or_default();
            integers(least, greatest, ty.is_decimal_string())
        }
        Type::Float | Type::Double | Type::String | Type::Any | Type::Object | Type::Unresolved => {
            let bits = imported_bits(kinds(rust.api, ty));
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
        Type::Enum(id) => {
            let (types, name) = (&rust.types, ident(&rust.api.enumeration(*id).name.ident));
            quote! {
                #form::EnumValues(|text| <#types::#name as ::wireform_runtime::OpenEnum>::parse_known(text).is_some())
            }
        }
        Type::List(inner) => {
            let inner = self::form(rust, inner);
            quote!(#form::List(&#inner))
        }
        Type::Map(inner) => {
            let inner = self::form(rust, inner);
            quote!(#form::Map(&#inner))
        }
        Type::Nullable(inner) => {
            let inner = self::form(rust, inner);
            quote!(#form::Nullable(&#inner))
        }
        Type::Resource(id) if rust.api.resource(*id).outcome.is_none() => object(rust, rust.api.resource(*id)),
        Type::Bool | Type::Resource(_) | Type::Union(_) => of_kinds(kinds(rust.api, ty)),
    }
}

/// Emits the form of integers in an inclusive range; with `digits`, they are decimal strings.
fn integers(min: i128, max: i128, digits: bool) -> TokenStream {
    let (min, max) = (Lit::i128_unsuffixed(min), Lit::i128_unsuffixed(max));
    quote!(ValueForm::Integers { min: #min, max: #max, digits: #digits })
}

/// Emits the form of a resource: the kinds of its fields, and those that are nullable, required or constant.
fn object(rust: &RustTypes<'_>, resource: &Resource) -> TokenStream {
    let (types, name) = (&rust.types, ident(&resource.name.ident));
    let members = resource.named_fields().iter().map(|field| match &field.ty {
        // Unions are open, so a value of any kind is possible.
        Type::Union(_) => imported_bits(ANY),
        ty => imported_bits(kinds(rust.api, ty)),
    });
    let names = |keep: fn(&Field) -> bool| {
        resource.named_fields().iter().filter(move |field| keep(field)).map(|field| field.name.wire.as_str())
    };
    let nullable = names(|field| field.nullable || field.ty == Type::Any);
    let others = match resource.rest_field().map(|rest| rest.ty.innermost_type()) {
        Some(Type::Union(_)) => imported_bits(ANY),
        Some(ty) => imported_bits(kinds(rust.api, ty)),
        None if resource.preserves_unknown => imported_bits(ANY),
        None => quote!(0),
    };
    let required = names(|field| field.behavior.required == Required::Everywhere);
    let constants = resource.named_fields().iter().filter_map(|field| {
        let (name, text) = (&field.name.wire, constant(rust.api, field)?);
        Some(quote!((#name, #text)))
    });
    quote! {
        ValueForm::Object(&ObjectForm {
            index: <#types::#name as ::wireform_runtime::__private::Object>::index,
            kinds: &[#(#members),*],
            additional: #others,
            nullable: &[#(#nullable),*],
            required: &[#(#required),*],
            constants: &[#(#constants),*],
        })
    }
}

/// Returns the text that is the only allowed value of a field.
pub fn constant<'a>(api: &'a Api, field: &'a Field) -> Option<&'a str> {
    match field.constraints.constant.as_ref()? {
        Literal::Text(text) if field.ty == Type::String => Some(text.as_str()),
        Literal::Enum(id, index) if api.enumeration(*id).wire_type.is_none() => {
            Some(api.enumeration(*id).value(*index).name.wire.as_str())
        }
        _ => None,
    }
}
