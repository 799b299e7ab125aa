//! APIs with more groups of operations than a package can have features.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use wireform_codegen::{FileTree, Options, Source, generate, load};

/// Maximum number of features of a package; crates.io accepts 300.
const MOST: usize = 250;

/// Returns a schema with these groups, each with a number of operations.
fn schema(groups: &BTreeMap<String, usize>) -> String {
    let mut text = String::from("api: many\nfeatures: groups\nroot: https://example.com\noperations:\n");
    for (group, operations) in groups {
        for at in 0..*operations {
            let path = group.replace('.', "/");
            let _ = writeln!(text, "  {group}.run{at}: {{ doc: Runs., http: POST /{path}/{at} }}");
        }
    }
    text
}

fn crates(groups: &BTreeMap<String, usize>) -> FileTree {
    let output = generate(&[Source::new("api.yaml", schema(groups))], &Options::default());
    output.files.expect("the schema has no errors")
}

/// Returns the names of the features of a crate.
fn features(files: &FileTree, kind: &str) -> BTreeSet<String> {
    let manifest = &files[&format!("many-{kind}/Cargo.toml")];
    let table = manifest.split("\n[features]\n").nth(1).and_then(|rest| rest.split("\n[").next());
    let lines = table.expect("there are features").lines().filter(|line| !line.starts_with(['#', ' ']));
    lines.filter_map(|line| Some(line.split_once(" = [")?.0.to_owned())).collect()
}

/// Returns whether a file of a crate contains a text.
fn has(files: &FileTree, name: &str, text: &str) -> bool {
    let own = |path: &String| path.split('/').next() == Some(name);
    files.iter().any(|(path, file)| own(path) && file.contains(text))
}

/// Returns the documentation of the features in the client.
fn library_docs(files: &FileTree) -> String {
    let lib = &files["many-client/src/lib.rs"];
    let lines = lib.lines().skip_while(|line| *line != "//! # Features").take_while(|line| line.starts_with("//!"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns groups in three levels: 6, each with 10, each with 6.
fn deep() -> BTreeMap<String, usize> {
    let mut groups = BTreeMap::new();
    for outer in 0..6 {
        groups.insert(format!("g{outer}"), 1);
        for middle in 0..10 {
            groups.insert(format!("g{outer}.m{middle}"), 2);
            groups.extend((0..6).map(|inner| (format!("g{outer}.m{middle}.i{inner}"), 1 + (inner + middle) % 6)));
        }
    }
    groups
}

#[test]
fn no_crate_has_more_features_than_a_registry_takes_and_no_group_is_lost() {
    let groups = deep();
    assert!(groups.len() > 400);
    let files = crates(&groups);
    for kind in ["types", "validation", "client", "server"] {
        let features = features(&files, kind);
        assert!(features.len() <= MOST && features.len() > 200, "{kind}: {}", features.len());
    }
    let docs = library_docs(&files);
    // The second column has the names of the groups in the schema.
    let second: String = docs.lines().filter_map(|line| line.split('|').nth(2)).collect();
    for group in groups.keys() {
        assert_eq!(second.matches(&format!("`{group}`")).count(), 1, "{group}\n{docs}");
    }
    let features = features(&files, "client");
    assert!(features.contains("g0-m0") && features.contains("g0-m0-i5"), "the largest are features");
    assert!(!features.contains("g0-m0-i0"), "and the least are not");
    assert!(docs.contains("//! | `g0-m0` | `g0.m0`, with `g0.m0.i0`"), "{docs}");
    let manifest = &files["many-client/Cargo.toml"];
    assert!(manifest.contains("# The operations of `g0.m0`, and of 3 nested groups.\ng0-m0 = [\"g0\", "), "{manifest}");
    // A group without a feature is gated by that of the enclosing group.
    assert!(has(&files, "many-server", "#[cfg(feature = \"g0-m0\")]\n/// Implements `g0.m0.i0`."), "{docs}");
}

/// Returns groups of which only one has no feature: a nested group with fewer operations than its siblings.
fn one_too_many() -> BTreeMap<String, usize> {
    let mut groups = BTreeMap::from([("p".to_owned(), 1), ("p.o".to_owned(), 1)]);
    groups.extend((0..229).map(|at| (format!("p.x{at}"), 2 + at % 5)));
    groups
}

#[test]
fn a_feature_is_lost_only_for_one_of_the_group_that_changes_or_of_one_around_it() {
    let features = |groups: &BTreeMap<String, usize>| {
        let api = load(&[Source::new("api.yaml", schema(groups))]).expect("the schema has no errors");
        api.features.groups.into_iter().map(|feature| feature.name).collect::<BTreeSet<_>>()
    };
    let changes = [
        (deep(), "g3.m3.late", 1, 1),
        (deep(), "g3.m3.late", 9, 1),
        (deep(), "late", 1, 1),
        (deep(), "g0.m0.i0", 6, 1),
        (deep(), "g0.m0.i5", 9, 1),
        (one_too_many(), "p.late", 9, 1),
        (one_too_many(), "p.o", 9, 1),
        // `p.o` had none, but needs one if a nested group has one.
        (one_too_many(), "p.o.late", 9, 2),
    ];
    for (mut groups, group, operations, most) in changes {
        let before = features(&groups);
        groups.insert(group.to_owned(), operations);
        let after = features(&groups);
        let (gone, come): (Vec<_>, Vec<_>) = (before.difference(&after).collect(), after.difference(&before).collect());
        assert!(gone.len() <= most && come.len() <= most && gone.len() <= come.len(), "{group}: {gone:?} {come:?}");
        let name = group.replace('.', "-");
        let is_around = |feature: &str| name == feature || name.starts_with(&format!("{feature}-"));
        assert!(come.iter().all(|feature| is_around(feature)), "{group}: {come:?}");
        assert!(most == 1 || gone.len() == most, "{group}: {gone:?}");
    }
}

#[test]
fn of_too_many_outermost_groups_the_least_are_always_there() {
    let groups: BTreeMap<String, usize> = (0..260).map(|at| (format!("g{at}"), if at < 40 { 1 } else { 2 })).collect();
    let files = crates(&groups);
    assert!(features(&files, "client").len() <= MOST);
    let docs = library_docs(&files);
    assert!(docs.contains("//! Always enabled: `g18`, "), "{docs}");
    let gated = |group: &str| has(&files, "many-server", &format!("#[cfg(feature = \"{group}\")]"));
    assert!(gated("g100") && gated("g0") && !gated("g39"), "{docs}");
}
