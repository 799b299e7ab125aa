//! Facts about an operation, and the writing of its request.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

use super::super::super::rust::{RustTypes, ident, is_never_optional as field_is_plain};
use super::security::Constants;
use super::{alternatives, http, media, write};
use crate::model::{Body, Field, Format, ListStyle, Literal, Location, Number, Operation, Parameter, Type};

/// Returns the implementation of `Request`:
///
/// ```text
/// impl Request for EventsGet {
///     const API: &'static Api = &crate::requests::API;
///     const OPERATION: &'static Operation = &Operation { name: "events.get", … };
///     type Response = crate::Event;
///     type ErrorBody = crate::ErrorResponse;
///     fn write(&self, parts: &mut RequestEncoder) { … }
/// }
/// ```
pub fn request(rust: &RustTypes<'_>, constants: &Constants, operation: &Operation) -> TokenStream {
    let name = ident(&operation.types.request);
    let facts = operation_facts(rust, constants, operation);
    let response = super::rust_response_type(rust, operation);
    let error = match rust.api.error_body {
        Some(id) => rust.ty(&Type::Resource(id)),
        None => quote!(::wireform_runtime::Value),
    };
    let (prepare, conceal, fill) = (prepare(rust, operation), conceal(rust, operation), fill(rust, operation));
    let shape = super::response_resource(rust.api, operation).map(|resource| {
        let name = ident(&resource.name.ident);
        let option = &rust.option;
        quote! {
            const RESPONSE_SHAPE: #option<&'static ::wireform_runtime::fields::Shape> =
                Some(<crate::#name as ::wireform_runtime::fields::Selectable>::SHAPE);
        }
    });
    let ineffective = ineffective(rust, operation);
    let (bodiless, has_body) = bodiless(rust, operation).unzip();
    let (etag, write) = (etag(rust, operation), write::item(rust.api, operation));
    let (etag_member, etag) = etag.map(|etag| (etag.constant, etag.reader)).unzip();
    let content_type = operation.bodies().next().map(Body::client_media_type);
    let content_type = content_type.filter(|media_type| *media_type != "application/json").map(|media_type| {
        quote! { const CONTENT_TYPE: &'static str = #media_type; }
    });
    let media = media::constants(rust.api, operation);
    let xml = alternatives::xml(operation);
    quote! {
        impl ::wireform_runtime::Request for #name {
            const API: &'static operation::Api = &crate::requests::API;
            const OPERATION: &'static operation::Operation = &#facts;
            #content_type
            #media
            #shape
            #etag_member
            #bodiless

            type Response = #response;
            type ErrorBody = #error;

            #xml
            #prepare
            #ineffective
            #conceal
            #fill
            #has_body
            #etag
            #write
        }
    }
}

fn operation_facts(rust: &RustTypes<'_>, constants: &Constants, operation: &Operation) -> TokenStream {
    let (name, method) = (&operation.name, &operation.http.method);
    let (path, verb) = (http::path(operation, &operation.http), http::verb(&operation.http));
    let parameters = parameters(rust, &operation.parameters);
    let scopes = constants.need(operation);
    let (api_key, safe, idempotent) = (operation.api_key, operation.safe, operation.idempotent);
    let cost = Lit::u32_unsuffixed(operation.cost);
    quote! {
        operation::Operation {
            name: #name,
            method: #method,
            path: #path,
            verb: #verb,
            parameters: #parameters,
            scopes: #scopes,
            api_key: #api_key,
            safe: #safe,
            idempotent: #idempotent,
            cost: #cost,
        }
    }
}

/// Returns the parameters, with the module `operation` in scope; only their names if there are no other facts.
fn parameters(rust: &RustTypes<'_>, parameters: &[Parameter]) -> TokenStream {
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
        let beside = constant_details(rust, value);
        quote!(.constant(#text, #required) #beside)
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
        Literal::Number(Number::Float(_)) => quote!(.constant_kind(operation::ConstantKind::Float)),
        Literal::Enum(id, index) => {
            let definition = rust.api.enumeration(*id);
            let mut aliases =
                definition.value(*index).aliases.iter().map(|alias| definition.plain_text(alias)).peekable();
            if aliases.peek().is_some() { quote!(.constant_aliases(&[#(#aliases),*])) } else { TokenStream::new() }
        }
        Literal::Number(Number::Int(_) | Number::Decimal(_)) | Literal::Text(_) | Literal::Json(_) => {
            TokenStream::new()
        }
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

fn prepare(rust: &RustTypes<'_>, operation: &Operation) -> Option<TokenStream> {
    let name = &operation.name;
    let strip = in_body(
        operation,
        |body| rust.api.field_kinds(&body.ty).output_only,
        &|value| quote!(::wireform_runtime::FieldBehavior::strip_output_only(#value, #name);),
    )?;
    let refused = in_body(
        operation,
        |body| rust.api.field_kinds(&body.ty).rejected,
        &|value| quote!(::wireform_runtime::FieldBehavior::strip_ignored_output_only(#value, #name);),
    );
    let refuses = refused.is_some().then(|| quote! { const REJECTS_OUTPUT_ONLY: bool = true; });
    let refused = refused.map(|_| {
        // Without rejected fields the default implementation applies.
        let drop = in_body(
            operation,
            |body| rust.api.field_kinds(&body.ty).output_only,
            &|value| quote!(::wireform_runtime::FieldBehavior::strip_ignored_output_only(#value, #name);),
        );
        quote! { fn strip_ignored_output_only(&mut self) { #drop } }
    });
    Some(quote! {
        #refuses

        fn strip_output_only(&mut self) { #strip }
        #refused
    })
}

/// Returns code for the body, or for the alternatives that need it.
fn in_body(
    operation: &Operation,
    is_needed: impl Fn(&Body) -> bool,
    does: &dyn Fn(TokenStream) -> TokenStream,
) -> Option<TokenStream> {
    let body = operation.body.as_ref()?;
    if body.alternatives.is_empty() {
        return is_needed(body).then(|| does(quote!(&mut self.body)));
    }
    alternatives::in_body(operation, body, is_needed, &quote!(&mut self.body), &|_| does(quote!(value)))
}

/// Returns the method that drops ineffective fields:
///
/// ```text
/// fn strip_ineffective(&mut self, effective: &ConditionSet) { … }
/// ```
fn ineffective(rust: &RustTypes<'_>, operation: &Operation) -> Option<TokenStream> {
    let name = &operation.name;
    let drop = in_body(
        operation,
        |body| rust.api.field_kinds(&body.ty).ineffective,
        &|value| quote!(::wireform_runtime::FieldBehavior::strip_ineffective(#value, &context);),
    )?;
    Some(quote! {
        fn strip_ineffective(&mut self, effective: &::wireform_runtime::ConditionSet) {
            let context = ::wireform_runtime::WriteContext { operation: #name, effective };
            #drop
        }
    })
}

fn conceal(rust: &RustTypes<'_>, operation: &Operation) -> Option<TokenStream> {
    let name = &operation.name;
    let strip = |value: TokenStream| quote!(::wireform_runtime::FieldBehavior::strip_input_only(#value, #name););
    if !operation.response_alternatives().is_empty() {
        let strip =
            alternatives::in_response(operation, |ty| rust.api.field_kinds(ty).input_only, &strip(quote!(value)))?;
        return Some(quote! { fn strip_input_only(response: &mut Self::Response) { #strip } });
    }
    rust.api.field_kinds(super::response_type(operation)?).input_only.then(|| {
        let strip = strip(quote!(response));
        let strip = if operation.bodiless_status().is_some() {
            quote! {
                if let Some(response) = response {
                    #strip
                }
            }
        } else {
            strip
        };
        quote! {
            fn strip_input_only(response: &mut Self::Response) {
                #strip
            }
        }
    })
}

/// Returns the items for a success without a body:
///
/// ```text
/// const BODILESS: Option<u16> = Some(204);
/// fn has_body(response: &Self::Response) -> bool { response.is_some() }
/// ```
fn bodiless(rust: &RustTypes<'_>, operation: &Operation) -> Option<(TokenStream, TokenStream)> {
    let (status, option) = (Lit::u16_unsuffixed(operation.bodiless_status()?), &rust.option);
    Some((
        quote! { const NO_BODY_STATUS: #option<u16> = Some(#status); },
        quote! {
            fn has_body(response: &Self::Response) -> bool {
                response.is_some()
            }
        },
    ))
}

fn fill(rust: &RustTypes<'_>, operation: &Operation) -> Option<TokenStream> {
    let fill = in_body(
        operation,
        |body| rust.api.field_kinds(&body.ty).fill,
        &|value| quote!(::wireform_runtime::__private::Fill::fill(#value, new_id);),
    )?;
    Some(quote! {
        fn fill(&mut self, new_id: &mut dyn FnMut() -> ::std::string::String) { #fill }
    })
}

/// Entity tag in a field of the response.
struct EtagItems {
    /// `const ETAG`.
    constant: TokenStream,
    /// `fn etag`.
    reader: TokenStream,
}

fn etag(rust: &RustTypes<'_>, operation: &Operation) -> Option<EtagItems> {
    let is_etag = |field: &&Field| field.constraints.format == Some(Format::Etag) && field.ty == Type::String;
    let resource = super::response_resource(rust.api, operation).filter(|resource| resource.outcome.is_none())?;
    let field = resource.fields.iter().find(is_etag).filter(|field| !field_is_plain(field))?;
    let (member, wire, option) = (ident(&field.name.ident), &field.name.wire, &rust.option);
    let is_optional = operation.bodiless_status().is_some();
    let response = if is_optional { quote!(response.as_ref()?) } else { quote!(response) };
    let set = quote!(response.#member = Some(etag.to_owned()););
    let set = if is_optional { quote!(if let Some(response) = response { #set }) } else { set };
    let set = operation.has_list_entity_tag().then(|| {
        quote! {
            fn set_etag(response: &mut Self::Response, etag: &str) {
                #set
            }
        }
    });
    Some(EtagItems {
        constant: quote! { const ETAG_FIELD: #option<&'static str> = Some(#wire); },
        reader: quote! {
            fn etag(response: &Self::Response) -> #option<&str> {
                #response.#member.as_deref()
            }

            #set
        },
    })
}
