//! Tokens → the text of items, formatted by prettyplease.

use proc_macro2::TokenStream;
use syn::{File, Item};

use super::spacing::spaced;
use super::{members, table};

/// Returns the formatted inner attributes and items of tokens, or `None` if they are not Rust.
pub fn texts(tokens: TokenStream) -> Option<(String, Vec<(Item, String)>)> {
    let File { shebang, frontmatter, attrs, items } = syn::parse2::<File>(tokens).ok()?;
    let inner = File { shebang, frontmatter, attrs, items: Vec::new() };
    let texts = items.into_iter().map(text).collect::<Option<_>>()?;
    Some((prettyplease::unparse(&inner), texts))
}

/// Appends formatted tokens after a blank line; returns `None` if they are not Rust.
pub fn write(tokens: TokenStream, text: &mut String) -> Option<()> {
    if tokens.is_empty() {
        return Some(());
    }
    let (inner, items) = texts(tokens)?;
    text.push('\n');
    text.push_str(&inner);
    items.iter().for_each(|(_, item)| text.push_str(item));
    Some(())
}

/// Returns the item and its text. Macro input has its own format, which prettyplease does not know.
fn text(item: Item) -> Option<(Item, String)> {
    if let Item::Macro(found) = &item {
        let known = table::text(found).or_else(|| members::text(found));
        if let Some(known) = known {
            return Some((item, known));
        }
    }
    let mut alone = File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item] };
    let text = spaced(&prettyplease::unparse(&alone));
    Some((alone.items.pop()?, text))
}
