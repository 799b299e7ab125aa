//! Facts about parameters: location, style and constants.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

use super::super::super::super::rust::RustTypes;
use crate::model::{ListStyle, Literal, Location, Number, Parameter, Type};

/// Returns the parameters, with the module `operation` in scope; only their names if there are no other facts.
pub fn parameters(rust: &RustTypes<'_>, parameters: &[Parameter]) -> TokenStream {
    let plain = |parameter: &Parameter| {
        matches!(parameter.style, ListStyle::Repeat | ListStyle::Json)
            && parameter.aliases.is_empty()
            && parameter.constraints.constant.is_none()
    };
    let in_path = parameters.iter().take_while(|parameter| parameter.location == Location::Path).count();
    let in_query = |parameter: &Parameter| parameter.location == Location::Query;
    if parameters.is_empty() || !parameters.iter().all(plain) || !parameters.iter().skip(in_path).all(in_query) {
        let parameters = parameters.iter().map(|parameter| short_parameter(rust, parameter));
        return quote!(&[#(#parameters),*]);
    }
    let (in_path, names) = (Lit::usize_unsuffixed(in_path), parameters.iter().map(|parameter| &parameter.name.wire));
    quote!(&operation::Parameter::of_path_and_query(#in_path, [#(#names),*]))
}

/// Returns a parameter, with the module `operation` in scope.
fn short_parameter(rust: &RustTypes<'_>, parameter: &Parameter) -> TokenStream {
    let rest = description(parameter, &members(rust, parameter));
    let constant = parameter.constraints.constant.as_ref().map(|value| {
        let (text, required) = (constant(rust, value), parameter.required);
        let details = constant_details(rust, value);
        quote!(.constant(#text, #required) #details)
    });
    quote!(operation::Parameter::#rest #constant)
}

/// Returns the wire text of a constant.
fn constant(rust: &RustTypes<'_>, value: &Literal) -> String {
    match value {
        Literal::Bool(value) => value.to_string(),
        Literal::Number(Number::Int(value)) => value.to_string(),
        Literal::Number(Number::Float(value)) => value.to_string(),
        Literal::Number(Number::Decimal(value)) => value.to_string(),
        Literal::Text(text) => text.clone(),
        Literal::Enum(id, index) => {
            let definition = rust.api.enumeration(*id);
            definition.plain_text(&definition.value(*index).name.wire)
        }
        // Constant parameters have no JSON values.
        Literal::Json(value) => value.to_string(),
    }
}

/// Returns further facts about a constant: its aliases, and the type in which it is compared.
fn constant_details(rust: &RustTypes<'_>, value: &Literal) -> TokenStream {
    match value {
        Literal::Bool(_) => quote!(.constant_kind(operation::ConstantKind::Bool)),
        Literal::Number(Number::Float(_) | Number::Decimal(_)) => {
            quote!(.constant_kind(operation::ConstantKind::Float))
        }
        Literal::Enum(id, index) => {
            let definition = rust.api.enumeration(*id);
            let mut aliases =
                definition.value(*index).aliases.iter().map(|alias| definition.plain_text(alias)).peekable();
            if aliases.peek().is_some() { quote!(.constant_aliases(&[#(#aliases),*])) } else { TokenStream::new() }
        }
        Literal::Number(Number::Int(_)) | Literal::Text(_) | Literal::Json(_) => TokenStream::new(),
    }
}

/// Returns a parameter with full paths.
pub fn parameter(parameter: &Parameter) -> TokenStream {
    let rest = description(parameter, &[]);
    quote!(::wireform_runtime::operation::Parameter::#rest)
}

/// Returns the names of the fields of a parameter.
fn members<'a>(rust: &RustTypes<'a>, parameter: &Parameter) -> Vec<&'a str> {
    let Type::Resource(id) = parameter.ty else { return Vec::new() };
    let fields = rust.api.resource(id).named_fields().iter();
    fields.flat_map(|field| std::iter::once(&field.name.wire).chain(&field.aliases)).map(String::as_str).collect()
}

/// Emits the constructor of a parameter's description and its setters: `query("ids").aliases(&["id"]).commas()`.
fn description(parameter: &Parameter, members: &[&str]) -> TokenStream {
    let wire = &parameter.name.wire;
    let location = match parameter.location {
        Location::Path => quote!(path),
        Location::Query => quote!(query),
        Location::Header => quote!(header),
        Location::Cookie => quote!(cookie),
    };
    let aliases = (!parameter.aliases.is_empty()).then(|| {
        let aliases = &parameter.aliases;
        quote!(.aliases(&[#(#aliases),*]))
    });
    let expansion = |variant: TokenStream| quote!(.with_expansion(::wireform_runtime::operation::Expansion::#variant));
    let style = match parameter.style {
        ListStyle::Pairs => expansion(quote!(Pairs)),
        ListStyle::Assigned => expansion(quote!(Assignments)),
        ListStyle::Members => expansion(quote!(Members(&[#(#members),*]))),
        ListStyle::Label { each } => expansion(quote!(Label { explode: #each })),
        ListStyle::Matrix { each } => expansion(quote!(Matrix { explode: #each })),
        ListStyle::Comma => quote!(.commas()),
        ListStyle::Space => quote!(.spaces()),
        ListStyle::Pipe => quote!(.pipes()),
        ListStyle::Deep | ListStyle::Brackets => quote!(.deep_object()),
        ListStyle::Repeat | ListStyle::Json => TokenStream::new(),
    };
    quote!(#location(#wire) #aliases #style)
}
