//! Pagination of responses.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::super::rust::{RustTypes, ident, is_never_optional as field_is_plain};
use super::elements::element;
use super::structs::is_never_optional;
use crate::model::{Api, Field, NextPage, Operation, Pages, Parameter, Resource, Type};

/// Returns the resource of a page's items.
pub fn item_resource<'a>(api: &'a Api, operation: &Operation, pages: Pages) -> Option<&'a Resource> {
    let list = match pages.items {
        Some(items) => &super::response_resource(api, operation)?.field(items).ty,
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
    let field = |index: usize| response.map(|response| response.field(index));
    let of =
        PageEmitter { rust, operation, pages, more: pages.more.and_then(field), items: pages.items.and_then(field) };
    let name = ident(&operation.types.request);
    let (item, taken) = of.items()?;
    let wire = |field: Option<&Field>| field.map(|field| field.name.wire.clone()).unwrap_or_default();
    let named = match pages.next {
        NextPage::Token { field: next, .. } | NextPage::Url { field: next } => field(next),
        _ => of.more,
    };
    let (next_wire, items_wire) = (wire(named), wire(of.items));
    let parameter = pages.parameter().map(|index| operation.parameter(index));
    let (get, set) = parameter.map_or_else(|| (quote!(None), quote!(let _ = token;)), page_accessors);
    let next = of.next_page(parameter)?;
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
        }
    })
}

/// Returns the expression that reads the page from a parameter, and the one that sets it.
fn page_accessors(parameter: &Parameter) -> (TokenStream, TokenStream) {
    let member = ident(&parameter.name.ident);
    match (&parameter.ty, is_never_optional(parameter)) {
        (Type::String, true) => {
            (quote!(Some(self.#member.as_str().into())), quote!(self.#member = token.unwrap_or_default();))
        }
        (Type::String, false) => (quote!(self.#member.as_deref().map(Into::into)), quote!(self.#member = token;)),
        (_, true) => (
            quote!(Some(self.#member.to_string().into())),
            quote!(self.#member = token.and_then(|token| token.parse().ok()).unwrap_or_default();),
        ),
        (_, false) => (
            quote!(self.#member.map(|page| page.to_string().into())),
            quote!(self.#member = token.and_then(|token| token.parse().ok());),
        ),
    }
}

/// Emitter of the pagination of one operation.
struct PageEmitter<'r, 'a> {
    rust: &'r RustTypes<'a>,
    operation: &'r Operation,
    pages: Pages,
    more: Option<&'r Field>,
    items: Option<&'r Field>,
}

impl PageEmitter<'_, '_> {
    /// Returns the type of the items, and the expression that takes them from a response.
    fn items(&self) -> Option<(TokenStream, TokenStream)> {
        let Some(items) = self.items else {
            let Type::List(item) = super::response_type(self.operation)? else { return None };
            return Some((self.rust.ty(item), quote!(::std::mem::take(response))));
        };
        let member = ident(&items.name.ident);
        let taken = if field_is_plain(items) {
            quote!(::std::mem::take(&mut response.#member))
        } else {
            quote!(response.#member.take().unwrap_or_default())
        };
        let taken = if matches!(items.ty, Type::Map(_)) { quote!(#taken.into_iter().collect()) } else { taken };
        Some((element(self.rust, items), taken))
    }

    /// Returns the body of `next_page`.
    fn next_page(&self, parameter: Option<&Parameter>) -> Option<TokenStream> {
        Some(match self.pages.next {
            NextPage::Token { field, .. } | NextPage::Url { field } => {
                self.response_field(super::response_resource(self.rust.api, self.operation)?.field(field))
            }
            NextPage::After { field, .. } => self.item_field(field)?,
            NextPage::Number { first, .. } => self.number(parameter?, first),
            NextPage::Offset { .. } => self.offset(parameter?),
            NextPage::Link => quote! { let _ = response; None },
        })
    }

    /// Returns the statement that ends the listing if the response says that there are no more pages.
    fn end_check(&self) -> Option<TokenStream> {
        let more = ident(&self.more?.name.ident);
        Some(quote! {
            if response.#more.as_ref() == Some(&false) {
                return None;
            }
        })
    }

    fn response_field(&self, field: &Field) -> TokenStream {
        let (member, ends) = (ident(&field.name.ident), self.end_check());
        quote! { #ends response.#member.as_deref().map(str::to_owned) }
    }

    fn item_field(&self, field: usize) -> Option<TokenStream> {
        let item = item_resource(self.rust.api, self.operation, self.pages)?;
        let (member, ends) = (ident(&item.field(field).name.ident), self.end_check());
        let last = match self.items {
            None => quote!(response.last()),
            Some(items) => {
                let list = ident(&items.name.ident);
                if field_is_plain(items) {
                    quote!(response.#list.last())
                } else {
                    quote!(response.#list.as_deref().and_then(<[_]>::last))
                }
            }
        };
        Some(quote! { #ends #last.and_then(|item| item.#member.as_ref()).map(::std::string::ToString::to_string) })
    }

    /// Returns the expression of the number of items in a response.
    fn count(&self) -> TokenStream {
        let Some(items) = self.items else { return quote!(response.len()) };
        let list = ident(&items.name.ident);
        if field_is_plain(items) {
            quote!(response.#list.len())
        } else {
            quote!(response.#list.as_ref().map_or(0, |items| items.len()))
        }
    }

    /// Returns the test whether a response has no items.
    fn is_empty(&self) -> TokenStream {
        let Some(items) = self.items else { return quote!(response.is_empty()) };
        let list = ident(&items.name.ident);
        if field_is_plain(items) {
            quote!(response.#list.is_empty())
        } else {
            quote!(response.#list.as_ref().is_none_or(|items| items.is_empty()))
        }
    }

    /// Emits the body of `next_page` for numbered pages: the next number, unless the page is empty or no more follow.
    fn number(&self, parameter: &Parameter, first: i32) -> TokenStream {
        let (is_empty, ends) = (self.is_empty(), self.end_check());
        let first = Literal::i32_unsuffixed(first);
        let page = current(parameter, &quote!(#first));
        quote! {
            #ends
            if #is_empty {
                return None;
            }
            #page.checked_add(1).map(|page| page.to_string())
        }
    }

    /// Emits the body of `next_page` for offsets: the offset after the items, unless there are none or no more pages.
    fn offset(&self, parameter: &Parameter) -> TokenStream {
        let (count, ends) = (self.count(), self.end_check());
        let offset = current(parameter, &quote!(0));
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

/// Returns the value of a parameter, or a fallback if it is absent.
fn current(parameter: &Parameter, absent: &TokenStream) -> TokenStream {
    let member = ident(&parameter.name.ident);
    if is_never_optional(parameter) { quote!(self.#member) } else { quote!(self.#member.unwrap_or(#absent)) }
}
