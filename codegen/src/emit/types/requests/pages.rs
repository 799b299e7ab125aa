//! Pagination of responses.

mod nested;
mod position;
mod value;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::super::rust::{RustTypes, ident, is_never_optional as field_is_plain};
use super::elements::element;
use crate::model::{Api, FieldPath, NextPage, Operation, Pages, Resource, Type};
use nested::NestedField;

/// Returns the resource of the request body, which may contain the page.
pub fn body_resource<'a>(api: &'a Api, operation: &Operation) -> Option<&'a Resource> {
    match operation.body.as_ref()?.ty {
        Type::Resource(id) => Some(api.resource(id)),
        _ => None,
    }
}

/// Returns the resource of a page's items.
pub fn item_resource<'a>(api: &'a Api, operation: &Operation, pages: Pages) -> Option<&'a Resource> {
    let list = match pages.items {
        Some(items) => {
            let fields = api.fields_at(super::response_resource(api, operation)?, items)?;
            &fields.last()?.ty
        }
        None => super::response_type(operation)?,
    };
    match list {
        Type::List(item) => match &**item {
            Type::Resource(id) => Some(api.resource(*id)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the implementation of `Paginated`:
///
/// ```text
/// impl Paginated for EventsList {
///     type Item = crate::Event;
///     …
/// }
/// ```
pub fn item(rust: &RustTypes<'_>, operation: &Operation) -> Option<TokenStream> {
    let pages = operation.pages?;
    let response = super::response_resource(rust.api, operation);
    let field = |path: FieldPath| NestedField::new(rust.api, response?, path);
    let of = PageEmitter { rust, operation, pages, response, items: pages.items.and_then(field) };
    let name = ident(&operation.types.request);
    let (item, taken) = of.items()?;
    let wire = |field: Option<NestedField<'_>>| field.map(|field| field.mask()).unwrap_or_default();
    let named = match pages.next {
        NextPage::Token { field: next, .. } | NextPage::Url { field: next } => field(next),
        _ => pages.more.and_then(field),
    };
    let (next_wire, items_wire) = (wire(named), wire(of.items.clone()));
    let value = value::PageValue::new(rust, operation, pages);
    let (get, set) = match &value {
        Some(value) => value.accessors(),
        None => (quote!(None), quote!(let _ = token;)),
    };
    let next = of.next_page(value.as_ref())?;
    let (position_fields, position) = (of.position_fields(), value.as_ref().and_then(|value| of.position(value)));
    let linked = matches!(pages.next, NextPage::Url { .. } | NextPage::Link).then(|| {
        let header = (pages.next == NextPage::Link).then(|| quote! { const USES_LINK_HEADER: bool = true; });
        quote! { const PAGES_BY_URL: bool = true; #header }
    });
    let (option, vec, string) = (&rust.option, quote!(::std::vec::Vec), quote!(::std::string::String));
    Some(quote! {
        impl ::wireform_runtime::Paginated for #name {
            type Item = #item;

            const NEXT_PAGE_FIELD: &'static str = #next_wire;
            const ITEMS_FIELD: &'static str = #items_wire;
            #position_fields
            #linked

            fn page_token(&self) -> #option<::std::borrow::Cow<'_, str>> {
                #get
            }

            fn set_page_token(&mut self, token: #option<#string>) {
                #set
            }

            fn next_page(&self, response: &Self::Response) -> #option<#string> {
                #next
            }

            fn take_items(response: &mut Self::Response) -> #vec<Self::Item> {
                #taken
            }

            #position
        }
    })
}

/// Emitter of the pagination of one operation.
struct PageEmitter<'r, 'a> {
    rust: &'r RustTypes<'a>,
    operation: &'r Operation,
    pages: Pages,
    response: Option<&'r Resource>,
    items: Option<NestedField<'r>>,
}

