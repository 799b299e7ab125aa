//! Checks the permitted dependencies between the crates of the workspace against their manifests, and that all tests
//! and features are tested. Dev-dependencies are not restricted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use wireform_tests::{cargo_tree, root};

use crate::boundaries::rust_files;

/// Crates of the workspace that the crates of a folder may use. A star stands for the name of an API, the same on both
/// sides; two stand for anything.
const MAY_USE: &[(&str, &[&str])] = &[
    ("codegen", &[]),
    // Importers validate their output with the schema reader.
    ("importers", &["codegen"]),
    ("runtime", &[]),
    ("runtime/validation", &["runtime"]),
    ("runtime/client", &["runtime", "runtime/validation"]),
    ("runtime/server", &["runtime", "runtime/validation"]),
    ("generated/*-types", &["runtime"]),
    ("generated/*-validation", &["runtime/validation", "generated/*-types"]),
    ("generated/*-client", &["runtime/client", "generated/*-types", "generated/*-validation"]),
    ("generated/*-server", &["runtime/server", "generated/*-types", "generated/*-validation"]),
    ("examples/reading-list", &["examples/reading-list/generated/**"]),
    ("examples/reading-list/generated/*-types", &["runtime"]),
    (
        "examples/reading-list/generated/*-validation",
        &["runtime/validation", "examples/reading-list/generated/*-types"],
    ),
    (
        "examples/reading-list/generated/*-client",
        &["runtime/client", "examples/reading-list/generated/*-types", "examples/reading-list/generated/*-validation"],
    ),
    (
        "examples/reading-list/generated/*-server",
        &["runtime/server", "examples/reading-list/generated/*-types", "examples/reading-list/generated/*-validation"],
    ),
    ("services/allocator", &[]),
    ("services/engine", &[]),
    ("services/recurrence", &[]),
    ("services/store", &[]),
    ("services/mailbox", &["services/store", "generated/mailbox-server", "runtime/server"]),
    ("services/calendar", &["services/store", "services/recurrence", "generated/calendar-server", "runtime/server"]),
    (
        "services/script",
        &[
            "services/store",
            "services/engine",
            "generated/script-server",
            "generated/script-validation",
            "runtime/server",
        ],
    ),
    // Pages decode the responses of the APIs.
    ("services/page", &["generated/calendar-types", "generated/mailbox-types", "generated/script-types"]),
    (
        "services/server",
        &[
            "services/allocator",
            "services/store",
            "services/mailbox",
            "services/calendar",
            "services/engine",
            "services/script",
            "services/page",
            "generated/**-server",
            "runtime/server",
        ],
    ),
    ("services/stress", &["services/engine", "services/store", "generated/**-client", "tests/rounds"]),
    // Benches may use everything.
    ("benches", &["**"]),
    ("benches/fixtures", &["generated/calendar-server"]),
    ("benches/instructions", &["**"]),
    ("tests", &["**"]),
    ("tests/calls", &[]),
    ("tests/data", &[]),
    ("tests/emitted", &["codegen"]),
    ("tests/http-specs", &["codegen"]),
    ("tests/judge", &["codegen", "importers"]),
    ("tests/random-schemas", &["codegen"]),
    ("tests/rounds", &[]),
    ("cli", &["codegen", "importers"]),
    ("xtask", &[]),
    ("xtask/commands", &["cli"]),
];

/// Matches a folder with a pattern, and returns the text of its star.
fn fits<'f>(pattern: &str, folder: &'f str) -> Option<&'f str> {
    let Some((before, after)) = pattern.split_once('*') else {
        return (pattern == folder).then_some("");
    };
    let after = after.trim_start_matches('*');
    folder.strip_prefix(before)?.strip_suffix(after)
}

fn allowed(user: &str, used: &str) -> bool {
    let entries = MAY_USE.iter().filter_map(|(pattern, may)| Some((fits(pattern, user)?, may)));
    entries.into_iter().any(|(name, may)| {
        may.iter().any(|pattern| {
            let pattern = if pattern.contains("**") { (*pattern).to_owned() } else { pattern.replace('*', name) };
            fits(&pattern, used).is_some()
        })
    })
}

