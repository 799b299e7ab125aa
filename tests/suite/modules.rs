//! The dependencies between the modules of a crate have no cycles, except between a module and its nested modules, so
//! that a reader can start at the modules without dependencies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::{Attribute, Item};
use wireform_tests::root;

use crate::boundaries;

const CRATES: &[&str] = &[
    "cli",
    "codegen",
    "importers",
    "runtime",
    "runtime/client",
    "runtime/server",
    "runtime/validation",
    "services/calendar",
    "services/engine",
    "services/mailbox",
    "services/page",
    "services/recurrence",
    "services/script",
    "services/server",
    "services/store",
    "services/stress",
    "xtask",
    "xtask/commands",
];

/// Cycles that remain: no other may appear, and none of these may grow.
const REMAINING: &[&str] = &[
    "importers: openapi::conditions, openapi::constraints, openapi::enums, openapi::importer, openapi::members, \
     openapi::parameters, openapi::paths, openapi::reimport, openapi::resources, \
     openapi::scalars, openapi::security, openapi::servers, openapi::types",
    "importers: openapi::encoding, openapi::media",
    "runtime/server: context, lists, receive, response",
    "runtime/server: limits, memory, quota, settings, uploads",
    "services/calendar: ics, read, write",
    "services/store: backend, domain, script",
];

/// Module, by the names of its ancestors and its own.
type Module = Vec<String>;

/// Modules that each module uses.
type Uses = BTreeMap<Module, BTreeSet<Module>>;

/// Collects the sources of a crate by module, without tests.
fn sources(dir: &Path, module: &Module, found: &mut BTreeMap<Module, String>) {
    for entry in fs_err::read_dir(dir).expect("the folder is there") {
        let path = entry.expect("an entry can be read").path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let inner = || module.iter().cloned().chain([name.clone()]).collect::<Module>();
        match path.is_dir() {
            _ if name == "tests" => {}
            true => sources(&path, &inner(), found),
            false if path.extension().is_none_or(|extension| extension != "rs") || boundaries::is_for_tests(&path) => {}
            false => {
                let of = if ["mod", "lib", "main"].contains(&name.as_str()) { module.clone() } else { inner() };
                found.insert(of, fs_err::read_to_string(&path).expect("a source is text"));
            }
        }
    }
}

/// Collects the paths that start with `crate`, `self` or `super`; those in the braces of a `use` continue the path
/// before them.
fn paths(prefix: &Module, tokens: TokenStream, found: &mut Vec<Module>) {
    let mut tokens = tokens.into_iter().peekable();
    let mut path = prefix.clone();
    let (mut goes_on, mut is_begun) = (!prefix.is_empty(), false);
    while let Some(token) = tokens.next() {
        match &token {
            TokenTree::Ident(word) => {
                let word = word.to_string();
                is_begun = goes_on || ["crate", "self", "super"].contains(&word.as_str());
                if is_begun {
                    path.push(word);
                }
            }
            TokenTree::Group(group) => {
                let before = if goes_on { std::mem::replace(&mut path, prefix.clone()) } else { Module::new() };
                paths(&before, group.stream(), found);
                (goes_on, is_begun) = (false, false);
            }
            TokenTree::Punct(it) if it.as_char() == ',' => goes_on = !prefix.is_empty(),
            _ => {}
        }
        if is_begun {
            let is_colon = |next: &TokenTree| matches!(next, TokenTree::Punct(it) if it.as_char() == ':');
            goes_on = tokens.next_if(is_colon).is_some() && tokens.next_if(is_colon).is_some();
            if !goes_on {
                found.push(std::mem::replace(&mut path, prefix.clone()));
            }
            is_begun = false;
        }
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    let is = |it: &Attribute| it.path().is_ident("cfg") && it.meta.to_token_stream().to_string().contains("(test)");
    attributes.iter().any(is)
}

/// Returns the modules that a source uses.
fn used(module: &Module, text: &str, all: &BTreeMap<Module, String>) -> BTreeSet<Module> {
    let items = syn::parse_file(text).expect("a source is Rust").items;
    let items = items.into_iter().filter(|item| match item {
        Item::Mod(it) => !is_for_tests(&it.attrs),
        Item::Use(it) => !is_for_tests(&it.attrs),
        Item::Fn(it) => !is_for_tests(&it.attrs),
        Item::Impl(it) => !is_for_tests(&it.attrs),
        _ => true,
    });
    let mut found = Vec::new();
    items.for_each(|item| paths(&Module::new(), item.into_token_stream(), &mut found));
    // `__private` only re-exports: a macro names an item by it that is defined elsewhere.
    let is_other = |target: &Module| target != module && target.first().is_none_or(|name| name != "__private");
    found.iter().filter_map(|path| target(module, path, all)).filter(is_other).collect()
}

/// Returns the module that a path refers to, or `None` for another crate.
fn target(module: &Module, path: &Module, all: &BTreeMap<Module, String>) -> Option<Module> {
    let mut at = if path.first().is_some_and(|first| first == "crate") { Module::new() } else { module.clone() };
    for name in path {
        match name.as_str() {
            "crate" | "self" => {}
            "super" => drop(at.pop()?),
            name => {
                at.push(name.to_owned());
                if !all.contains_key(&at) {
                    at.pop();
                    break;
                }
            }
        }
    }
    Some(at)
}

/// Returns the transitive dependencies of a module.
fn reached<'e>(from: &'e String, edges: &'e BTreeMap<String, BTreeSet<String>>) -> BTreeSet<&'e String> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(at) = open.pop() {
        open.extend(edges.get(at).into_iter().flatten().filter(|to| seen.insert(*to)));
    }
    seen
}

