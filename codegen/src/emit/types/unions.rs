//! Unions as enums: definitions and wire format.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::super::docs;
use super::super::rust::{RustTypes, ident, screaming_snake};
use super::{direction, fill};
use crate::model::{Api, Resource, TagKind, Type, Union, Variant};

mod constants;
pub mod forms;
mod nested;

/// Returns the definition of a union, its accessors, and the conversions into it.
pub fn items(rust: &RustTypes<'_>, union: &Union) -> Vec<TokenStream> {
    let mut items = vec![definition(rust, union)];
    items.extend((!union.variants.is_empty()).then(|| accessors(rust, union)));
    items.extend(union.variants.iter().filter_map(|variant| conversion(rust, union, variant)));
    items
}

/// Returns the definition of a union:
///
/// ```text
/// /// A way to reach someone.
/// #[derive(Clone, Debug, PartialEq)]
/// #[non_exhaustive]
/// pub enum Contact {
///     /// An address.
///     Mail(Box<crate::MailAddress>),
///     /// A value of a variant that this version does not know, kept unchanged.
///     Unknown(Value),
/// }
/// ```
fn definition(rust: &RustTypes<'_>, union: &Union) -> TokenStream {
    let name = ident(&union.name.ident);
    let facts = match &union.discriminator {
        Some(member) => format!("The field {} determines the variant.", docs::code_span(member)),
        None => "The shape of the value determines the variant.".to_owned(),
    };
    let doc = docs::attributes(&union.doc, &[facts]);
    let deprecated = docs::deprecated(union.deprecated.as_ref());
    let variants = union.variants.iter().map(|variant| {
        let (name, ty) = (ident(&variant.name.ident), value_type(rust, &variant.ty));
        let wire_value =
            union.discriminator.as_ref().map(|_| format!("{} on the wire.", docs::code_span(&variant.name.wire)));
        let doc = docs::attributes(&variant.doc, &wire_value.into_iter().collect::<Vec<_>>());
        let deprecated = docs::deprecated(variant.deprecated.as_ref());
        quote! { #doc #deprecated #name(#ty), }
    });
    let value = rust.runtime(&quote!(Value));
    quote! {
        #doc
        #deprecated
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum #name {
            #(#variants)*
            #[doc = " A value of a variant that this version does not know, kept unchanged."]
            Unknown(#value),
        }
    }
}

/// Returns the type of a variant's value. Resources are boxed: the union then is small whatever its variants are, and
/// a resource can contain a union that contains it.
fn value_type(rust: &RustTypes<'_>, ty: &Type) -> TokenStream {
    let inner = rust.ty(ty);
    if is_boxed(ty) { rust.boxed_type(&inner) } else { inner }
}

fn is_boxed(ty: &Type) -> bool {
    matches!(ty, Type::Resource(_))
}

/// Returns the accessors of the variants:
///
/// ```text
/// pub fn as_mail(&self) -> Option<&crate::MailAddress> { … }
/// ```
fn accessors(rust: &RustTypes<'_>, union: &Union) -> TokenStream {
    let name = ident(&union.name.ident);
    let option = &rust.option;
    let methods = union.variants.iter().map(|variant| {
        let (case, ty) = (ident(&variant.name.ident), rust.ty(&variant.ty));
        let method = accessor(variant);
        let doc = format!(" Returns the value if this is [`{0}`](Self::{0}).", variant.name.ident);
        let deprecated = docs::deprecated(variant.deprecated.as_ref());
        let value = if is_boxed(&variant.ty) { quote!(Some(&**value)) } else { quote!(Some(value)) };
        quote! {
            #[doc = #doc]
            #deprecated
            #[must_use]
            pub fn #method(&self) -> #option<&#ty> {
                match self {
                    Self::#case(value) => #value,
                    _ => None,
                }
            }
        }
    });
    quote! { impl #name { #(#methods)* } }
}

/// Returns the name of a variant's accessor: `as_mail`.
fn accessor(variant: &Variant) -> Ident {
    let snake = screaming_snake(&variant.name.ident).to_string().to_ascii_lowercase();
    format_ident!("as_{}", snake.trim_start_matches('_').trim_end_matches('_'))
}

/// Replaces enums by the first of their duplicates.
fn canonical_type(api: &Api, ty: &Type) -> Type {
    match ty {
        Type::Enum(id) => Type::Enum(api.canonical_enum(*id)),
        Type::List(inner) => Type::List(Box::new(canonical_type(api, inner))),
        Type::Map(inner) => Type::Map(Box::new(canonical_type(api, inner))),
        Type::Nullable(inner) => Type::Nullable(Box::new(canonical_type(api, inner))),
        other => other.clone(),
    }
}

/// Returns the conversion from the type of a variant, if no other variant has it. The discriminator is set if the
/// type has one.
fn conversion(rust: &RustTypes<'_>, union: &Union, variant: &Variant) -> Option<TokenStream> {
    let ty = rust.ty(&variant.ty);
    // Duplicate enums are the same Rust type.
    let rust_type = |ty: &Type| rust.ty(&canonical_type(rust.api, ty)).to_string();
    let same = |other: &&Variant| rust_type(&other.ty) == rust_type(&variant.ty);
    if variant.ty == Type::Any || union.variants.iter().filter(same).count() > 1 {
        return None;
    }
    let (name, case) = (ident(&union.name.ident), ident(&variant.name.ident));
    let constants = constants(rust, union, variant);
    let from = quote!(::core::convert::From);
    let member = variant.discriminator.and_then(|index| Some(resource(rust, &variant.ty)?.field(index)));
    let (parameter, setter) = match member {
        Some(field) => {
            let (member, set) = (ident(&field.name.ident), constants::tag(rust, field, &variant.name.wire));
            (quote!(mut value), Some(quote! { value.#member.#set; }))
        }
        None if constants.is_empty() => (quote!(value), None),
        None => (quote!(mut value), Some(quote! { #(#constants)* })),
    };
    let value = if is_boxed(&variant.ty) { quote!(::std::boxed::Box::new(value)) } else { quote!(value) };
    let text = (variant.ty == Type::String).then(|| {
        quote! {
            impl #from<&str> for #name {
                fn from(value: &str) -> Self {
                    Self::#case(value.into())
                }
            }
        }
    });
    Some(quote! {
        impl #from<#ty> for #name {
            fn from(#parameter: #ty) -> Self {
                #setter
                Self::#case(#value)
            }
        }
        #text
    })
}

/// Returns statements that set the fields by which the variant is recognized: those with only one allowed value.
fn constants(rust: &RustTypes<'_>, union: &Union, variant: &Variant) -> Vec<TokenStream> {
    let resource = resource(rust, &variant.ty).filter(|_| union.discriminator.is_none());
    resource.map_or_else(Vec::new, |resource| constants::fill(rust, resource))
}

/// Returns the resource that a type is; `None` for other types.
fn resource<'a>(rust: &RustTypes<'a>, ty: &Type) -> Option<&'a Resource> {
    match ty {
        Type::Resource(id) => Some(rust.api.resource(*id)),
        _ => None,
    }
}

/// Returns the wire format of a union.
pub fn wire(rust: &RustTypes<'_>, union: &Union, patched: bool) -> Vec<TokenStream> {
    let name = ident(&union.name.ident);
    let mut items = vec![
        implementation(rust, union),
        quote! { ::wireform_runtime::open_union!(#name); },
        direction::of_union(rust.api, union),
    ];
    items.extend(patched.then(|| quote! { ::wireform_runtime::merge_union!(#name); }));
    items.extend(fill::of_union(rust.api, union));
    items
}

/// Emits `impl OpenUnion`: how variants are recognized, read and written.
fn implementation(rust: &RustTypes<'_>, union: &Union) -> TokenStream {
    let (option, result) = (&rust.option, &rust.result);
    let (name, schema_name) = (ident(&union.name.ident), &union.name.wire);
    let discriminator = match &union.discriminator {
        Some(member) => quote!(Some(#member)),
        None => quote!(None),
    };
    let tag = match union.tag {
        TagKind::Text => None,
        TagKind::Integer => Some(quote!(INTEGER)),
        TagKind::Bool => Some(quote!(BOOL)),
    };
    let tag = tag.map(|tag| quote! { const TAG: u8 = ::wireform_runtime::__private::unions::#tag; });
    let facts = forms::variants(rust, union);
    let (reads, writes) = (reads(union), writes(rust, union));
    let (read, write) = (
        quote!(::wireform_runtime::FromWire::from_wire(d)?),
        quote!(::wireform_runtime::serde::Serialize::serialize(value, s)),
    );
    let value = rust.runtime(&quote!(Value));
    quote! {
        impl ::wireform_runtime::__private::unions::OpenUnion for #name {
            const NAME: &'static str = #schema_name;
            const DISCRIMINATOR: #option<&'static str> = #discriminator;
            #tag
            const VARIANTS: &'static [::wireform_runtime::__private::unions::Variant] = #facts;

            fn read<'de, D: ::wireform_runtime::serde::Deserializer<'de>>(variant: usize, d: D) -> #result<Self, D::Error> {
                let value = match variant {
                    #(#reads,)*
                    _ => Self::Unknown(#read),
                };
                Ok(value)
            }

            fn from_unknown(value: #value) -> Self {
                Self::Unknown(value)
            }

            fn as_unknown(&self) -> #option<&#value> {
                match self {
                    Self::Unknown(value) => Some(value),
                    _ => None,
                }
            }

            fn write<S: ::wireform_runtime::serde::Serializer>(&self, s: S) -> #result<S::Ok, S::Error> {
                match self {
                    #(#writes,)*
                    Self::Unknown(value) => #write,
                }
            }
        }
    }
}

/// Emits the arms that read the variant with an index.
fn reads(union: &Union) -> Vec<TokenStream> {
    let arm = |(index, variant): (usize, &Variant)| {
        let (index, case) = (proc_macro2::Literal::usize_unsuffixed(index), ident(&variant.name.ident));
        quote! { #index => Self::#case(::wireform_runtime::FromWire::from_wire(d)?) }
    };
    union.variants.iter().enumerate().map(arm).collect()
}

/// Returns the value of the discriminator for a variant.
fn tag_literal(union: &Union, variant: &Variant) -> TokenStream {
    let name = &variant.name.wire;
    match union.tag {
        TagKind::Text => quote!(#name),
        TagKind::Integer => {
            let value = proc_macro2::Literal::i64_suffixed(name.parse().unwrap_or_default());
            quote!(#value)
        }
        TagKind::Bool => {
            let flag = name == "true";
            quote!(#flag)
        }
    }
}

/// Emits the arms that write a variant, adding the discriminator unless its value has one.
fn writes(rust: &RustTypes<'_>, union: &Union) -> Vec<TokenStream> {
    let arm = |variant: &Variant| {
        let case = ident(&variant.name.ident);
        let Some(member) = &union.discriminator else {
            return quote! { Self::#case(value) => ::wireform_runtime::serde::Serialize::serialize(value, s) };
        };
        let tag = tag_literal(union, variant);
        if let Type::Union(inner) = variant.ty {
            let write = nested::write(rust, rust.api.union(inner), &[(member, &variant.name.wire)]);
            return quote! { Self::#case(value) => #write };
        }
        let has = match variant.discriminator.and_then(|index| Some(resource(rust, &variant.ty)?.field(index))) {
            Some(field) => {
                let field = ident(&field.name.ident);
                quote!(value.#field.is_some())
            }
            None => quote!(false),
        };
        quote! {
            Self::#case(value) => ::wireform_runtime::__private::unions::write_variant(s, #member, #tag, &**value, #has)
        }
    };
    union.variants.iter().map(arm).collect()
}