/// Returns what cargo reports about the packages.
fn metadata(arguments: &[&str]) -> Value {
    let reported = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(arguments)
        .current_dir(root())
        .output()
        .expect("cargo can be started");
    assert!(reported.status.success(), "{}", String::from_utf8_lossy(&reported.stderr));
    serde_json::from_slice(&reported.stdout).expect("cargo writes JSON")
}

/// Returns the crates of the workspace by folder, each with the folders of its dependencies.
fn packages() -> BTreeMap<String, Vec<String>> {
    let reported = metadata(&["--no-deps"]);
    let folder = |path: &str| {
        let path = path.trim_end_matches("/Cargo.toml");
        path.strip_prefix(root().to_str().expect("a path in UTF-8")).unwrap_or(path).trim_start_matches('/').to_owned()
    };
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let list = |value: &Value| value.as_array().expect("a list").clone();
    list(&reported["packages"])
        .iter()
        .map(|package| {
            let normal = list(&package["dependencies"]).into_iter().filter(|dependency| dependency["kind"] != "dev");
            let own = normal.filter(|dependency| dependency["path"].is_string());
            (folder(&text(&package["manifest_path"])), own.map(|used| folder(&text(&used["path"]))).collect())
        })
        .collect()
}

#[test]
fn each_crate_uses_only_what_it_may() {
    let packages = packages();
    assert!(packages.len() > 20, "the crates of the workspace: {packages:?}");
    for (user, used) in &packages {
        let known = MAY_USE.iter().any(|(pattern, _)| fits(pattern, user).is_some());
        assert!(known, "{user} is not in the table: add its permitted dependencies");
        for used in used {
            assert!(allowed(user, used), "{user} uses {used}, which is not permitted");
        }
    }
}

#[test]
fn the_table_distinguishes_crates() {
    assert!(allowed("generated/mailbox-server", "generated/mailbox-types"));
    assert!(!allowed("generated/mailbox-server", "generated/calendar-types"));
    assert!(allowed("services/server", "generated/script-server"));
    assert!(!allowed("services/store", "services/mailbox"));
    assert!(!allowed("codegen", "runtime"));
    assert!(!allowed("xtask/commands", "services/server"));
}

/// `cargo test --workspace` tests every feature of the runtime crates: for each, some member enables it.
#[test]
fn every_feature_of_the_runtimes_is_tested() {
    let reported = metadata(&["--filter-platform", "host-tuple"]);
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let nodes = list(&reported["resolve"]["nodes"]);
    let packages = list(&reported["packages"]);
    for name in ["wireform-runtime", "wireform-validation", "wireform-client", "wireform-server"] {
        let package = packages.iter().find(|package| package["name"] == name).expect("a runtime crate");
        let node = nodes.iter().find(|node| node["id"] == package["id"]).expect("a resolved package");
        let enabled = list(&node["features"]);
        for feature in package["features"].as_object().expect("a mapping").keys() {
            assert!(enabled.contains(&Value::from(feature.as_str())), "no member enables `{feature}` of {name}");
        }
    }
}

#[test]
fn all_tests_use_what_the_default_tests_have_built() {
    let all = cargo_tree("normal,dev,build", &["--workspace"]);
    let default = cargo_tree("normal,dev,build", &[]);
    let built_again: Vec<_> = default.difference(&all).collect();
    assert!(built_again.is_empty(), "enable the features of other members in tests/Cargo.toml: {built_again:?}");
}

