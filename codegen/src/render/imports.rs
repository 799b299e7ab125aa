//! What a piece of a file takes from its imports, and what it gives to others.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::{Item, ItemUse, UseTree, Visibility};

/// The names that occur in tokens and are looked up where they stand: not those behind a `::`.
#[derive(Default)]
pub struct Words(BTreeSet<String>);

impl Words {
    /// Adds those of some tokens.
    pub fn read(&mut self, tokens: &TokenStream) {
        let mut colons = 0;
        for tree in tokens.clone() {
            match &tree {
                TokenTree::Ident(word) if colons < 2 => drop(self.0.insert(word.to_string())),
                TokenTree::Group(group) => self.read(&group.stream()),
                _ => {}
            }
            colons = if matches!(&tree, TokenTree::Punct(it) if it.as_char() == ':') { colons + 1 } else { 0 };
        }
    }

    /// Adds those of formatted text, which is faster than those of tokens. Comments and literals have none.
    pub fn read_text(&mut self, text: &str) {
        let mut rest = text;
        let mut is_behind_colons = false;
        while let Some(first) = rest.chars().next() {
            let end = scanned(rest, first);
            let (found, after) = rest.split_at(end);
            let is_word = first.is_alphabetic() || first == '_';
            if is_word && !is_behind_colons && !self.0.contains(found) {
                self.0.insert(found.to_owned());
            }
            is_behind_colons = first == ':' && end == 2;
            rest = after;
        }
    }

    /// Adds those of another piece.
    pub fn take(&mut self, other: &Self) {
        self.0.extend(other.0.iter().cloned());
    }
}

/// Where the word, comment or literal ends that a text begins with, or whatever else it is.
fn scanned(text: &str, first: char) -> usize {
    let word = |from: &str| from.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(from.len());
    let second = text.get(first.len_utf8()..).and_then(|rest| rest.chars().next());
    match (first, second) {
        ('/', Some('/')) => text.find('\n').unwrap_or(text.len()),
        (':', Some(':')) => 2,
        ('"', _) => 1 + quoted(&text[1..], '"'),
        ('\'', Some('\\')) => 1 + quoted(&text[1..], '\''),
        // A character, or the name of a lifetime.
        ('\'', Some(c)) if text[1 + c.len_utf8()..].starts_with('\'') => 2 + c.len_utf8(),
        ('\'', _) => 1 + word(&text[1..]),
        ('r', Some('#')) if text[2..].starts_with(|c: char| c.is_alphabetic() || c == '_') => 2 + word(&text[2..]),
        _ if first.is_alphanumeric() || first == '_' => word(text),
        _ => first.len_utf8(),
    }
}

/// Where a literal ends, its last quote included.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    let end = text.char_indices().find(|(_, c)| {
        let ends = *c == quote && !escaped;
        escaped = *c == '\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |(at, _)| at + 1)
}

fn parsed(tokens: &TokenStream) -> Vec<Item> {
    syn::parse2::<syn::File>(tokens.clone()).map(|file| file.items).unwrap_or_default()
}

/// Whether tokens are imports of a module for itself, and nothing else.
pub fn is_use(tokens: &TokenStream) -> bool {
    let items = parsed(tokens);
    let private = |item: &Item| matches!(item, Item::Use(it) if matches!(it.vis, Visibility::Inherited));
    !items.is_empty() && items.iter().all(private)
}

