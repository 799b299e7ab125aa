//! Tokens → the text of items, formatted by prettyplease.

use proc_macro2::TokenStream;
use syn::{File, Item};

use super::{members, table};

/// The texts of some tokens: their inner attributes, and each of their items; none if they are not Rust.
pub fn texts(tokens: TokenStream) -> Option<(String, Vec<(Item, String)>)> {
    let File { shebang, frontmatter, attrs, items } = syn::parse2::<File>(tokens).ok()?;
    let inner = File { shebang, frontmatter, attrs, items: Vec::new() };
    let texts = items.into_iter().map(text).collect::<Option<_>>()?;
    Some((prettyplease::unparse(&inner), texts))
}

/// Adds formatted tokens, and a blank line before them; none if they are not Rust.
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

/// The item and its text. What is given to a macro is a format of its own, which prettyplease cannot know.
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

/// The text with a blank line before each function of an `impl`, where prettyplease leaves none. Every line
/// of the text is code: emitted strings are escaped, and comments fill a line each.
pub fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + text.len() / 64);
    let mut previous = "";
    for line in text.lines() {
        let commented = previous.trim_start().starts_with("//");
        let ends = previous == "    }" || previous.ends_with(';') && !commented;
        let member = line.strip_prefix("    ").unwrap_or_default();
        let begins = ["fn ", "pub fn ", "///", "#["].iter().any(|start| member.starts_with(start));
        if ends && begins {
            spaced.push('\n');
        }
        spaced.push_str(line);
        spaced.push('\n');
        previous = line;
    }
    spaced
}
