//! What a response states about the position of its page, which a client checks.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::PageEmitter;
use super::nested::NestedField;
use super::value::{PageValue, integer};
use crate::model::{FieldPath, NextPage, Type};

impl PageEmitter<'_, '_> {
    /// Returns the functions for the position of numbered pages and of offsets; empty for other kinds, whose tokens a
    /// client compares.
    pub(super) fn position(&self, value: &PageValue) -> Option<TokenStream> {
        let pages = self.pages;
        let (NextPage::Number { first, .. } | NextPage::Offset { first, .. }) = pages.next else { return None };
        let current = value.current(first);
        let first_number = Literal::i32_unsuffixed(first);
        let before = match pages.next {
            NextPage::Offset { .. } if first == 0 => quote!(Some(i128::from(#current))),
            NextPage::Offset { .. } => quote!(Some(i128::from(#current) - #first_number)),
            // The number of items before another page than the first is unknown.
            _ => quote!((#current == #first_number).then_some(0)),
        };
        let number = |path: Option<FieldPath>| {
            let field = path.and_then(|path| self.field(path));
            field.map_or_else(|| quote!(None), |field| number(&field))
        };
        let (page, total) = (number(pages.current), number(pages.total));
        let ends_with_total = pages.total.is_some() && pages.more.or(pages.last).or(pages.total_pages).is_none();
        let (count, hash, option) = (self.count(), self.hash(), &self.rust.option);
        Some(quote! {
            fn position(&self, response: &Self::Response) -> #option<::wireform_runtime::PagePosition> {
                Some(::wireform_runtime::PagePosition {
                    before: #before,
                    count: #count,
                    page: #page,
                    total: #total,
                    ends_with_total: #ends_with_total,
                })
            }

            #hash
        })
    }

    /// Returns the constant with the fields of the response that state the position or the end of the list.
    pub(super) fn position_fields(&self) -> Option<TokenStream> {
        let fields = self.pages.position_fields();
        let fields: Vec<_> = fields.filter_map(|path| Some(self.field(path)?.mask())).collect();
        (!fields.is_empty()).then(|| quote! { const POSITION_FIELDS: &'static [&'static str] = &[#(#fields),*]; })
    }

    /// Returns the function that hashes the items. Other items than objects have no identity: two pages of them may be
    /// equal.
    fn hash(&self) -> Option<TokenStream> {
        let ty = match &self.items {
            Some(items) => &items.field.ty,
            None => super::super::response_type(self.operation)?,
        };
        if !matches!(ty.innermost_type(), Type::Resource(_) | Type::Union(_)) {
            return None;
        }
        let hash = |items: &TokenStream| quote!(::wireform_runtime::__private::hash_items(#items));
        let hash = match &self.items {
            Some(items) => items.and_then(|list| hash(&quote!(&#list))),
            None => hash(&quote!(response)),
        };
        let option = &self.rust.option;
        Some(quote! {
            fn hash_items(response: &Self::Response) -> #option<u64> {
                #hash
            }
        })
    }
}

/// Returns the number in a field of the response, if it is present.
fn number(field: &NestedField<'_>) -> TokenStream {
    let (member, number) = (field.reference(), integer(&field.field.ty, &quote!(number)));
    quote!(#member.map(|number| i128::from(#number)))
}
