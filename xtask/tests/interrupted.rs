//! `cargo xtask gen` where so many files stay that crates are exchanged one by one, and a kill comes in between.

#![allow(clippy::expect_used)] // a test that fails says so by panicking
#![cfg(unix)]

mod place;

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::process::Stdio;

use place::{Place, SCHEMA};

/// An API with operations, and so with four crates.
fn schema(doc: &str) -> String {
    let operations = "operations:\n  greet: { doc: Greets., http: POST /greet, body: Greeting, response: Greeting }\n";
    format!("{}root: https://example.com\n{operations}", SCHEMA.replace("What it says", doc))
}

/// A folder of crates, of which one has as many files as those of many APIs.
fn large() -> Place {
    let place = Place::new();
    place.write("schemas/greeter/api.yaml", &schema("What it says"));
    assert!(place.run(&[]).0);
    (0..2100).for_each(|at| place.write(&format!("out/large-types/src/f{at}.rs"), "a file"));
    place
}

/// The files of each crate of the API.
fn crates(place: &Place) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut crates: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (path, text) in place.tree() {
        if let Some((name, path)) = path.split_once('/').filter(|(name, _)| name.starts_with("greeter-")) {
            crates.entry(name.to_owned()).or_default().insert(path.to_owned(), text);
        }
    }
    crates
}

/// Makes the folder what a kill leaves between the exchanges of two crates, and tells what it was to become.
fn interrupt(place: &Place) -> BTreeMap<String, BTreeMap<String, String>> {
    place.write("schemas/greeter/api.yaml", &schema("What is said"));
    let other = Place::new();
    other.write("schemas/greeter/api.yaml", &schema("What is said"));
    assert!(other.run(&[]).0);
    let whole = crates(&other);
    let beside = place.path(".out.wireform-killed");
    fs_err::create_dir_all(beside.join("new")).expect("a folder");
    fs_err::create_dir_all(beside.join("gone")).expect("a folder");
    let journal: Vec<String> = crates(place)
        .keys()
        .map(|name| {
            let new = beside.join("new").join(name);
            fs_err::rename(other.path("out").join(name), &new).expect("it is moved");
            format!("[\"{name}\",{}]", fs_err::metadata(new).expect("it is there").ino())
        })
        .collect();
    fs_err::write(beside.join("journal"), format!("[{}]", journal.join(","))).expect("a file");
    let (there, new) = (place.path("out/greeter-server"), beside.join("new/greeter-server"));
    fs_err::rename(&there, beside.join("gone/greeter-server")).expect("it is moved");
    fs_err::rename(new, there).expect("it is moved");
    whole
}

#[test]
fn a_check_tells_that_a_run_was_interrupted_and_the_next_run_does_the_rest_whatever_comes_of_it() {
    let place = large();
    let old = crates(&place);
    let new = interrupt(&place);
    let begun = place.tree();
    assert!(crates(&place) != old && crates(&place) != new);
    for look in ["--check", "--dry-run"] {
        let (fine, said) = place.run(&[look, "--api", "greeter"]);
        assert_eq!(fine, look == "--dry-run", "{said}");
        assert_eq!(said.contains("a run was interrupted"), look == "--check", "{said}");
        assert_eq!(place.tree(), begun, "a look touches nothing");
    }
    place.write("schemas/greeter/api.yaml", "not: a schema");
    let (fine, said) = place.run(&["--api", "greeter"]);
    assert!(!fine && said.contains("nothing was written"), "{said}");
    assert!(crates(&place) == new);
    place.write("schemas/greeter/api.yaml", &schema("What is said"));
    let (fine, said) = place.run(&["--api", "greeter", "--check"]);
    assert!(fine, "{said}");
    let beside = fs_err::read_dir(place.dir.path()).expect("the folder").count();
    assert_eq!(beside, 2, "nothing is left beside the folder");
}

/// A process that is killed leaves each crate as it was or as it is to be, whenever the kill comes.
#[test]
fn a_kill_at_any_moment_leaves_whole_crates() {
    let place = large();
    let docs = ["What it says", "What is said"];
    let all = docs.map(|doc| {
        place.write("schemas/greeter/api.yaml", &schema(doc));
        assert!(place.run(&["--api", "greeter"]).0);
        crates(&place)
    });
    for round in 0..30 {
        let which = usize::from(round % 2 == 1);
        place.write("schemas/greeter/api.yaml", &schema(docs[which]));
        let mut command = place.command(&["--api", "greeter"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command runs");
        std::thread::sleep(std::time::Duration::from_micros(round * 2_000));
        let _ = child.kill();
        child.wait().expect("it ends");
        for (name, files) in crates(&place) {
            assert!(all.iter().any(|crates| crates[&name] == files), "{round}: {name}");
        }
        assert!(place.run(&["--api", "greeter"]).0);
        assert!(crates(&place) == all[which], "{round}");
    }
    assert!(place.path("out/large-types/src/f2099.rs").exists());
}