/// Returns whether doc comments of a source contain an example that rustdoc runs: code that is not marked as another
/// language.
fn has_example(source: &str) -> bool {
    let is_rust = |word: &str| {
        let words = ["", "rust", "no_run", "should_panic", "compile_fail", "ignore"];
        words.contains(&word) || word.starts_with("edition") || word.starts_with("ignore-")
    };
    // Number of backticks that close the block.
    let mut open = None;
    let lines = source.lines().map(str::trim_start);
    let comments = lines.filter_map(|line| line.strip_prefix("///").or_else(|| line.strip_prefix("//!")));
    comments.map(str::trim).any(|comment| {
        let language = comment.trim_start_matches('`');
        let backticks = comment.len() - language.len();
        match open {
            None if backticks >= 3 => {
                open = Some(backticks);
                language.split([',', ' ']).all(is_rust)
            }
            Some(count) if backticks >= count && language.is_empty() => {
                open = None;
                false
            }
            _ => false,
        }
    })
}

/// A target with `test = false` has no unit tests, and one with `doctest = false` no examples: they would not be run.
#[test]
fn targets_that_are_not_tested_have_no_tests() {
    let mut untested = 0;
    let reported = metadata(&["--no-deps"]);
    let packages = reported["packages"].as_array().expect("a list");
    for target in packages.iter().flat_map(|package| package["targets"].as_array().expect("a list")) {
        let path = Path::new(target["src_path"].as_str().expect("a text"));
        let is_of = |kind: &str| target["kind"].as_array().is_some_and(|kinds| kinds.contains(&kind.into()));
        let is_library = is_of("lib") || is_of("proc-macro");
        if !is_library && !is_of("bin") {
            continue;
        }
        let (is_tested, is_doctested) = (target["test"] == true, target["doctest"] == true || !is_library);
        for file in rust_files(path.parent().expect("a source is in a folder")) {
            let source = fs_err::read_to_string(&file).expect("a source is text");
            let mut lines = source.lines().map(str::trim_start);
            let has_tests = lines
                .any(|line| ["#[cfg(test)]", "#[cfg(all(test", "#[test]"].iter().any(|mark| line.starts_with(mark)));
            assert!(is_tested || !has_tests, "the tests of {} are not run", file.display());
            assert!(is_doctested || !has_example(&source), "the examples of {} are not run", file.display());
        }
        untested += usize::from(!is_tested) + usize::from(!is_doctested);
    }
    assert!(untested > 30, "targets that are not tested: {untested}");
}

#[test]
fn marked_text_is_no_example() {
    assert!(has_example("/// ```\n/// f();\n/// ```\n"));
    assert!(has_example("//! ```text\n//! x\n//! ```\n\n    //! ```no_run,edition2024\n"));
    assert!(!has_example("/// ```text\n/// x\n/// ```\nlet fence = \"```\";\n"));
    assert!(!has_example("/// ````json\n/// ```\n/// {}\n/// ```\n/// ````\n"));
}

/// Returns the external crates in the workspace's manifest.
fn external() -> BTreeSet<String> {
    let manifest = fs_err::read_to_string(root().join("Cargo.toml")).expect("the manifest is there");
    let lines = manifest.lines().skip_while(|line| *line != "[workspace.dependencies]").skip(1);
    let lines = lines.take_while(|line| !line.starts_with('[')).filter(|line| !line.contains("path = "));
    lines.filter(|line| !line.starts_with('#')).filter_map(|line| Some(line.split_once(" = ")?.0.to_owned())).collect()
}

#[test]
fn every_dependency_has_its_reason() {
    let page = fs_err::read_to_string(root().join("docs/dependencies.md")).expect("the page is there");
    let (used, _declined) = page.split_once("## Declined").expect("the section of declined packages is the last");
    let rows = used.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" |"));
    let named = rows.flat_map(|(names, _)| names.split(", ")).map(|name| name.trim_matches('`').to_owned());
    let named: BTreeSet<String> = named.collect();
    let (external, none) = (external(), Vec::<&String>::new());
    assert_eq!(external.difference(&named).collect::<Vec<_>>(), none, "without a reason in docs/dependencies.md");
    assert_eq!(named.difference(&external).collect::<Vec<_>>(), none, "in docs/dependencies.md, and in no manifest");
}
