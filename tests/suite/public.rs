//! Public API of the runtime crates: snapshots of the public items with their signatures, so that no change is made by
//! accident.

mod outline;
mod sources;

use outline::outline;
use sources::Sources;
use wireform_tests::root;

const CRATES: &[&str] = &["runtime", "runtime/client", "runtime/server", "runtime/validation"];

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
