//! `tests/cases/<feature>/`: a minimal schema for each feature. Its crates are compiled, linted and documented here;
//! `tests/emitted/` has their snapshots.

mod test_package;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use test_package::{TESTS, TestPackage};

use wireform_codegen::{FileTree, Options, RuntimeDependency};
use wireform_tests::{Dependencies, Workspace, folders, output_of, root};

fn cases() -> Vec<PathBuf> {
    folders(&root().join("tests/cases"))
}

fn name(case: &Path) -> String {
    case.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Checks the crates of all cases in one workspace, as a consumer would. The tests of the cases are modules of one test
/// binary, which is linked once.
#[test]
fn every_case_compiles_without_a_warning_and_works() {
    // `CASE=name` builds a single case, for development.
    let chosen = std::env::var("CASE").ok();
    let dir = root().join(if chosen.is_some() { "target/case" } else { "target/cases" });
    let options = Options { runtime: runtime(), ..Options::default() };
    let mut all_files = BTreeMap::new();
    let mut tests = TestPackage::default();
    for case in cases().into_iter().filter(|case| chosen.as_ref().is_none_or(|chosen| *chosen == name(case))) {
        let files = output_of(&case, &options);
        tests.add(&case, &files);
        for (path, text) in &files {
            assert!(
                !path.contains("/src/") || !text.contains("#[cfg(test)]"),
                "{path} has unit tests, which are not run"
            );
        }
        all_files.insert(name(&case), files);
    }
    assert!(!all_files.is_empty(), "case {} not found", chosen.unwrap_or_default());
    all_files.insert(TESTS.to_owned(), tests.into_files());
    check_crates(&workspace(dir, all_files.values()), &all_files);
}

/// Writes a workspace with all packages of these files, in a folder with the name of the workspace. Cargo identifies a
/// package by its name and its path in the workspace, so members of workspaces with one target folder need different paths.
fn workspace<'a>(dir: PathBuf, files: impl Iterator<Item = &'a FileTree>) -> Workspace {
    let name = name(&dir);
    let files = files.flatten().map(|(path, text)| (format!("{name}/{path}"), text.clone()));
    let files: FileTree = files.collect();
    let members = files.keys().filter_map(|path| path.strip_suffix("/Cargo.toml"));
    let workspace = Workspace::new(dir, members, Dependencies::Generated);
    workspace.write(&files);
    workspace
}

/// Lints and documents the crates of the cases, and runs their tests and examples.
fn check_crates(workspace: &Workspace, files: &BTreeMap<String, FileTree>) {
    let with = |command: &str, packages: &BTreeSet<&str>, more: &[&str]| {
        if packages.is_empty() {
            return;
        }
        let features = features(files, packages);
        let packages: Vec<&str> = packages.iter().copied().collect();
        let arguments = [&["--no-default-features", "--features", &features], more].concat();
        run_cargo(workspace, command, &packages, &arguments);
    };
    let all = packages(files, |_, _| true);
    // Generated crates have no unit tests, so their test binaries are not built.
    with("clippy", &all, &["--lib", "--test", "use", "--", "-D", "warnings"]);
    with("doc", &packages(files, |path, _| is_documented(path)), &["--no-deps"]);
    // With all packages, so that the clients that tests of servers use have their features.
    with("test", &all, &["--test", "use"]);
    let has_example = |path: &str, text: &str| path.contains("/src/") && text.contains("```");
    with("test", &packages(files, |path, text| is_documented(path) && has_example(path, text)), &["--doc"]);
}

/// Returns the features to enable of the packages: all but those with sockets, which need a TLS library that takes a
/// minute to build and is not tested here.
fn features(files: &BTreeMap<String, FileTree>, packages: &BTreeSet<&str>) -> String {
    let has = |feature: &&str| {
        files.values().flatten().any(|(path, text)| {
            let of_package = path.strip_suffix("/Cargo.toml").is_some_and(|package| packages.contains(package));
            of_package && text.contains(&format!("\n{feature} = ["))
        })
    };
    let features: Vec<&str> = ["requests", "fake", "blocking", "validation"].into_iter().filter(has).collect();
    features.join(",")
}

/// Cases whose crates are documented, and whose examples are run: those with descriptions, links and items that others
/// do not have. rustdoc takes longer than any other step, so the other cases are documented only where `DOCUMENT_ALL`
/// is set.
const DOCUMENTED: &[&str] = &[
    "alternatives",
    "brackets",
    "client",
    "deprecated",
    "docs",
    "error-resources",
    "features",
    "long-running",
    "media",
    "merge-patch",
    "multipart",
    "pages",
    "resource-names",
    "roles",
    "rules",
    "security",
    "unions",
    "xml",
];

