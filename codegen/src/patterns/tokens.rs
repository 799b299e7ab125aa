//! Tables of patterns as Rust tokens.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{Class, Matcher, Part, Table};

impl Matcher {
    /// Returns the value as a constant expression, with the runtime's module of patterns:
    ///
    /// ```text
    /// ::wireform_validation::__private::pattern::ByteClass::new(&[(b'0', b'9'), (b'a', b'v')], 1, usize::MAX)
    /// ```
    #[must_use]
    pub fn tokens(&self, module: &TokenStream) -> TokenStream {
        match self {
            Self::Class(class) => of_class(class, module),
            Self::Automaton(table) => of_table(table, module),
            Self::All(parts) => {
                let parts = parts.iter().map(|Part { table, is_match }| {
                    let table = of_table(table, module);
                    quote!((#table, #is_match))
                });
                quote!(#module::Conjunction::new([#(#parts),*]))
            }
        }
    }

    /// Returns the type of the value.
    #[must_use]
    pub fn ty(&self, module: &TokenStream) -> TokenStream {
        match self {
            Self::Class(_) => quote!(#module::ByteClass),
            Self::Automaton(_) => quote!(#module::Automaton),
            Self::All(parts) => {
                let count = Literal::usize_unsuffixed(parts.len());
                quote!(#module::Conjunction<#count>)
            }
        }
    }
}

fn of_class(class: &Class, module: &TokenStream) -> TokenStream {
    let ranges = class.ranges.iter().map(|(first, last)| {
        let (first, last) = (Literal::byte_character(*first), Literal::byte_character(*last));
        quote!((#first, #last))
    });
    let least = Literal::usize_unsuffixed(class.min_length);
    let most = class.max_length.map_or_else(
        || quote!(usize::MAX),
        |most| {
            let most = Literal::usize_unsuffixed(most);
            quote!(#most)
        },
    );
    quote!(#module::ByteClass::new(&[#(#ranges),*], #least, #most))
}

fn of_table(table: &Table, module: &TokenStream) -> TokenStream {
    let classes: Vec<u8> = table.classes.iter().flat_map(|(first, last, class)| [*first, *last, *class]).collect();
    let width = Literal::usize_unsuffixed(table.width);
    let (start, accepting) = (Literal::u16_unsuffixed(table.start), Literal::u16_unsuffixed(table.accepting));
    let (constructor, bytes): (_, Vec<u8>) = if table.states() <= 256 {
        (quote!(narrow), table.transitions.iter().map(|state| u8::try_from(*state).unwrap_or(0)).collect())
    } else {
        (quote!(wide), table.transitions.iter().flat_map(|state| state.to_le_bytes()).collect())
    };
    // Byte strings, because a table may have thousands of entries, and one token each would be slow to format and to
    // compile.
    let (classes, bytes) = (Literal::byte_string(&classes), Literal::byte_string(&bytes));
    quote!(#module::Automaton::#constructor(#classes, #width, #start, #accepting, #bytes))
}
