//! Forms in request bodies.

pub mod brackets;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::docs;
use super::super::types::unions::forms as unions;
use super::{alternative_form_name, form_name};
use crate::model::{Api, Body, Encoding, Field, FormList, FormStyle, Operation, ResourceId, Type};

/// Returns the functions that describe the forms of an operation:
///
/// ```text
/// /// Form body of `tokens.create`.
/// pub fn form_tokens_create() -> &'static Form {
///     static FORM: Form = Form::new(&[FormField::text("grant_type"), FormField::number("days")]);
///     &FORM
/// }
/// ```
pub fn items(api: &Api, operation: &Operation) -> Vec<TokenStream> {
    let Some(body) = &operation.body else { return Vec::new() };
    let alternatives = body.alternatives.iter().enumerate();
    let alternatives = alternatives.map(|(place, one)| (alternative_form_name(operation, place), &one.body));
    let alone = body.alternatives.is_empty().then(|| (form_name(operation), body));
    alone.into_iter().chain(alternatives).filter_map(|(name, body)| item(api, operation, &name, body)).collect()
}

/// Emits the function that returns the form of a body; `None` if the body does not accept forms.
fn item(api: &Api, operation: &Operation, name: &Ident, body: &Body) -> Option<TokenStream> {
    let Type::Resource(id) = body.ty else { return None };
    if !body.accepts_form() {
        return None;
    }
    let form =
        if body.style == FormStyle::Brackets { brackets::form_of(api, id) } else { form_with(api, id, Some(body)) };
    let doc = format!(" Form body of {}.", docs::code_span(&operation.name));
    Some(quote! {
        #[doc = #doc]
        pub fn #name() -> &'static ::wireform_server::wireform_runtime::form::Form {
            #form
            &FORM
        }
    })
}

/// Returns the form of a resource, as the static `FORM`.
pub fn form_of(api: &Api, id: ResourceId) -> TokenStream {
    form_with(api, id, None)
}

/// Returns the form of a resource, where a body can have lists that are one form field each.
fn form_with(api: &Api, id: ResourceId, body: Option<&Body>) -> TokenStream {
    let resource = api.resource(id);
    let fields = resource.named_fields().iter().map(|one| {
        let delimiter = match body.and_then(|body| body.list(&one.name.wire)) {
            // A form field of any type is JSON.
            Some(FormList::Json) => return field(api, one, &Type::Any),
            Some(FormList::Comma) => quote!(.commas()),
            Some(FormList::Space) => quote!(.spaces()),
            Some(FormList::Pipe) => quote!(.pipes()),
            None => TokenStream::new(),
        };
        let field = field(api, one, &one.ty);
        quote!(#field #delimiter)
    });
    let rest = resource.rest_field().and_then(|rest| match &rest.ty {
        Type::Map(inner) => Some(field(api, rest, inner)),
        _ => None,
    });
    let rest = rest.map(|rest| quote!(.with_other_fields(&#rest)));
    quote! {
        use ::wireform_server::wireform_runtime::form::{Form, FormField};

        static FORM: Form = Form::new(&[#(#fields),*]) #rest;
    }
}

/// Returns the form of a map, whose entries all have one type.
pub fn form_of_map(api: &Api, inner: &Type) -> TokenStream {
    let rest = field_of(api, ("", &[]), inner);
    quote! {
        use ::wireform_server::wireform_runtime::form::{Form, FormField};

        static FORM: Form = Form::new(&[]).with_other_fields(&#rest);
    }
}

/// Emits the description of a field in a form, whose values have the type `ty`.
fn field(api: &Api, field: &Field, ty: &Type) -> TokenStream {
    field_of(api, (&field.name.wire, &field.aliases), ty)
}

fn field_of(api: &Api, names: (&str, &[String]), ty: &Type) -> TokenStream {
    let field = field_with(api, names, ty, &TokenStream::new());
    quote!(FormField::#field)
}

/// Returns a form field, `json("owner").aliases(&["holder"])`, with further facts about its values or elements.
fn field_with(api: &Api, (wire, aliases): (&str, &[String]), ty: &Type, more: &TokenStream) -> TokenStream {
    let (list, inner) = match ty {
        Type::List(inner) => (Some(quote!(.list())), &**inner),
        other => (None, other),
    };
    let kind = match inner.non_null() {
        Type::Bool => quote!(bool),
        Type::Int32 | Type::Uint32 | Type::Float | Type::Double | Type::Number => quote!(number),
        Type::Int64(Encoding::Number) | Type::Uint64(Encoding::Number) => quote!(number),
        Type::Any
        | Type::Unresolved
        | Type::Object
        | Type::Resource(_)
        | Type::Union(_)
        | Type::List(_)
        | Type::Map(_)
        | Type::Nullable(_) => {
            quote!(json)
        }
        Type::Bytes(Encoding::File) => quote!(file),
        Type::Int64(Encoding::UnixSeconds | Encoding::UnixMilliseconds) => quote!(number),
        Type::Int64(_) | Type::Uint64(_) | Type::String | Type::Bytes(_) => quote!(text),
        Type::Enum(id) if api.enumeration(*id).wire_type == Some(Type::Any) => quote!(json),
        Type::Enum(id) if api.enumeration(*id).wire_type.is_some() => quote!(number),
        Type::Date | Type::DateTime | Type::Duration | Type::Lexical(_) | Type::Enum(_) => quote!(text),
    };
    // Values whose kind is not distinguishable from a text are texts.
    let is_mixed = match inner.non_null() {
        Type::Union(_) => true,
        Type::Enum(id) => api.enumeration(*id).wire_type == Some(Type::Any),
        _ => false,
    };
    let kinds = is_mixed.then(|| unions::kinds(api, inner.non_null()));
    let kinds = kinds.filter(|kinds| *kinds != unions::ANY).map(|kinds| {
        let bits = unions::bits(&quote!(::wireform_server::wireform_runtime), kinds);
        quote!(.kinds(#bits))
    });
    let aliases = (!aliases.is_empty()).then(|| quote!(.aliases(&[#(#aliases),*])));
    quote!(#kind(#wire) #aliases #kinds #more #list)
}
