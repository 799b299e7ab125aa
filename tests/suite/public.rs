//! Public API of the runtime crates: snapshots of the public items with their signatures, so that no change is made by
//! accident.

mod outline;
mod sources;

use std::collections::{BTreeMap, BTreeSet};

use outline::{definitions, outline};
use sources::Sources;
use wireform_tests::root;

const CRATES: &[&str] = &["runtime", "runtime/client", "runtime/server", "runtime/validation"];

/// Names that several public items have, with the modules that define them, and the reason.
const SHARED_NAMES: &[(&str, &[&str], &str)] = &[
    ("Error", &["runtime/client::error", "runtime/server::error"], "each crate calls its error so, as reqwest does"),
    ("Reply", &["runtime/client::reply", "runtime/server::reply"], "the glossary's reply, as it is received and sent"),
];

fn shown(sources: &Sources) -> String {
    let items = outline(sources);
    prettyplease::unparse(&syn::File { shebang: None, attrs: Vec::new(), items, frontmatter: None })
}

#[test]
fn a_change_of_what_the_runtime_offers_is_seen() {
    for dir in CRATES {
        let sources = Sources::read(&root().join(dir).join("src"));
        let name = dir.replace('/', "-");
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true, snapshot_path => "snapshots/public" }, {
            insta::assert_snapshot!(name, shown(&sources));
        });
    }
}

/// Returns the names that several items have, with the crates and modules that define them. A definition that depends
/// on the target counts once, as does an item that is re-exported.
fn shared_names<'s>(crates: impl IntoIterator<Item = (&'s str, Sources)>) -> BTreeMap<String, BTreeSet<String>> {
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (dir, sources) in crates {
        for (name, module) in definitions(&sources) {
            let path = [&[dir.to_owned()], module.as_slice()].concat().join("::");
            places.entry(name).or_default().insert(path);
        }
    }
    places.retain(|_, places| places.len() > 1);
    places
}

#[test]
fn two_public_items_of_the_runtimes_have_two_names() {
    let crates = CRATES.iter().map(|dir| (*dir, Sources::read(&root().join(dir).join("src"))));
    let allowed = SHARED_NAMES.iter().map(|(name, places, _)| {
        let places = places.iter().map(|place| (*place).to_owned()).collect();
        ((*name).to_owned(), places)
    });
    assert_eq!(shared_names(crates), allowed.collect(), "a reader must not have to look up which item a name means");
}

#[test]
fn a_shared_name_is_one_of_two_definitions() {
    let one = "pub mod a; mod b; mod c; pub use a::Both; pub use b::*;";
    let targets = "#[cfg(unix)] pub type Both = u8; #[cfg(windows)] pub type Both = u16; pub struct Twice;";
    let sources = |more| Sources::of([("", one), ("a", targets), ("b", more), ("c", "pub enum Twice {}")]);
    let found = shared_names([("x", sources("pub struct Once; struct Both;"))]);
    assert_eq!(found, BTreeMap::new());
    let found = shared_names([("x", sources("pub trait Twice {}")), ("y", Sources::of([("", "pub type Once = u8;")]))]);
    let expected = [("Twice".to_owned(), BTreeSet::from(["x::a".to_owned(), "x::b".to_owned()]))];
    assert_eq!(found, BTreeMap::from(expected));
    let both = [("x", Sources::of([("", "pub enum Same {}")])), ("y", Sources::of([("", "pub type Same = u8;")]))];
    assert_eq!(shared_names(both).keys().collect::<Vec<_>>(), ["Same"]);
}

#[test]
fn what_can_be_named_is_shown_where_it_is_named() {
    let sources = Sources::of([
        (
            "",
            "mod a; pub mod b; pub use a::{A, inner::deep as deeper}; #[doc(hidden)] pub mod c; pub(crate) fn no() {}",
        ),
        (
            "a",
            "pub struct A { pub x: u8, y: u8 } pub struct B; impl A { pub fn x(&self) -> u8 { 1 } fn y(&self) {} } pub mod inner { pub fn deep() -> u8 { 2 } }",
        ),
        (
            "b",
            "pub use super::a::B; pub trait T { fn t(&self) -> u8 { 3 } } impl T for super::a::A { fn t(&self) -> u8 { 4 } } pub use serde::Serialize;",
        ),
        ("c", "pub fn hidden() {}"),
    ]);
    insta::assert_snapshot!(shown(&sources), @r"
    pub mod b {
        pub struct B;
        pub trait T {
            fn t(&self) -> u8 {}
        }
        pub use serde::Serialize;
    }
    pub struct A {
        pub x: u8,
    }
    impl A {
        pub fn x(&self) -> u8 {}
    }
    impl T for super::a::A {}
    pub use self::deep as deeper;
    pub fn deep() -> u8 {}
    ");
}