/// The imports of which something occurs. Those that may go unused, be it with some features only, stay whole: a trait
/// is not named where its methods are called. All may go unused from then on, since a name can be there as that of
/// something else: a variant that is named as a type.
pub fn used(uses: &[TokenStream], words: &Words) -> Vec<TokenStream> {
    let kept = |tokens: &TokenStream| {
        let items = parsed(tokens).into_iter().filter_map(|item| match item {
            Item::Use(item) if item.attrs.is_empty() => filtered(item, words),
            Item::Use(mut item) => {
                item.attrs.retain(|attribute| !["allow", "cfg_attr"].iter().any(|of| attribute.path().is_ident(of)));
                Some(quote! { #[allow(unused_imports)] #item })
            }
            item => Some(item.into_token_stream()),
        });
        items.collect::<TokenStream>()
    };
    uses.iter().map(kept).filter(|tokens| !tokens.is_empty()).collect()
}

fn filtered(mut item: ItemUse, words: &Words) -> Option<TokenStream> {
    item.tree = keep(item.tree, words)?;
    Some(quote! { #[allow(unused_imports)] #item })
}

fn keep(tree: UseTree, words: &Words) -> Option<UseTree> {
    match tree {
        UseTree::Name(name) => words.0.contains(&name.ident.to_string()).then_some(UseTree::Name(name)),
        UseTree::Rename(name) => words.0.contains(&name.rename.to_string()).then_some(UseTree::Rename(name)),
        UseTree::Glob(glob) => Some(UseTree::Glob(glob)),
        UseTree::Path(mut path) => {
            *path.tree = keep(*path.tree, words)?;
            Some(UseTree::Path(path))
        }
        UseTree::Group(mut group) => {
            group.items = group.items.into_iter().filter_map(|inner| keep(inner, words)).collect();
            (!group.items.is_empty()).then_some(UseTree::Group(group))
        }
    }
}

/// The names that are imported.
pub fn names(uses: &[TokenStream]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let items = uses.iter().flat_map(parsed);
    let mut open: Vec<UseTree> =
        items.filter_map(|item| if let Item::Use(item) = item { Some(item.tree) } else { None }).collect();
    while let Some(tree) = open.pop() {
        match tree {
            UseTree::Name(name) => drop(found.insert(name.ident.to_string())),
            UseTree::Rename(name) => drop(found.insert(name.rename.to_string())),
            UseTree::Glob(_) => {}
            UseTree::Path(path) => open.push(*path.tree),
            UseTree::Group(group) => open.extend(group.items),
        }
    }
    found
}

/// A name that an item defines for others, with what must stand before its export: `pub`, and conditions.
pub type Export = (String, Ident);

/// What formatted items define for others. An item begins at the beginning of a line, and so do its attributes.
pub fn exports(text: &str) -> Vec<Export> {
    let mut found = Vec::new();
    let mut conditions = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("#[cfg(") {
            conditions.push_str(line);
            if !line.ends_with(']') {
                let ends = lines.by_ref().take_while(|line| !line.starts_with(')')).collect::<String>();
                conditions.push_str(&format!("{ends})]"));
            }
            conditions.push('\n');
        } else if line.starts_with(|c: char| c == ':' || c.is_ascii_lowercase()) {
            found.extend(export(line, &conditions));
            conditions.clear();
        }
    }
    found
}

/// `pub(crate) const fn name(…` as what it defines.
fn export(line: &str, conditions: &str) -> Option<Export> {
    let after = line.strip_prefix("pub")?;
    let (restriction, item) = if after.starts_with('(') { after.split_once(' ')? } else { ("", after.trim_start()) };
    let mut words = item.split(' ').skip_while(|word| matches!(*word, "const" | "async" | "static" | "mut"));
    let constants = ["const ", "static "].iter().any(|keyword| item.starts_with(keyword));
    let mut name = words.next()?;
    match name {
        "enum" | "fn" | "struct" | "trait" | "type" => name = words.next()?,
        _ if constants => {}
        _ => return None,
    }
    let end = name.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '#')).unwrap_or(name.len());
    Some((format!("{conditions} pub{restriction}"), syn::parse_str(name.get(..end)?).ok()?))
}

/// A name that a module and its file can have. A keyword is none, also where it can be written raw.
pub fn module(name: &str) -> String {
    let name = name.trim_start_matches("r#");
    if syn::parse_str::<Ident>(name).is_ok() { name.to_owned() } else { format!("{name}_") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_exports_what_is_public_in_it() {
        let text = "/// Says so.\n#[cfg(feature = \"a\")]\n#[must_use]\npub struct One(pub u8);\n\nimpl One {\n    pub fn two() {}\n}\n\n\
            #[cfg(\n    all(feature = \"a\", feature = \"b\"),\n)]\npub(crate) const fn three(\n) {}\npub static FOUR: u8 = 1;\n\
            pub const FIVE: u8 = 1;\nstruct Six;\npub type r#type<T> = T;\npub use self::seven::Eight;\npub async fn nine() {}\n";
        let found = exports(text).into_iter().map(|(before, name)| format!("{before} {name}")).collect::<Vec<_>>();
        let expected = [
            "#[cfg(feature = \"a\")]\n pub One",
            "#[cfg(    all(feature = \"a\", feature = \"b\"),)]\n pub(crate) three",
            " pub FOUR",
            " pub FIVE",
            " pub r#type",
            " pub nine",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn the_words_of_a_text_are_those_of_its_tokens() {
        let text = r#"
            /// Says `Comment`.
            pub fn r#type<'a>(at: crate::At, c: char) -> &'a str {
                let _ = ('"', '\'', b'x', 1_u32, c == 'é', Vec::<String>::new());
                // Another
                match at { Self::One => "a \" quoted", _ => unreachable!("\\") }
            }
        "#;
        let (mut of_text, mut of_tokens) = (Words::default(), Words::default());
        of_text.read_text(text);
        of_tokens.read(&text.parse().unwrap());
        // A comment is an attribute among tokens.
        of_tokens.0.remove("doc");
        // So is the name of a lifetime a word of its own.
        of_tokens.0.remove("a");
        // The prefix of a literal is a word of the text.
        of_text.0.remove("b");
        assert_eq!(of_text.0, of_tokens.0);
    }
}
