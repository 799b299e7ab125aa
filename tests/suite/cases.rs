//! `tests/cases/<feature>/`: a minimal schema for each feature. Its crates are compiled, linted and documented here;
//! `tests/emitted/` has their snapshots.

mod test_package;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use test_package::{TESTS, TestPackage};

use wireform_codegen::{FileTree, Options, RuntimeDependency, Severity, generate};
use wireform_tests::{Dependencies, Workspace, folders, root, sources};

fn cases() -> Vec<PathBuf> {
    folders(&root().join("tests/cases"))
}

fn name(case: &Path) -> String {
    case.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the output of a case, which must not have errors.
pub fn output(case: &Path, options: &Options) -> FileTree {
    let output = generate(&sources(case), options);
    let errors = output.diagnostics.iter().filter(|one| one.code.severity() == Severity::Error);
    let errors: Vec<String> = errors.map(|one| one.render(&output.sources, false)).collect();
    output.files.unwrap_or_else(|| panic!("{}: {}", name(case), errors.join("\n\n")))
}

/// Checks the crates of all cases, with files that are not divided and with files that are divided as far as possible. By
/// default the former are linted and documented, and the tests and examples run with the latter, so that both compile. The
/// tests of the cases are modules of one test binary, which is linked once.
#[test]
fn every_case_compiles_without_a_warning_and_works() {
    // `CASE=name` builds a single case, for development.
    let chosen = std::env::var("CASE").ok();
    let workspace_name = |name: &str| format!("{name}{}", if chosen.is_some() { "-of-one" } else { "" });
    let undivided = Options { runtime: runtime(), ..Options::default() };
    let dividing = Options { max_lines: 1, max_operations: 1, ..undivided.clone() };
    let (mut whole_files, mut divided_files) = (BTreeMap::new(), BTreeMap::new());
    let mut tests = TestPackage::default();
    for case in cases().into_iter().filter(|case| chosen.as_ref().is_none_or(|chosen| *chosen == name(case))) {
        let files = output(&case, &dividing);
        tests.add(&case, &files);
        for (path, text) in &files {
            assert!(
                !path.contains("/src/") || !text.contains("#[cfg(test)]"),
                "{path} has unit tests, which are not run"
            );
        }
        divided_files.insert(name(&case), files);
        whole_files.insert(name(&case), output(&case, &undivided));
    }
    assert!(!whole_files.is_empty(), "case {} not found", chosen.unwrap_or_default());
    let tests = tests.into_files();
    whole_files.insert(TESTS.to_owned(), tests.clone());
    divided_files.insert(TESTS.to_owned(), tests);
    let whole = workspace(&workspace_name("cases"), whole_files.values());
    let divided = workspace(&workspace_name("cases-in-pieces"), divided_files.values());
    lint(&whole, &whole_files);
    document(&whole, &whole_files);
    test(&divided, &divided_files);
    if is_thorough() {
        lint(&divided, &divided_files);
        test(&whole, &whole_files);
    }
}

/// Writes a workspace with all packages of these files, in a folder with the name of the workspace. Cargo identifies a
/// package by its name and its path in the workspace, so members of workspaces with one target folder need different paths.
fn workspace<'a>(name: &str, files: impl Iterator<Item = &'a FileTree>) -> Workspace {
    let files = files.flatten().map(|(path, text)| (format!("{name}/{path}"), text.clone()));
    let files: FileTree = files.collect();
    let members = files.keys().filter_map(|path| path.strip_suffix("/Cargo.toml"));
    let workspace = Workspace::new(root().join("target").join(name), members, Dependencies::Generated);
    workspace.write(&files);
    workspace
}

/// Arguments of clippy. Generated crates have no unit tests, so their test binaries are not built.
const LINTS: &[&str] = &["--lib", "--test", "use", "--", "-D", "warnings"];

/// Lints the crates of the cases and their tests.
fn lint(workspace: &Workspace, files: &BTreeMap<String, FileTree>) {
    run_with_features(workspace, "clippy", files, &packages(files, |_, _| true), LINTS);
}

/// Documents the crates of some cases.
fn document(workspace: &Workspace, files: &BTreeMap<String, FileTree>) {
    run_with_features(workspace, "doc", files, &packages(files, |path, _| is_documented(path)), &["--no-deps"]);
}

/// Runs the tests and examples of the crates of the cases, which must compile without a warning.
fn test(workspace: &Workspace, files: &BTreeMap<String, FileTree>) {
    let all = packages(files, |_, _| true);
    // `cargo test` does not build the crates that no test uses.
    let warnings = run_with_features(workspace, "build", files, &all, &["--lib"]);
    assert!(!warnings.contains("warning: "), "{warnings}");
    // With all packages, so that the clients that tests of servers use have their features.
    run_with_features(workspace, "test", files, &all, &["--test", "use"]);
    let has_example = |path: &str, text: &str| path.contains("/src/") && text.contains("```");
    let examples = packages(files, |path, text| is_documented(path) && has_example(path, text));
    run_with_features(workspace, "test", files, &examples, &["--doc"]);
}

/// Runs a cargo command for packages with the features that they have, and returns what it reports.
fn run_with_features(
    workspace: &Workspace,
    command: &str,
    files: &BTreeMap<String, FileTree>,
    packages: &BTreeSet<&str>,
    more: &[&str],
) -> String {
    if packages.is_empty() {
        return String::new();
    }
    let features = features(files, packages);
    let packages: Vec<&str> = packages.iter().copied().collect();
    let arguments = [&["--no-default-features", "--features", &features], more].concat();
    run_cargo(workspace, command, &packages, &arguments)
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
/// do not have. rustdoc takes longer than any other step, so the other cases are documented only if the tests are
/// [thorough](is_thorough).
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
    DOCUMENTED.iter().any(of_case) || is_thorough()
}

/// Returns whether all cases are documented, and both outputs linted and tested: if `CASE` or `THOROUGH` is set.
fn is_thorough() -> bool {
    ["CASE", "THOROUGH"].iter().any(|name| std::env::var_os(name).is_some())
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
        let options =
            Options { prefix: format!("groups-{prefix}"), runtime: runtime(), max_lines, ..Options::default() };
        let options = if max_lines > 1 { options } else { Options { max_operations: 1, ..options } };
        let mut files = output(&case, &options);
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
        let workspace = workspace(&format!("cases-of-{prefix}groups"), [&files].into_iter());
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

/// Runs a cargo command, which must succeed, and returns what it reports.
fn run_cargo(workspace: &Workspace, command: &str, packages: &[&str], arguments: &[&str]) -> String {
    let done = workspace.cargo(command, packages, arguments);
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "cargo {command} {}:\n{out}\n{err}", arguments.join(" "));
    err.into_owned()
}
