//! Shape of generated Rust: its tokens without the contents of string literals.

use proc_macro2::{Delimiter, Group, Punct, Spacing, TokenStream, TokenTree};
use wireform_codegen::FileTree;

/// Returns the tokens of all Rust files, one per line, with each string literal as `""`.
pub fn shape(files: &FileTree) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs")) {
        lines.push(path.clone());
        walk(tokens(path, text), &mut |tree| {
            lines.push(if text_of(tree).is_some() { "\"\"".into() } else { tree.to_string() })
        });
    }
    lines
}

/// Returns the string literals of the files that are used on the wire.
pub fn texts(files: &FileTree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs")) {
        walk(tokens(path, text), &mut |tree| found.extend(text_of(tree)));
    }
    found
}

fn tokens(path: &str, text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Calls a function with every token, and with each opening and closing delimiter as an empty group. Tokens that the
/// formatter adds to long lines are skipped: a trailing comma, and the braces around the value of a match arm.
fn walk(tokens: TokenStream, take: &mut impl FnMut(&TokenTree)) {
    let comma = TokenTree::from(Punct::new(',', Spacing::Alone));
    let mut tokens = tokens.into_iter().peekable();
    let mut arrow = ['-'; 2];
    while let Some(tree) = tokens.next() {
        let last = tokens.peek().is_none();
        match &tree {
            TokenTree::Punct(mark) if mark.as_char() == ',' && last => {}
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace && arrow == ['=', '>'] => {
                walk(group.stream(), take);
                if !last {
                    take(&comma);
                }
            }
            TokenTree::Group(group) => {
                let edge = TokenTree::from(Group::new(group.delimiter(), TokenStream::new()));
                take(&edge);
                walk(group.stream(), take);
                take(&edge);
            }
            other => take(other),
        }
        arrow = [arrow[1], if let TokenTree::Punct(mark) = &tree { mark.as_char() } else { '-' }];
    }
}

fn text_of(tree: &TokenTree) -> Option<String> {
    let TokenTree::Literal(literal) = tree else { return None };
    match syn::Lit::new(literal.clone()) {
        syn::Lit::Str(text) => Some(text.value()),
        _ => None,
    }
}

#[test]
fn another_text_is_the_same_shape_and_another_token_is_not() {
    let of = |text: &str| shape(&FileTree::from([("a.rs".to_owned(), text.to_owned())]));
    let plain = of("/// One.\nfn a() -> &'static str { \"x\" }");
    assert_eq!(plain, of("#[doc = \"Two.\"]\nfn a() -> &'static str { r#\"y\"# }"));
    assert_eq!(of("m! { a => { b } c => d, }"), of("m! { a => b, c => { d } }"));
    for other in [
        "/// One.\nfn a() -> &'static str { 1 }",
        "fn a() -> &'static str { \"x\" }",
        "/// One.\nfn b() -> &'static str { \"x\" }",
        "/// One.\nfn a() -> &'static str { (\"x\") }",
    ] {
        assert_ne!(plain, of(other), "{other}");
    }
}
