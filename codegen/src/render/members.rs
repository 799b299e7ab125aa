//! Macros that make the members of a trait: the formatter would leave them as they are.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

/// A macro that takes nothing and makes members.
pub struct Macro {
    /// What stands before it.
    attributes: TokenStream,
    name: String,
    members: TokenStream,
}

/// Whether tokens that are written so can be one.
pub fn is_likely(written: &str) -> bool {
    written.starts_with("macro_rules") || written.starts_with('#') && written.contains("macro_rules !")
}

impl Macro {
    /// `macro_rules! name { () => { … }; }`; none where the tokens are something else.
    pub fn of(tokens: &TokenStream) -> Option<Self> {
        let mut tokens = tokens.clone().into_iter();
        let mut attributes = TokenStream::new();
        loop {
            match tokens.next()? {
                TokenTree::Ident(word) if word == "macro_rules" => break,
                token @ TokenTree::Punct(_) => attributes.extend([token]),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                    attributes.extend([TokenTree::Group(group)]);
                }
                _ => return None,
            }
        }
        let (Some(TokenTree::Punct(_)), Some(TokenTree::Ident(name)), Some(TokenTree::Group(rules)), None) =
            (tokens.next(), tokens.next(), tokens.next(), tokens.next())
        else {
            return None;
        };
        Some(Self { attributes, name: name.to_string(), members: made(&rules)? })
    }

    /// Its text, when the text of an item is made like this.
    pub fn text(self, format: impl Fn(TokenStream) -> Option<String>) -> Option<String> {
        let Self { attributes, name, members } = self;
        let carried = format(quote! { #attributes trait Members { #members } })?;
        let (before, members) = carried.split_once("trait Members {\n")?;
        let mut text = format!("{before}macro_rules! {name} {{\n    () => {{\n");
        for line in members.strip_suffix("}\n")?.lines() {
            text.push_str(if line.is_empty() { "" } else { "    " });
            text.push_str(line);
            text.push('\n');
        }
        text.push_str("    };\n}\n");
        Some(text)
    }
}

/// What the only rule makes.
fn made(rules: &Group) -> Option<TokenStream> {
    let mut rule = rules.stream().into_iter();
    let takes_nothing = matches!(rule.next()?, TokenTree::Group(taken) if taken.stream().is_empty());
    let members = rule.nth(2)?;
    let ends = rule.next().is_none_or(|token| matches!(token, TokenTree::Punct(_))) && rule.next().is_none();
    match members {
        TokenTree::Group(members) if takes_nothing && ends => Some(members.stream()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::formatted;

    #[test]
    fn members_are_formatted_as_in_a_trait() {
        let tokens = quote! {
            #[cfg(feature = "fake")]
            macro_rules! some { () => { #[doc = " Says so."] fn a(&self) { let _ = 1; } fn b(); }; }
        };
        let text = Macro::of(&tokens).unwrap().text(|tokens| formatted("", tokens)).unwrap();
        let expected = "#[cfg(feature = \"fake\")]\nmacro_rules! some {\n    () => {\n        /// Says so.\n        \
            fn a(&self) {\n            let _ = 1;\n        }\n\n        fn b();\n    };\n}\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn other_macros_are_left_to_the_formatter() {
        for tokens in [
            quote! { macro_rules! a { ($a:ident) => { $a }; } },
            quote! { macro_rules! a { () => { 1 }; () => { 2 }; } },
            quote! { pub struct Macro; },
        ] {
            assert!(Macro::of(&tokens).is_none(), "{tokens}");
        }
    }
}
