//! `cargo xtask gen` with so many unchanged files that crates are swapped one by one, killed in between.

#![allow(clippy::expect_used)] // a test that fails says so by panicking
#![cfg(unix)]

mod place;

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::process::Stdio;

use place::{Place, SCHEMA};

/// Returns an API with operations, and thus four crates.
fn schema(doc: &str) -> String {
    let operations = "operations:\n  greet: { doc: Greets., http: POST /greet, body: Greeting, response: Greeting }\n";
    format!("{}root: https://example.com\n{operations}", SCHEMA.replace("What it says", doc))
}

/// Returns a folder with crates, one of which has as many files as many APIs.
fn large() -> Place {
    let place = Place::new();
    place.write("schemas/greeter/api.yaml", &schema("What it says"));
    assert!(place.run(&[]).0);
    (0..2100).for_each(|at| place.write(&format!("out/large-types/src/f{at}.rs"), "a file"));
    place
}

/// Returns the files of each crate of the API.
fn crates(place: &Place) -> BTreeMap<String, BTreeMap<String, String>> {
    let mut crates: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (path, text) in place.tree() {
        if let Some((name, path)) = path.split_once('/').filter(|(name, _)| name.starts_with("greeter-")) {
            crates.entry(name.to_owned()).or_default().insert(path.to_owned(), text);
        }
    }
    crates
}

/// Puts the folder into the state after a kill between the swaps of two crates, and returns the expected files.
fn interrupt(place: &Place) -> BTreeMap<String, BTreeMap<String, String>> {
    place.write("schemas/greeter/api.yaml", &schema("What is said"));
    let other = Place::new();
    other.write("schemas/greeter/api.yaml", &schema("What is said"));
    assert!(other.run(&[]).0);
    let whole = crates(&other);
    let sibling = place.path(".out.wireform-killed");
    fs_err::create_dir_all(sibling.join("new")).expect("a folder");
    fs_err::create_dir_all(sibling.join("gone")).expect("a folder");
    let journal: Vec<String> = crates(place)
        .keys()
        .map(|name| {
            let new = sibling.join("new").join(name);
            fs_err::rename(other.path("out").join(name), &new).expect("it is moved");
            format!("[\"{name}\",{}]", fs_err::metadata(new).expect("it is there").ino())
        })
        .collect();
    fs_err::write(sibling.join("journal"), format!("[{}]", journal.join(","))).expect("a file");
    let (there, new) = (place.path("out/greeter-server"), sibling.join("new/greeter-server"));
    fs_err::rename(&there, sibling.join("gone/greeter-server")).expect("it is moved");
    fs_err::rename(new, there).expect("it is moved");
    whole
}

#[test]
fn check_reports_interrupted_run_and_next_run_completes_it() {
    let place = large();
    let old = crates(&place);
    let new = interrupt(&place);
    let begun = place.tree();
    assert!(crates(&place) != old && crates(&place) != new);
    for look in ["--check", "--dry-run"] {
        let (success, output) = place.run(&[look, "--api", "greeter"]);
        assert_eq!(success, look == "--dry-run", "{output}");
        assert_eq!(output.contains("a run was interrupted"), look == "--check", "{output}");
        assert_eq!(place.tree(), begun, "a check changes nothing");
    }
    // While a run is active, a check does not consider it interrupted.
    let at_work = fs_err::File::open(place.dir.path()).expect("the folder").into_parts().0;
    at_work.lock().expect("no thread panicked");
    let (success, output) = place.run(&["--check", "--api", "greeter"]);
    assert!(
        !success && output.contains("another run is in progress") && !output.contains("a run was interrupted"),
        "{output}"
    );
    drop(at_work);
    place.write("schemas/greeter/api.yaml", "not: a schema");
    let (success, output) = place.run(&["--api", "greeter"]);
    assert!(!success && output.contains("nothing was written"), "{output}");
    assert!(crates(&place) == new);
    place.write("schemas/greeter/api.yaml", &schema("What is said"));
    let (success, output) = place.run(&["--api", "greeter", "--check"]);
    assert!(success, "{output}");
    let entries = fs_err::read_dir(place.dir.path()).expect("the folder").count();
    assert_eq!(entries, 2, "nothing is left next to the folder");
}

/// Returns a folder with the generated crates of many APIs.
fn many() -> Place {
    let place = Place::new();
    (0..220).for_each(|at| {
        let schema = SCHEMA.replace("api: greeter", &format!("api: many-{at}"));
        place.write(&format!("schemas/many-{at}/api.yaml"), &schema);
    });
    place
}

/// Adds foreign files, which the next run removes: sorted before, between and after the crates of the API, so that some
/// time passes between two swaps.
fn add_foreign_files(place: &Place) {
    for before in ["a", "greeter-d", "greeter-sf", "greeter-u", "z"] {
        (0..600).for_each(|at| place.write(&format!("out/{before}{at}.txt"), "not ours"));
    }
}

/// Returns whether a run has created an entry next to the folder whose name contains a text.
fn has_sibling_entry(place: &Place, name: &str) -> bool {
    let entries = fs_err::read_dir(place.dir.path()).expect("the folder").filter_map(Result::ok);
    let mut runs = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".out.wireform-"));
    runs.any(|run| run.path().join(name).exists())
}

/// Starts a run, and kills it once it has created an entry next to the folder, after a number of further polls.
fn kill_at(place: &Place, sign: &str, looks: usize) {
    let mut command = place.command(&[]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command runs");
    let mut seen = 0;
    while seen <= looks && child.try_wait().expect("it is known").is_none() {
        seen += usize::from(has_sibling_entry(place, sign));
    }
    let _ = child.kill();
    child.wait().expect("it ends");
}

/// A process that is killed at any time leaves each crate in its old or its new state: when a new tree is started, and
/// at various times after the journal is written.
#[test]
fn killed_run_leaves_whole_crates() {
    let place = many();
    let docs = ["What it says", "What is said"];
    let all = docs.map(|doc| {
        place.write("schemas/greeter/api.yaml", &schema(doc));
        assert!(place.run(&[]).0);
        crates(&place)
    });
    assert!(all[0].len() == 4 && all[0].keys().eq(all[1].keys()) && all[0] != all[1]);
    let mut in_between = 0;
    for round in 0..12 {
        let which = round % 2;
        add_foreign_files(&place);
        place.write("schemas/greeter/api.yaml", &schema(docs[which]));
        kill_at(&place, if round % 5 == 0 { "new" } else { "journal" }, round * 30);
        in_between += usize::from(has_sibling_entry(&place, "journal"));
        let there = crates(&place);
        assert!(there.keys().eq(all[0].keys()), "{round}: {:?}", there.keys());
        for (name, files) in &there {
            assert!(all.iter().any(|crates| crates[name] == *files), "{round}: {name}");
        }
        assert!(place.run(&[]).0, "{round}");
        assert!(crates(&place) == all[which], "{round}");
    }
    assert!(in_between > 0, "no kill came between the first exchange and the last");
    assert!(!place.path("out/z599.txt").exists() && place.path("out/many-219-types/src").exists());
}