/// Returns the modules that lead to each other among the direct children of a module. A child stands for all modules
/// nested in it; children and their parent may depend on each other.
fn cycles_within(parent: &Module, uses: &Uses) -> BTreeSet<Vec<String>> {
    let child = |module: &Module| module.starts_with(parent).then(|| module.get(parent.len()).cloned()).flatten();
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, used) in uses {
        let Some(from) = child(module) else { continue };
        edges.entry(from.clone()).or_default().extend(used.iter().filter_map(child).filter(|to| *to != from));
    }
    let reach: BTreeMap<&String, BTreeSet<&String>> = edges.keys().map(|name| (name, reached(name, &edges))).collect();
    let path = |name: &str| parent.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("::");
    let cycle = |name: &String| {
        let all = reach[name].iter().filter(|other| reach.get(**other).is_some_and(|back| back.contains(name)));
        all.map(|name| path(name)).collect::<Vec<_>>()
    };
    reach.keys().map(|name| cycle(name)).filter(|cycle| cycle.len() > 1).collect()
}

/// Returns the cycles of modules.
fn cycles(uses: &Uses) -> BTreeSet<Vec<String>> {
    uses.keys().flat_map(|parent| cycles_within(parent, uses)).collect()
}

fn of_crate(dir: &str) -> Uses {
    let mut all = BTreeMap::new();
    sources(&root().join(dir).join("src"), &Module::new(), &mut all);
    all.iter().map(|(module, text)| (module.clone(), used(module, text, &all))).collect()
}

#[test]
fn modules_use_one_another_in_one_direction() {
    let mut found = BTreeSet::new();
    for dir in CRATES {
        let uses = of_crate(dir);
        assert!(uses.values().any(|used| !used.is_empty()), "{dir}: no module uses another");
        found.extend(cycles(&uses).into_iter().map(|cycle| format!("{dir}: {}", cycle.join(", "))));
    }
    let remaining = REMAINING.iter().map(|cycle| (*cycle).to_owned()).collect();
    assert_eq!(found, remaining, "modules have cyclic dependencies; move the code that two of them need");
}

#[test]
fn a_circle_is_found_through_any_way_of_writing_a_path() {
    let all: BTreeMap<Module, String> = [
        ("", "mod a; mod b; mod c;"),
        ("a", "use crate::b::B; fn a() {}"),
        ("b", "use crate::{c::{self, C}}; fn b() {}"),
        ("c", "fn c() -> u8 { super::a::a() } #[cfg(test)] mod tests { use crate::d::D; }"),
        ("d", "use super::a::A;"),
        ("d::e", "use super::super::d; use super::D;"),
    ]
    .map(|(name, text)| (name.split("::").filter(|it| !it.is_empty()).map(str::to_owned).collect(), text.to_owned()))
    .into();
    let uses: Uses = all.iter().map(|(module, text)| (module.clone(), used(module, text, &all))).collect();
    let expected: BTreeSet<Vec<String>> = [vec!["a".to_owned(), "b".to_owned(), "c".to_owned()]].into();
    assert_eq!(cycles(&uses), expected);
}
