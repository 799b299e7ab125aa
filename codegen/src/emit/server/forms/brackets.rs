//! Forms and parameters with one field for each leaf value, whose name contains its path in brackets.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::field_with;
use crate::model::{Api, Field, ResourceId, Type};

/// Returns the form of a resource, as the static `FORM`, with those of nested resources.
pub fn form_of(api: &Api, id: ResourceId) -> TokenStream {
    let mut statics = Statics { api, names: Vec::new(), has_within: false };
    let form = statics.resource(id);
    statics.finish(&quote!(#form.brackets()))
}

/// Returns the form of a parameter, which is its only field.
pub fn form_of_parameter(api: &Api, ty: &Type) -> TokenStream {
    let mut statics = Statics { api, names: Vec::new(), has_within: false };
    let field = statics.field(("", &[]), ty);
    statics.finish(&quote!(Form::new(&[#field]).brackets()))
}

/// Statics for the forms of nested resources: a resource can contain itself.
struct Statics<'a> {
    api: &'a Api,
    /// Resources found so far, with the names of their forms.
    names: Vec<(ResourceId, Ident)>,
    has_within: bool,
}

impl Statics<'_> {
    /// Returns the statics:
    ///
    /// ```text
    /// static OWNER: Form = Form::new(&[FormField::text("name")]);
    /// static FORM: Form = Form::new(&[FormField::json("owner").with_structure(&[FieldStructure::Members(&OWNER)])]).brackets();
    /// ```
    fn finish(mut self, form: &TokenStream) -> TokenStream {
        let mut items = Vec::new();
        // Each form can refer to others, which are appended.
        while let Some((id, name)) = self.names.get(items.len()).cloned() {
            let form = self.resource(id);
            items.push(quote! { static #name: Form = #form; });
        }
        let within = self.has_within.then(|| quote!(, FieldStructure));
        quote! {
            use ::wireform_server::wireform_runtime::form::{Form, FormField #within};

            #(#items)*
            static FORM: Form = #form;
        }
    }

    /// Returns `Form::new(&[FormField::text("name")])`.
    fn resource(&mut self, id: ResourceId) -> TokenStream {
        let api = self.api;
        let resource = api.resource(id);
        let fields: Vec<_> = resource.named_fields().iter().map(|field| self.named(field, &field.ty)).collect();
        let rest = resource.rest_field().and_then(|rest| match &rest.ty {
            Type::Map(inner) => Some(self.named(rest, inner)),
            _ => None,
        });
        let rest = rest.map(|rest| quote!(.with_other_fields(&#rest)));
        quote!(Form::new(&[#(#fields),*]) #rest)
    }

    /// Emits the description of a resource's field in a form, whose values have the type `ty`.
    fn named(&mut self, field: &Field, ty: &Type) -> TokenStream {
        self.field((&field.name.wire, &field.aliases), ty)
    }

    /// Returns `FormField::json("owner").with_structure(&[FieldStructure::Members(&OWNER)])`.
    fn field(&mut self, names: (&str, &[String]), ty: &Type) -> TokenStream {
        let value = match ty {
            Type::List(inner) => inner.non_null(),
            other => other.non_null(),
        };
        // A value of any type can only be a text.
        if matches!(value, Type::Any | Type::Object) {
            let is_list = matches!(ty, Type::List(_));
            let text = if is_list { Type::List(Box::new(Type::String)) } else { Type::String };
            let field = field_with(self.api, names, &text, &TokenStream::new());
            return quote!(FormField::#field);
        }
        let mut kinds = Vec::new();
        self.within(value, &mut kinds, &mut Vec::new());
        let within = (!kinds.is_empty()).then(|| quote!(.with_structure(&[#(#kinds),*])));
        self.has_within |= within.is_some();
        let field = field_with(self.api, names, ty, &within.unwrap_or_default());
        quote!(FormField::#field)
    }

    /// Collects the contents of a type's values: for a union, those of each variant.
    fn within(&mut self, ty: &Type, kinds: &mut Vec<TokenStream>, unions: &mut Vec<usize>) {
        match ty.non_null() {
            Type::Resource(id) => {
                let form = self.name(*id);
                kinds.push(quote!(FieldStructure::Members(&#form)));
            }
            Type::Map(inner) => {
                let rest = self.field(("", &[]), inner);
                kinds.push(quote!(FieldStructure::Members(&Form::new(&[]).with_other_fields(&#rest))));
            }
            Type::List(inner) => {
                let element = self.field(("", &[]), inner);
                kinds.push(quote!(FieldStructure::Elements(&#element)));
            }
            Type::Union(id) if !unions.contains(&id.0) => {
                unions.push(id.0);
                let api = self.api;
                for variant in &api.union(*id).variants {
                    self.within(&variant.ty, kinds, unions);
                }
            }
            _ => {}
        }
    }

    /// Returns the name of a resource's form.
    fn name(&mut self, id: ResourceId) -> Ident {
        use heck::ToShoutySnakeCase as _;

        if let Some((_, name)) = self.names.iter().find(|(known, _)| *known == id) {
            return name.clone();
        }
        let preferred = self.api.resource(id).name.ident.to_shouty_snake_case();
        let is_taken = |name: &Ident| name == "FORM" || self.names.iter().any(|(_, known)| known == name);
        let mut name = format_ident!("{preferred}");
        let mut number = 2_usize;
        while is_taken(&name) {
            name = format_ident!("{preferred}_{number}");
            number += 1;
        }
        self.names.push((id, name.clone()));
        name
    }
}
