//! Functions that `cargo test` runs, by program, module and name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use fs_err as fs;
use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Item};
use wireform_tests::root;

/// Macros whose functions are tests.
const MACROS: [&str; 2] = ["proptest", "on_each_database"];

/// Names of tests by the folder of sources, such as `visibility::a_restriction_applies`.
#[derive(Default)]
pub struct TestIndex(BTreeMap<PathBuf, BTreeSet<String>>);

impl TestIndex {
    /// Finds a test such as `calendar::visibility::a_restriction_applies`.
    ///
    /// # Errors
    /// Returns an error if there is no such test, or if it is always ignored.
    pub fn find(&mut self, name: &str) -> Result<(), String> {
        let missing = || format!("there is no test `{name}`");
        let (program, test) = name.split_once("::").ok_or_else(missing)?;
        let found = folders(program)
            .into_iter()
            .any(|folder| self.0.entry(folder).or_insert_with_key(|folder| tests_below(folder)).contains(test));
        if found { Ok(()) } else { Err(missing()) }
    }
}

/// Returns the folders with the modules of a program's tests.
fn folders(program: &str) -> Vec<PathBuf> {
    let (package, folder) = match program {
        "suite" | "compiled" | "rules" => return vec![root().join("tests").join(program)],
        "clients" | "servers" => return vec![root().join("tests/calls").join(program)],
        "runtime" => (root(), "runtime"),
        "services" => (root().join("services"), "server"),
        service => match service.strip_prefix("runtime-") {
            Some(part) => (root().join("runtime"), part),
            None => (root().join("services"), service),
        },
    };
    let package = package.join(folder);
    let mut found = vec![package.join("src")];
    let programs = fs::read_dir(package.join("tests")).into_iter().flatten().flatten().map(|entry| entry.path());
    found.extend(programs.map(|path| path.with_extension("")));
    found.retain(|path| path.is_dir());
    found
}

fn tests_below(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    read_folder(folder, "", &mut found);
    found
}

fn read_folder(folder: &Path, module: &str, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("an entry can be read").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let inner = format!("{module}{name}::");
        if path.is_dir() {
            read_folder(&path, &inner, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let module = if ["mod", "lib", "main"].contains(&name.as_str()) { module } else { &inner };
            let text = fs::read_to_string(&path).expect("a source is text");
            let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            read_items(&file.items, module, found);
        }
    }
}

fn read_items(items: &[Item], module: &str, found: &mut BTreeSet<String>) {
    for item in items {
        match item {
            Item::Fn(function) if is_test(&function.attrs) => {
                found.insert(format!("{module}{}", function.sig.ident));
            }
            Item::Mod(inner) => {
                let items = inner.content.iter().flat_map(|(_, items)| items).cloned().collect::<Vec<_>>();
                read_items(&items, &format!("{module}{}::", inner.ident), found);
            }
            Item::Macro(call) if MACROS.iter().any(|name| call.mac.path.is_ident(name)) => {
                functions(call.mac.tokens.clone(), &mut |name| {
                    found.insert(format!("{module}{name}"));
                })
            }
            _ => {}
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    let ends_with = |attribute: &Attribute, name: &str| {
        attribute.path().segments.last().is_some_and(|segment| segment.ident == name)
    };
    attributes.iter().any(|attribute| ends_with(attribute, "test"))
        && !attributes.iter().any(|attribute| ends_with(attribute, "ignore"))
}

fn functions(tokens: TokenStream, found: &mut impl FnMut(String)) {
    let mut is_function = false;
    for token in tokens {
        match &token {
            TokenTree::Ident(name) if is_function => found(name.to_string()),
            TokenTree::Group(group) => functions(group.stream(), found),
            _ => {}
        }
        is_function = matches!(&token, TokenTree::Ident(word) if word == "fn");
    }
}
