//! Shapes of variants, as tables for the runtime.

mod bounds;
mod place;
mod plan;

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::super::super::rust::{RustTypes, ident};
use crate::model::{Api, Type, Union};
use plan::Forms;

/// Returns the facts about each variant: `&[Variant { name: "mail", has_discriminator: false, form: … }, …]`, in a
/// block with its imports.
pub fn variants(rust: &RustTypes<'_>, union: &Union) -> TokenStream {
    let facts = union.variants.iter().enumerate().map(|(at, variant)| {
        // A nested union keeps the discriminator, so that its own variants can have it.
        let is_nested = union.discriminator.is_some() && matches!(variant.ty, Type::Union(_));
        let (name, has) = (&variant.name.wire, is_nested || variant.discriminator.is_some());
        // If the discriminator or the JSON kind is enough, the value itself is not examined.
        let others = || union.variants.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| &other.ty);
        let mine = kinds(rust.api, &variant.ty);
        let kind_is_enough =
            union.discriminator.is_some() || others().map(|other| kinds(rust.api, other)).all(|its| its & mine == 0);
        let form = if kind_is_enough { of_kinds(mine) } else { Forms::new(rust).variant(&variant.ty, others()) };
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
const IMPORTS: [&str; 11] =
    ["ANY", "BOOL", "Bounds", "FRACTION", "ValueForm", "INTEGER", "LIST", "OBJECT", "ObjectForm", "TEXT", "Variant"];

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
        Type::Float | Type::Double | Type::Number => INTEGER | FRACTION,
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
pub fn imported_bits(kinds: u8) -> TokenStream {
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

pub fn of_kinds(kinds: u8) -> TokenStream {
    let bits = imported_bits(kinds);
    quote!(ValueForm::Kinds(#bits))
}
