//! What is written without a syntax tree is what the formatter makes of the same tokens.

use proc_macro2::TokenStream;
use wireform_codegen::emit::{Content, RustFile, emit};
use wireform_codegen::render::layout;
use wireform_codegen::{Options, load};
use wireform_tests::{folders, root, sources};

/// The pieces of a file as they are formatted, one by one.
fn pieces(file: RustFile) -> Vec<TokenStream> {
    let RustFile { head: _, items, methods, parts, tail } = file;
    let members: Vec<&TokenStream> = parts.iter().map(|part| &part.members).filter(|it| !it.is_empty()).collect();
    let methods = methods.and_then(|methods| methods.tokens(&members));
    items.into_iter().chain(methods).chain(parts.into_iter().flat_map(|part| part.items)).chain(tail).collect()
}

#[test]
fn items_are_formatted_as_by_the_formatter_and_few_need_it() {
    let (mut written, mut left) = (0, 0);
    for dir in ["schemas", "tests/cases"].iter().flat_map(|dir| folders(&root().join(dir))) {
        let files = sources(&dir);
        let api = load(&files).unwrap_or_else(|_| panic!("{} has no errors", dir.display()));
        for artifact in emit(&api, &files, &Options::default()) {
            let Content::Rust(file) = (artifact.content)() else { continue };
            for tokens in pieces(file) {
                let mut text = String::new();
                if layout::write("", &tokens.to_string(), &mut text) {
                    let formatted = prettyplease::unparse(&syn::parse2(tokens).expect("Rust"));
                    assert_eq!(text, formatted, "{} of {}", artifact.path, dir.display());
                    written += text.len();
                } else {
                    left += tokens.to_string().len();
                }
            }
        }
    }
    assert!(written > 5 * left, "{left} bytes are left to the formatter, {written} are not");
}
