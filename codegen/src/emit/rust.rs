//! Names and types of the model as Rust tokens.

use proc_macro2::{Ident, Literal as Lit, Span, TokenStream};
use quote::quote;

use crate::model::{Api, Decimal, Encoding, Field, Name, Number, ResourceId, Type};

/// Returns an identifier of the model, raw where it is a keyword.
pub fn ident(text: &str) -> Ident {
    match text.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(text, Span::call_site()),
    }
}

/// Returns an identifier with a prefix: `with_summary`.
pub fn prefixed(prefix: &str, name: &Name) -> Ident {
    Ident::new(&format!("{prefix}{}", name.stem), Span::call_site())
}

/// Returns an identifier with a suffix: `status_or_default`.
pub fn suffixed(name: &Name, suffix: &str) -> Ident {
    Ident::new(&name.suffixed(suffix), Span::call_site())
}

/// Returns the name of a field's constant for partial responses: `START_TIME`.
pub fn constant_name(name: &Name) -> Ident {
    Ident::new(&name.ident.trim_start_matches("r#").to_ascii_uppercase(), Span::call_site())
}

/// Returns the constant named after a field: `conference_data` as `CONFERENCE_DATA`.
pub fn constant(name: &Name) -> Ident {
    Ident::new(&name.ident.trim_start_matches("r#").to_uppercase(), Span::call_site())
}

/// Returns the constant named after a type: `EventsInsert` as `EVENTS_INSERT`.
pub fn screaming_snake(pascal: &str) -> Ident {
    let mut text = String::with_capacity(pascal.len() + 8);
    for c in pascal.trim_start_matches("r#").chars() {
        if c.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        match c.is_ascii() {
            true => text.push(c.to_ascii_uppercase()),
            false => text.extend(c.to_uppercase()),
        }
    }
    Ident::new(&text, Span::call_site())
}

/// Returns the module named after a type: `EventsInsert` as `events_insert`.
pub fn snake(pascal: &str) -> String {
    screaming_snake(pascal).to_string().to_ascii_lowercase()
}

/// Rust types of an API. Names of the prelude are unqualified, for readability, unless the API defines a type of that
/// name.
pub struct RustTypes<'a> {
    /// API.
    pub api: &'a Api,
    /// Path of its types: `crate`, or the types crate.
    pub types: TokenStream,
    runtime: TokenStream,
    /// `Option`.
    pub option: TokenStream,
    /// `Result`.
    pub result: TokenStream,
    /// `Into`.
    pub into: TokenStream,
    /// `IntoIterator`.
    pub into_iterator: TokenStream,
    vec: TokenStream,
    string: TokenStream,
    boxed: TokenStream,
}

impl<'a> RustTypes<'a> {
    /// Creates the types for the types crate of an API.
    pub fn new(api: &'a Api) -> Self {
        Self::with_paths(api, quote!(crate), quote!(::wireform_runtime))
    }