impl PageEmitter<'_, '_> {
    /// Returns the type of the items, and the expression that takes them from a response.
    fn items(&self) -> Option<(TokenStream, TokenStream)> {
        let Some(items) = &self.items else {
            let Type::List(item) = super::response_type(self.operation)? else { return None };
            return Some((self.rust.ty(item), quote!(::std::mem::take(response))));
        };
        let taken = items.take();
        let taken = if matches!(items.field.ty, Type::Map(_)) { quote!(#taken.into_iter().collect()) } else { taken };
        Some((element(self.rust, items.field), taken))
    }

    /// Returns the body of `next_page`.
    fn next_page(&self, value: Option<&value::PageValue>) -> Option<TokenStream> {
        Some(match self.pages.next {
            NextPage::Token { field, .. } | NextPage::Url { field } => self.response_field(&self.field(field)?),
            NextPage::After { field, .. } => self.item_field(field)?,
            NextPage::Number { first, .. } => self.number(value?, first),
            NextPage::Offset { first, .. } => self.offset(value?, first),
            NextPage::Link => quote! { let _ = response; None },
        })
    }

    /// Returns a field of the response.
    fn field(&self, path: FieldPath) -> Option<NestedField<'_>> {
        NestedField::new(self.rust.api, self.response?, path)
    }

    /// Returns the statements that end the listing if the response says that there are no more pages.
    fn end_check(&self) -> Option<TokenStream> {
        let ends = [(self.pages.more, false), (self.pages.last, true)];
        let checks = ends.into_iter().filter_map(|(field, end)| {
            let flag = self.field(field?)?.reference();
            Some(quote! {
                if #flag == Some(&#end) {
                    return None;
                }
            })
        });
        let checks: Vec<_> = checks.collect();
        (!checks.is_empty()).then(|| quote!(#(#checks)*))
    }

    fn response_field(&self, field: &NestedField<'_>) -> TokenStream {
        let (text, ends) = (field.and_then(|member| quote!(#member.as_deref())), self.end_check());
        quote! { #ends #text.map(str::to_owned) }
    }

    fn item_field(&self, field: usize) -> Option<TokenStream> {
        let item = item_resource(self.rust.api, self.operation, self.pages)?;
        let (member, ends) = (ident(&item.field(field).name.ident), self.end_check());
        let last = match &self.items {
            None => quote!(response.last()),
            Some(items) if field_is_plain(items.field) => items.and_then(|list| quote!(#list.last())),
            Some(items) => items.and_then(|list| quote!(#list.as_deref().and_then(<[_]>::last))),
        };
        Some(quote! { #ends #last.and_then(|item| item.#member.as_ref()).map(::std::string::ToString::to_string) })
    }

    /// Returns the expression of the number of items in a response.
    fn count(&self) -> TokenStream {
        let Some(items) = &self.items else { return quote!(response.len()) };
        items.or_zero(|list| match field_is_plain(items.field) {
            true => quote!(#list.len()),
            false => quote!(#list.as_ref().map_or(0, |items| items.len())),
        })
    }

    /// Returns the test whether a response has no items.
    fn is_empty(&self) -> TokenStream {
        let Some(items) = &self.items else { return quote!(response.is_empty()) };
        items.is_none_or(|list| match field_is_plain(items.field) {
            true => quote!(#list.is_empty()),
            false => quote!(#list.as_ref().is_none_or(|items| items.is_empty())),
        })
    }

    /// Emits the body of `next_page` for numbered pages: the next number, unless the page is empty or no more follow.
    fn number(&self, value: &value::PageValue, first: i32) -> TokenStream {
        let (is_empty, ends) = (self.is_empty(), self.end_check());
        let page = value.current(first);
        let distance = Literal::i64_unsuffixed(1 - i64::from(first));
        let counted = self.pages.total_pages.and_then(|count| self.field(count)).map(|count| {
            let (member, count) = (count.reference(), value::integer(&count.field.ty, &quote!(count)));
            quote! {
                if #member.is_some_and(|count| i128::from(#count) - i128::from(#page) <= #distance) {
                    return None;
                }
            }
        });
        quote! {
            #ends
            #counted
            if #is_empty {
                return None;
            }
            #page.checked_add(1).map(|page| page.to_string())
        }
    }

    /// Emits the body of `next_page` for offsets: the offset after the items, unless there are none or no more pages.
    fn offset(&self, value: &value::PageValue, first: i32) -> TokenStream {
        let (count, ends) = (self.count(), self.end_check());
        let offset = value.current(first);
        quote! {
            #ends
            let count = #count;
            if count == 0 {
                return None;
            }
            #offset.checked_add(count.try_into().ok()?).map(|offset| offset.to_string())
        }
    }
}
