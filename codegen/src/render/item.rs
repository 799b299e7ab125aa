//! Tokens → the text of items, formatted by prettyplease.

use proc_macro2::TokenStream;
use syn::{File, Item};

use super::spacing::space_functions;
use super::{members, table};

/// Returns the formatted inner attributes and items of tokens, or `None` if they are not Rust.
pub fn format_items(tokens: TokenStream) -> Option<(String, Vec<(Item, String)>)> {
    let File { shebang, frontmatter, attrs, items } = syn::parse2::<File>(tokens).ok()?;
    let inner = File { shebang, frontmatter, attrs, items: Vec::new() };
    let texts = items.into_iter().map(format_item).collect::<Option<_>>()?;
    Some((prettyplease::unparse(&inner), texts))
}

/// Appends formatted tokens after a blank line; returns `None` if they are not Rust.
pub fn append_formatted(tokens: TokenStream, text: &mut String) -> Option<()> {
    if tokens.is_empty() {
        return Some(());
    }
    let (inner, items) = format_items(tokens)?;
    text.push('\n');
    text.push_str(&inner);
    items.iter().for_each(|(_, item)| text.push_str(item));
    Some(())
}

/// Returns the item and its text. Macro input has its own format, which prettyplease does not know.
fn format_item(item: Item) -> Option<(Item, String)> {
    if let Item::Macro(found) = &item {
        let known = table::format_macro_table(found).or_else(|| members::format_member_macro(found));
        if let Some(known) = known {
            return Some((item, known));
        }
    }
    let mut alone = File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item] };
    let text = space_functions(&prettyplease::unparse(&alone));
    Some((alone.items.pop()?, text))
}