    /// Creates the types for a crate with its own paths of the API's types and the runtime.
    pub fn with_paths(api: &'a Api, types: TokenStream, runtime: TokenStream) -> Self {
        let short = |name: &'static str, path: TokenStream| {
            let ident = Ident::new(name, Span::call_site());
            if api.shadowed_names.iter().any(|shadowed| shadowed == name) { path } else { quote!(#ident) }
        };
        Self {
            api,
            types,
            runtime,
            option: short("Option", quote!(::std::option::Option)),
            result: short("Result", quote!(::std::result::Result)),
            into: short("Into", quote!(::std::convert::Into)),
            into_iterator: short("IntoIterator", quote!(::std::iter::IntoIterator)),
            vec: short("Vec", quote!(::std::vec::Vec)),
            string: short("String", quote!(::std::string::String)),
            boxed: short("Box", quote!(::std::boxed::Box)),
        }
    }

    /// Returns the path of an item of the runtime.
    pub fn runtime(&self, name: &TokenStream) -> TokenStream {
        let runtime = &self.runtime;
        quote!(#runtime::#name)
    }

    /// Returns `Option<inner>`.
    pub fn optional(&self, inner: &TokenStream) -> TokenStream {
        let option = &self.option;
        quote!(#option<#inner>)
    }

    /// Returns the Rust type of a value.
    pub fn ty(&self, ty: &Type) -> TokenStream {
        match ty {
            Type::Bool => quote!(bool),
            Type::Int32 => quote!(i32),
            Type::Uint32 => quote!(u32),
            Type::Int64(Encoding::DecimalString) => self.runtime(&quote!(Decimal<i64>)),
            Type::Int64(Encoding::UnixSeconds) => self.runtime(&quote!(UnixTime)),
            Type::Int64(Encoding::UnixMilliseconds) => self.runtime(&quote!(UnixMillis)),
            Type::Int64(_) => quote!(i64),
            Type::Uint64(Encoding::DecimalString) => self.runtime(&quote!(Decimal<u64>)),
            Type::Uint64(_) => quote!(u64),
            Type::Float => quote!(f32),
            Type::Double => quote!(f64),
            Type::Number => self.runtime(&quote!(Number)),
            Type::String => self.string.clone(),
            Type::Bytes(Encoding::File) => self.runtime(&quote!(FilePart)),
            Type::Bytes(_) => self.runtime(&quote!(Bytes)),
            Type::Date => self.runtime(&quote!(Date)),
            Type::DateTime => self.runtime(&quote!(DateTime)),
            Type::Duration => self.runtime(&quote!(Duration)),
            Type::Lexical(lexical) => {
                let name = ident(lexical.rust_name());
                self.runtime(&quote!(#name))
            }
            Type::Any => self.runtime(&quote!(Value)),
            // `rules::verify` rejects it; code that decoded anything instead would hide the error.
            Type::Unresolved => quote!(::core::compile_error!("a type that was not resolved")),
            Type::Object => self.runtime(&quote!(Map)),
            Type::Resource(id) => self.definition(&self.api.resource(*id).name),
            Type::Enum(id) => self.definition(&self.api.enumeration(*id).name),
            Type::Union(id) => self.definition(&self.api.unions[id.0].name),
            Type::List(inner) => {
                let (vec, inner) = (&self.vec, self.ty(inner));
                quote!(#vec<#inner>)
            }
            Type::Map(inner) => {
                let (string, inner) = (&self.string, self.ty(inner));
                quote!(::std::collections::BTreeMap<#string, #inner>)
            }
            Type::Nullable(inner) => self.optional(&self.ty(inner)),
        }
    }

    /// Emits the path of a definition in the types crate: `types::Event`.
    fn definition(&self, name: &Name) -> TokenStream {
        let (types, ident) = (&self.types, ident(&name.ident));
        quote!(#types::#ident)
    }

    /// Returns `Box<inner>`.
    pub fn boxed_type(&self, inner: &TokenStream) -> TokenStream {
        let boxed = &self.boxed;
        quote!(#boxed<#inner>)
    }

    /// Returns the type of a value, boxed if required.
    fn boxed_value_type(&self, field: &Field) -> TokenStream {
        let inner = self.ty(&field.ty);
        if field.boxed { self.boxed_type(&inner) } else { inner }
    }

    /// Returns the type of a struct field: no wrapper for a list or map with implicit presence, `Nullable` if null is a
    /// value, otherwise `Option`.
    pub fn field_type(&self, field: &Field) -> TokenStream {
        if let (true, Type::Map(inner)) = (field.is_rest, &field.ty) {
            let inner = self.ty(inner);
            return self.runtime(&quote!(AdditionalFields<#inner>));
        }
        let inner = self.boxed_value_type(field);
        match (is_never_optional(field), field.nullable) {
            (true, _) => inner,
            (false, true) => self.runtime(&quote!(Nullable<#inner>)),
            (false, false) => self.optional(&inner),
        }
    }

    /// Returns the type of a patch's field.
    pub fn patch_field_type(&self, field: &Field) -> TokenStream {
        let inner = self.patch_value(&field.ty);
        let inner = if field.boxed { self.boxed_type(&inner) } else { inner };
        self.runtime(&quote!(Patch<#inner>))
    }

    /// Returns the type of the value that a merge patch sets.
    pub fn patch_value(&self, ty: &Type) -> TokenStream {
        match ty {
            Type::Resource(ResourceId(index)) => match &self.api.resources[*index].patch {
                Some(patch) => {
                    let (types, ident) = (&self.types, ident(patch));
                    quote!(#types::#ident)
                }
                None => self.ty(ty),
            },
            Type::Map(inner) => {
                let inner = self.patch_value(inner);
                self.runtime(&quote!(MapPatch<#inner>))
            }
            Type::Nullable(inner) => self.optional(&self.patch_value(inner)),
            other => self.ty(other),
        }
    }
}

/// Returns a `match` on a value, or an `if let` for a single pattern; returns `None` without arms.
pub fn match_expression(value: &TokenStream, arms: &[(TokenStream, TokenStream)]) -> Option<TokenStream> {
    exhaustive_match(usize::MAX, value, arms)
}

/// Returns the same for a value with a known number of patterns: without a wildcard if each has an arm.
pub fn exhaustive_match(all: usize, value: &TokenStream, arms: &[(TokenStream, TokenStream)]) -> Option<TokenStream> {
    let others = (arms.len() < all).then(|| quote! { _ => {} });
    match arms {
        [] => None,
        [(pattern, does)] => Some(quote! { if let #pattern = #value { #does } }),
        arms => {
            let arms = arms.iter().map(|(pattern, does)| quote! { #pattern => { #does } });
            Some(quote! { match #value { #(#arms)* #others } })
        }
    }
}

/// Returns whether the field is a list or map for which empty means absent.
pub fn is_never_optional(field: &Field) -> bool {
    field.ty.is_collection() && !field.explicit_presence
}

/// Emits a number of any precision.
pub fn exact_number(value: Decimal) -> TokenStream {
    let digits = value.to_string();
    quote!(::wireform_runtime::__private::constants::number(#digits))
}

/// Returns a number as a Rust literal of its type.
pub fn number(value: Number) -> TokenStream {
    match value {
        Number::Int(value) => {
            let digits = Lit::i128_unsuffixed(value);
            quote!(#digits)
        }
        Number::Float(value) => {
            let digits = Lit::f64_unsuffixed(value);
            quote!(#digits)
        }
        // As its text on the wire.
        Number::Decimal(value) => {
            let digits = value.to_string();
            quote!(#digits)
        }
    }
}

/// Wraps a number in the newtype of its encoding, such as `Decimal(…)`; other values are returned unchanged.
pub fn decimal(ty: &Type, value: TokenStream) -> TokenStream {
    match ty.wrapper().map(ident) {
        Some(wrapper) => quote!(::wireform_runtime::#wrapper(#value)),
        None => value,
    }
}

/// Returns the constructor of bytes with an encoding, if `From` does not cover it.
pub fn bytes_of(encoding: Encoding) -> Option<Ident> {
    let name = match encoding {
        Encoding::Base64 => "standard",
        Encoding::Base64Unpadded => "standard_unpadded",
        Encoding::Base64UrlUnpadded => "url_unpadded",
        _ => return None,
    };
    Some(ident(name))
}