fn is_documented(path: &str) -> bool {
    let of_case = |case: &&str| path.strip_prefix(case).is_some_and(|rest| rest.starts_with('-'));
    DOCUMENTED.iter().any(of_case) || std::env::var_os("DOCUMENT_ALL").is_some() || std::env::var_os("CASE").is_some()
}

/// Returns the packages with a file that fits, which has the path and the text.
fn packages(files: &BTreeMap<String, FileTree>, fits: impl Fn(&str, &str) -> bool) -> BTreeSet<&str> {
    let fitting = files.values().flatten().filter(|(path, text)| fits(path, text));
    fitting.filter_map(|(path, _)| Some(path.split_once('/')?.0)).collect()
}

fn runtime() -> RuntimeDependency {
    RuntimeDependency::Path(root().join("runtime").to_string_lossy().replace('\\', "/"))
}

/// Features of the groups of the case.
const GROUPS: &[&str] = &[
    "all-groups",
    "works",
    "people",
    "people-hobbies",
    "requests-group",
    "shelves",
    "shelves-books",
    "archives",
    "archives-holders",
    "unreferenced",
];

/// Compiles each group alone, none and all, with undivided and with divided files.
#[test]
fn every_group_compiles_without_the_others() {
    let case = root().join("tests/cases/features");
    for (prefix, max_lines) in [("", 3000), ("pieces-", 1)] {
        let dir = root().join(format!("target/cases-of-{prefix}groups"));
        let options =
            Options { prefix: format!("groups-{prefix}"), runtime: runtime(), max_lines, ..Options::default() };
        let options = if max_lines > 1 { options } else { Options { max_operations: 1, ..options } };
        let mut files = output_of(&case, &options);
        let api = format!("groups-{prefix}features");
        let manifest = &files[&format!("{api}-client/Cargo.toml")];
        let named = |group: &&&str| manifest.contains(&format!("\n{group} = ["));
        assert_eq!(GROUPS.iter().filter(named).count(), GROUPS.len(), "{manifest}");
        for kind in ["client", "server"] {
            let tests = fs_err::read_to_string(case.join(format!("use-{kind}.rs"))).expect("the case has tests");
            let own = format!("{api}_{kind}").replace('-', "_");
            files.insert(format!("{api}-{kind}/tests/use.rs"), tests.replace(&format!("features_{kind}"), &own));
        }
        files.entry(format!("{api}-server/Cargo.toml")).and_modify(|manifest| {
            manifest.push_str(
                "\n[dev-dependencies]\ntokio = { version = \"1\", features = [\"macros\", \"rt\"] }\ntower-service = \"0.3\"\n",
            );
        });
        let workspace = workspace(dir, [&files].into_iter());
        let crates = ["types", "validation", "client", "server"].map(|kind| format!("{api}-{kind}"));
        // Dividing files only moves the conditions, so a few groups are enough.
        let formatted = |group: &&&str| max_lines > 1 || ["", "all-groups", "people", "shelves-books"].contains(*group);
        for group in [""].iter().chain(GROUPS).filter(formatted) {
            check_group(&workspace, &crates, group, max_lines > 1);
        }
    }
}

/// Lints the crates with a single group, and runs their tests.
fn check_group(workspace: &Workspace, crates: &[String; 4], group: &str, tests: bool) {
    let packages = crates.each_ref().map(String::as_str);
    let [_, _, client, server] = packages;
    let own = format!("{client}/validation,{client}/fake,{client}/blocking");
    let features = if group.is_empty() { own } else { format!("{own},{client}/{group},{server}/{group}") };
    let with = ["--no-default-features", "--features", features.as_str()];
    run_cargo(workspace, "clippy", &packages, &[with.as_slice(), &["--", "-D", "warnings"]].concat());
    if tests {
        run_cargo(workspace, "test", &[client, server], &[&["--test", "use"], with.as_slice()].concat());
    }
}

/// Compiles every case with files that are divided as far as possible.
#[test]
fn every_case_compiles_in_pieces() {
    let dir = root().join("target/cases-in-pieces");
    // The crates have other names, because they share the target folder with the other crates of cases.
    let options =
        Options { prefix: "pieces-".into(), runtime: runtime(), max_lines: 1, max_operations: 1, ..Options::default() };
    let files: Vec<FileTree> = cases().iter().map(|case| output_of(case, &options)).collect();
    let features = ["--no-default-features", "--features", "requests,fake,blocking,validation"];
    let arguments = [features.as_slice(), &["--", "-D", "warnings"]].concat();
    run_cargo(&workspace(dir, files.iter()), "clippy", &[], &arguments);
}

fn run_cargo(workspace: &Workspace, command: &str, packages: &[&str], arguments: &[&str]) {
    let done = workspace.cargo(command, packages, arguments);
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "cargo {command} {}:\n{out}\n{err}", arguments.join(" "));
}
