//! Formatted part of a Rust file, with what other parts need to know of it.

mod members;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote};
use syn::{Attribute, Item, Visibility};

use super::imports::{self, Identifiers};
use super::item;
use crate::emit::Part;

/// Formatted part of a file.
pub struct FormattedPart {
    /// Modules for the part if the file is divided.
    pub modules: Vec<String>,
    /// Members that it adds to the `impl` block.
    pub members: TokenStream,
    /// Names that it resolves in scope.
    pub identifiers: Identifiers,
    /// Names that it exports.
    pub exports: Vec<Export>,
    pub has_macros: bool,
    /// Attribute before each of its items, with a line break.
    pub gate_attribute: String,
    /// Texts of its items; items that the emitter grouped stay together.
    entries: Vec<Vec<String>>,
}

/// Name of an exported item.
pub struct Export {
    /// Conditions of the item, besides that of its part.
    pub conditions: TokenStream,
    pub visibility: TokenStream,
    pub name: Ident,
}

impl FormattedPart {
    /// Formats a part; returns `None` if an emitter produced tokens that are not Rust. Names are collected if the
    /// file may be divided.
    pub fn new(part: Part, can_be_divided: bool) -> Option<Self> {
        let Part { modules, members, items, gate_attribute } = part;
        let modules = modules.iter().map(|module| imports::module_name(module)).collect();
        let mut piece = Self {
            modules,
            members,
            identifiers: Identifiers::default(),
            exports: Vec::new(),
            has_macros: false,
            gate_attribute,
            entries: Vec::with_capacity(items.len()),
        };
        if can_be_divided {
            piece.identifiers.collect(&piece.members);
            items.iter().for_each(|tokens| piece.identifiers.collect(tokens));
        }
        for tokens in items.into_iter().filter(|tokens| !tokens.is_empty()) {
            let (_, items) = item::format_items(tokens)?;
            piece.exports.extend(items.iter().filter_map(|(item, _)| export(item)));
            piece.has_macros |= items.iter().any(|(item, _)| matches!(item, Item::Macro(it) if it.ident.is_some()));
            piece.entries.push(items.into_iter().map(|(_, text)| text).collect());
        }
        Some(piece)
    }

    /// Returns the piece without the attribute, for a module that already has it.
    pub fn without_attribute(self) -> Self {
        Self { gate_attribute: String::new(), ..self }
    }

    /// Appends its text.
    pub fn write(&self, text: &mut String) {
        let entries = self.entries.iter().map(|entry| entry.iter().filter(|item| !item.is_empty()).collect::<Vec<_>>());
        for entry in entries.filter(|entry| !entry.is_empty()) {
            text.push('\n');
            for item in entry {
                text.push_str(&self.gate_attribute);
                text.push_str(item);
            }
        }
    }
}

/// Returns the exported name of an item with its `cfg` attributes; `None` if it is private or exports no name.
fn export(item: &Item) -> Option<Export> {
    let (attributes, visibility, name) = match item {
        Item::Const(it) => (&it.attrs, &it.vis, &it.ident),
        Item::Enum(it) => (&it.attrs, &it.vis, &it.ident),
        Item::Fn(it) => (&it.attrs, &it.vis, &it.sig.ident),
        Item::Static(it) => (&it.attrs, &it.vis, &it.ident),
        Item::Struct(it) => (&it.attrs, &it.vis, &it.ident),
        Item::Trait(it) => (&it.attrs, &it.vis, &it.ident),
        Item::Type(it) => (&it.attrs, &it.vis, &it.ident),
        _ => return None,
    };
    let is_condition = |attribute: &&Attribute| attribute.path().is_ident("cfg");
    let conditions = attributes.iter().filter(is_condition).map(|it| quote! { #it }).collect();
    let export = Export { conditions, visibility: visibility.to_token_stream(), name: name.clone() };
    (!matches!(visibility, Visibility::Inherited)).then_some(export)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_exports_what_is_public_in_it() {
        let tokens = quote! {
            #[doc = " Says so."] #[cfg(feature = "a")] #[must_use] pub struct One(pub u8);
            impl One { pub fn two() {} }
            #[cfg(all(feature = "a", feature = "b"))] pub(crate) const fn three() {}
            pub static FOUR: u8 = 1;
            pub const FIVE: u8 = 1;
            struct Six;
            pub type r#type<T> = T;
            pub use self::seven::Eight;
            pub async fn nine() {}
        };
        let piece = FormattedPart::new(Part { items: vec![tokens], ..Part::default() }, true).unwrap();
        let text = |it: &Export| format!("{} {} {}", it.conditions, it.visibility, it.name);
        let found: Vec<_> = piece.exports.iter().map(text).collect();
        let expected = [
            "# [cfg (feature = \"a\")] pub One",
            "# [cfg (all (feature = \"a\" , feature = \"b\"))] pub (crate) three",
            " pub FOUR",
            " pub FIVE",
            " pub r#type",
            " pub nine",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn each_item_has_the_attribute_of_its_part() {
        let items = vec![quote! { struct One; struct Two; }, quote! { struct Three; }];
        let part = Part { items, gate_attribute: "#[cfg(feature = \"a\")]\n".to_owned(), ..Part::default() };
        let piece = FormattedPart::new(part, false).unwrap();
        let mut text = String::new();
        piece.write(&mut text);
        let attribute = "#[cfg(feature = \"a\")]\n";
        assert_eq!(text, format!("\n{attribute}struct One;\n{attribute}struct Two;\n\n{attribute}struct Three;\n"));
        text.clear();
        piece.without_attribute().write(&mut text);
        assert_eq!(text, "\nstruct One;\nstruct Two;\n\nstruct Three;\n");
    }
}
