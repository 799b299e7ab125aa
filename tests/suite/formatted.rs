//! What is written without a syntax tree is what the formatter makes of the same tokens.

use proc_macro2::TokenStream;
use wireform_codegen::emit::{Content, RustFile, emit};
use wireform_codegen::render::layout;
use wireform_codegen::{Options, generate, load};
use wireform_tests::{folders, root, sources};

/// The pieces of a file as they are formatted, one by one, each with the attribute that stands before its items.
fn pieces(file: RustFile) -> Vec<(String, TokenStream)> {
    let RustFile { head: _, items, methods, parts, tail } = file;
    let members: Vec<&TokenStream> = parts.iter().map(|part| &part.members).filter(|it| !it.is_empty()).collect();
    let methods = methods.and_then(|methods| methods.tokens(&members));
    let bare = |tokens| (String::new(), tokens);
    let parts = parts.into_iter().flat_map(|part| {
        let behind = part.behind;
        part.items.into_iter().map(move |item| (behind.clone(), item))
    });
    items.into_iter().chain(methods).map(bare).chain(parts).chain(tail.into_iter().map(bare)).collect()
}

/// Each item as the formatter writes it, behind the attribute.
fn formatted(behind: &str, tokens: TokenStream) -> String {
    let file: syn::File = syn::parse2(tokens).expect("Rust");
    if behind.is_empty() {
        return prettyplease::unparse(&file);
    }
    file.items.into_iter().map(|item| format!("{behind}{}", alone(item))).collect()
}

fn alone(item: syn::Item) -> String {
    prettyplease::unparse(&syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item] })
}

#[test]
fn items_are_formatted_as_by_the_formatter_and_few_need_it() {
    let (mut written, mut left, mut behind_features) = (0, 0, 0);
    for dir in ["schemas", "tests/cases"].iter().flat_map(|dir| folders(&root().join(dir))) {
        let files = sources(&dir);
        let api = load(&files).unwrap_or_else(|_| panic!("{} has no errors", dir.display()));
        for artifact in emit(&api, &files, &Options::default()) {
            let Content::Rust(file) = (artifact.content)() else { continue };
            for (behind, tokens) in pieces(file) {
                let mut text = String::new();
                if layout::write(&behind, &tokens.to_string(), &mut text) {
                    assert_eq!(text, formatted(&behind, tokens), "{} of {}", artifact.path, dir.display());
                    written += text.len();
                    behind_features += usize::from(behind.contains("feature"));
                } else {
                    left += tokens.to_string().len();
                }
            }
        }
    }
    assert!(written > 5 * left, "{left} bytes are left to the formatter, {written} are not");
    assert!(behind_features > 0, "no item stands behind a feature");
}

fn names_modules(item: &syn::Item) -> bool {
    match item {
        syn::Item::Mod(module) => module.content.is_none(),
        item => matches!(item, syn::Item::Use(_)),
    }
}

/// What a divided file has that the whole one has not: the modules, and what is exported from them.
#[test]
fn the_modules_of_divided_files_are_formatted_as_by_the_formatter() {
    let mut compared = 0;
    for case in ["client", "features"] {
        let options = Options { most_lines: 1, ..Options::default() };
        let files = generate(&sources(&root().join("tests/cases").join(case)), &options).files.expect("no errors");
        for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs")) {
            let items = syn::parse_file(text).expect("Rust").items;
            for item in items.into_iter().filter(names_modules) {
                let formatted = alone(item);
                assert!(text.contains(&formatted), "{path} has, in another form:\n{formatted}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}
