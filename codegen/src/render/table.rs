//! Tables: invocations of the runtime's macros with one fact a line.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{ItemMacro, MacroDelimiter};

/// Line width of the formatter.
const MAX_WIDTH: usize = 89;

/// Maximum number of names with a line each; longer lists fill the lines.
const MAX_LINES: usize = 256;

/// Formats `path! { … }`, which prettyplease would wrap arbitrarily: each entry that ends in a comma has its own line
/// unless all fit into one. Returns `None` for any other macro.
pub fn format_macro_table(item: &ItemMacro) -> Option<String> {
    let is_table =
        item.attrs.is_empty() && item.ident.is_none() && matches!(item.mac.delimiter, MacroDelimiter::Brace(_));
    if !is_table {
        return None;
    }
    let path: String = item.mac.path.to_token_stream().into_iter().map(|token| token.to_string()).collect();
    let mut text = format!("{path}! {{\n    ");
    write_tokens(item.mac.tokens.clone(), 4, &mut text);
    text.push_str("\n}\n");
    Some(text)
}

/// Writes tokens in sequence; a group in braces is a table of its own.
fn write_tokens(tokens: TokenStream, indent: usize, text: &mut String) {
    let (mut joint, mut word) = (true, false);
    for token in tokens {
        let close = match &token {
            TokenTree::Punct(punct) => matches!(punct.as_char(), ',' | ':'),
            TokenTree::Group(group) => word && group.delimiter() == Delimiter::Parenthesis,
            _ => false,
        };
        word = matches!(&token, TokenTree::Ident(_));
        if !joint && !close {
            text.push(' ');
        }
        joint =
            matches!(&token, TokenTree::Punct(punct) if punct.spacing() == Spacing::Joint || punct.as_char() == ':');
        match token {
            TokenTree::Group(group) => match group.delimiter() {
                Delimiter::Brace => write_entries(&group, ["{", "}", " "], indent, text),
                Delimiter::Bracket => write_brackets(&group, ["[", "]", ""], indent, text),
                Delimiter::Parenthesis | Delimiter::None => write_brackets(&group, ["(", ")", ""], indent, text),
            },
            other => text.push_str(&other.to_string()),
        }
    }
}

/// Writes a bracketed group; a single entry stays on the line of its brackets, however long it is.
fn write_brackets(group: &Group, marks: [&str; 3], indent: usize, text: &mut String) {
    if split_at_commas(group.stream()).len() > 1 {
        return write_entries(group, marks, indent, text);
    }
    text.push_str(marks[0]);
    write_tokens(group.stream(), indent, text);
    text.push_str(marks[1]);
}

/// Writes the entries of a group between its delimiters; `space` pads them on a single line.
fn write_entries(group: &Group, [open, close, space]: [&str; 3], indent: usize, text: &mut String) {
    let entries = split_at_commas(group.stream());
    text.push_str(open);
    if entries.is_empty() {
        text.push_str(close);
        return;
    }
    let mut short = String::from(space);
    for (at, entry) in entries.iter().enumerate() {
        short.push_str(if at == 0 { "" } else { ", " });
        write_tokens(entry.clone(), indent, &mut short);
    }
    short.push_str(space);
    let begun = text.len() - text.rfind('\n').map_or(0, |end| end + 1);
    if !short.contains('\n') && begun + short.len() + close.len() <= MAX_WIDTH {
        text.push_str(&short);
        text.push_str(close);
        return;
    }
    let inner = indent + 4;
    if entries.len() > MAX_LINES && entries.iter().all(is_word) {
        write_filled(&entries, inner, text);
        text.extend(std::iter::repeat_n(' ', indent));
        text.push_str(close);
        return;
    }
    for entry in entries {
        text.push('\n');
        text.extend(std::iter::repeat_n(' ', inner));
        write_tokens(entry, inner, text);
        text.push(',');
    }
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', indent));
    text.push_str(close);
}

fn is_word(entry: &TokenStream) -> bool {
    let mut tokens = entry.clone().into_iter();
    matches!((tokens.next(), tokens.next()), (Some(TokenTree::Ident(_)), None))
}

/// Writes names into lines as long as they fit.
fn write_filled(names: &[TokenStream], indent: usize, text: &mut String) {
    // Wider than any line, so that the first name starts a new one.
    let mut width = usize::MAX;
    for name in names {
        let name = name.to_string();
        if width.saturating_add(name.len() + 2) > MAX_WIDTH {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            width = indent;
        } else {
            text.push(' ');
            width += 1;
        }
        text.push_str(&name);
        text.push(',');
        width += name.len() + 1;
    }
    text.push('\n');
}

/// Splits tokens at commas.
fn split_at_commas(tokens: TokenStream) -> Vec<TokenStream> {
    let mut entries = vec![Vec::new()];
    for token in tokens {
        match (&token, entries.last_mut()) {
            (TokenTree::Punct(punct), _) if punct.as_char() == ',' => entries.push(Vec::new()),
            (_, Some(entry)) => entry.push(token),
            _ => {}
        }
    }
    entries.into_iter().filter(|entry| !entry.is_empty()).map(TokenStream::from_iter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn text_of(tokens: TokenStream) -> Option<String> {
        format_macro_table(&syn::parse2(tokens).unwrap())
    }

    #[test]
    fn a_short_table_is_a_line_and_a_long_one_has_a_line_for_each_entry() {
        let short = quote! { ::a::open_enum! { Order "Order" { 0 First "first" | "1st", } } };
        let expected = "::a::open_enum! {\n    Order \"Order\" { 0 First \"first\" | \"1st\" }\n}\n";
        assert_eq!(text_of(short).as_deref(), Some(expected));
        let names = (0..12_u8).map(|at| quote::format_ident!("Value{at}"));
        let long = text_of(quote! { ::a::table! { E { #(#names "a name on the wire"),* } } }).unwrap();
        assert!(long.starts_with("::a::table! {\n    E {\n        Value0 \"a name on the wire\",\n"), "{long}");
        assert!(long.ends_with("        Value11 \"a name on the wire\",\n    }\n}\n"), "{long}");
    }

    #[test]
    fn hundreds_of_names_fill_lines() {
        let of = |count: usize| {
            let names = (0..count).map(|at| quote::format_ident!("Name{at}"));
            text_of(quote! { a! { OF { (all()) { #(#names),* } } } }).unwrap()
        };
        assert_eq!(of(256).lines().count(), 262);
        let many = of(257);
        assert!(many.lines().count() < 50, "{many}");
        assert!(many.lines().all(|line| line.len() <= MAX_WIDTH), "{many}");
        assert!(many.starts_with("a! {\n    OF {\n        (all()) {\n            Name0, Name1,"), "{many}");
        assert!(many.ends_with(" Name256,\n        },\n    }\n}\n"), "{many}");
    }

    #[test]
    fn a_condition_stands_before_its_entries() {
        let tokens = quote! { a! { OF { (any(feature = "b", feature = "c")) { B, C }, (all()) { D } } } };
        let expected = "a! {\n    OF { (any(feature = \"b\", feature = \"c\")) { B, C }, (all()) { D } }\n}\n";
        assert_eq!(text_of(tokens).as_deref(), Some(expected));
    }

    #[test]
    fn what_is_no_table_is_left_to_the_formatter() {
        for tokens in [quote! { a!(b); }, quote! { #[cfg(b)] a! { b } }, quote! { macro_rules! a { () => { 1 }; } }] {
            assert_eq!(text_of(tokens.clone()), None, "{tokens}");
        }
    }
}
