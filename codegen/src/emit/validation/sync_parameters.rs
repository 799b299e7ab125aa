//! Parameters that cannot be combined with a sync token.

use proc_macro2::TokenStream;
use quote::quote;

use super::Crate;
use super::locations::parameter_location;
use crate::emit::parameters::{has_value, is_given};
use crate::model::{ForbiddenParameter, Literal, Operation};

/// Returns the checks of parameters that cannot be combined with the sync token.
pub fn checks(of: &Crate<'_>, operation: &Operation) -> Vec<TokenStream> {
    let Some(sync) = &operation.sync else { return Vec::new() };
    let resume = operation.parameter(sync.resume);
    let this = quote!(this);
    let (cursor, resumes) = (&resume.name.wire, is_given(&this, resume));
    let one = |forbidden: &ForbiddenParameter| {
        let parameter = operation.parameter(forbidden.parameter);
        let place = parameter_location(parameter);
        Some(match &forbidden.value {
            None => {
                let both = [resumes.clone(), is_given(&this, parameter)];
                quote! { checker.excludes(#place, #(#both)&&*, #cursor); }
            }
            Some(value) => {
                let both = [resumes.clone(), has_value(&of.rust, &this, parameter, value)?];
                let formatted = to_json(of, value);
                quote! { checker.excludes_value(#place, #(#both)&&*, #cursor, #formatted); }
            }
        })
    };
    sync.forbidden.iter().filter_map(one).collect()
}

/// Returns a value in JSON.
fn to_json(of: &Crate<'_>, value: &Literal) -> String {
    match value {
        Literal::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
        Literal::Enum(id, index) => {
            let value = of.api().enumeration(*id).value(*index);
            serde_json::Value::from(value.name.wire.as_str()).to_string()
        }
        Literal::Bool(value) => value.to_string(),
        Literal::Number(value) => crate::emit::rust::number(*value).to_string(),
        _ => String::new(),
    }
}
