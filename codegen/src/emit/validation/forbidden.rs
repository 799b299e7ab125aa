//! What cannot be given beside the cursor of a list of changes.

use proc_macro2::TokenStream;
use quote::quote;

use super::Crate;
use super::requests::place;
use crate::emit::rust::ident;
use crate::model::{Encoding, Forbidden, Literal, Number, Operation, Parameter, Type};

/// What cannot be given beside the cursor of a list of changes.
pub fn checks(of: &Crate<'_>, operation: &Operation) -> Vec<TokenStream> {
    let Some(sync) = &operation.sync else { return Vec::new() };
    let Some(resume) = operation.parameters.get(sync.resume) else { return Vec::new() };
    let (cursor, is_given) = (&resume.name.wire, given(resume));
    let one = |forbidden: &Forbidden| {
        let parameter = operation.parameters.get(forbidden.parameter)?;
        let place = place(parameter);
        Some(match &forbidden.value {
            None => {
                let both = [is_given.clone(), given(parameter)];
                quote! { checker.forbidden(#place, #(#both)&&*, #cursor); }
            }
            Some(value) => {
                let both = [is_given.clone(), has_value(of, parameter, value)?];
                let shown = shown(of, value);
                quote! { checker.forbidden_value(#place, #(#both)&&*, #cursor, #shown); }
            }
        })
    };
    sync.forbids.iter().filter_map(one).collect()
}

/// Whether a parameter is given.
fn given(parameter: &Parameter) -> TokenStream {
    let name = ident(&parameter.name.ident);
    match (parameter.ty.is_collection(), parameter.required) {
        (true, _) => quote!(!this.#name.is_empty()),
        (false, true) => quote!(true),
        (false, false) => quote!(this.#name.is_some()),
    }
}

/// Whether a parameter is given with that value.
fn has_value(of: &Crate<'_>, parameter: &Parameter, value: &Literal) -> Option<TokenStream> {
    let name = ident(&parameter.name.ident);
    let pattern = match value {
        Literal::Bool(value) => quote!(#value),
        Literal::Number(Number::Int(value)) => {
            let digits = proc_macro2::Literal::i128_unsuffixed(*value);
            quote!(#digits)
        }
        Literal::Text(text) => quote!(#text),
        Literal::Enum(id, index) => {
            let definition = of.api().enumeration(*id);
            let (types, ty) = (&of.rust.types, ident(&definition.name.ident));
            let variant = ident(&definition.values.get(*index)?.name.ident);
            quote!(#types::#ty::#variant)
        }
        _ => return None,
    };
    let place = match parameter.ty {
        Type::String if parameter.required => quote!(this.#name.as_str()),
        Type::String => quote!(this.#name.as_deref()),
        Type::Bool | Type::Int32 | Type::Uint32 | Type::Int64(Encoding::Number) | Type::Uint64(Encoding::Number) => {
            quote!(this.#name)
        }
        Type::Enum(_) => quote!(&this.#name),
        _ => return None,
    };
    let pattern = if parameter.required { pattern } else { quote!(Some(#pattern)) };
    Some(quote!(matches!(#place, #pattern)))
}

/// A value as JSON writes it.
fn shown(of: &Crate<'_>, value: &Literal) -> String {
    match value {
        Literal::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
        Literal::Enum(id, index) => {
            let value = of.api().enumeration(*id).values.get(*index);
            value.map(|value| serde_json::Value::from(value.name.wire.as_str()).to_string()).unwrap_or_default()
        }
        Literal::Bool(value) => value.to_string(),
        Literal::Number(value) => crate::emit::rust::number(*value).to_string(),
        _ => String::new(),
    }
}
