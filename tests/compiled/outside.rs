//! The generator as a library, and its output as dependencies, in a separate repository.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use wireform_codegen::{FileTree, Options, RuntimeDependency, Source, generate};
use wireform_importers::openapi;
use wireform_tests::{Dependencies, Workspace, root, target};

/// Copy of `tests/outside` in the target folder, at the same depth, so that the paths in it are valid.
static OUTSIDE: LazyLock<Workspace> = LazyLock::new(|| {
    let outside = workspace("", Dependencies::Generator);
    let mut files = FileTree::new();
    read(&root().join("tests/outside"), "", &mut files);
    // The consumer depends on the output of the first program, so cargo needs a manifest there before.
    let stub = [("Cargo.toml", "[package]\nname = \"my-pets-types\"\nversion = \"0.1.0\"\n"), ("src/lib.rs", "")];
    files.extend(stub.map(|(path, text)| (format!("generated/my-pets-types/{path}"), text.to_owned())));
    outside.write(&files);
    // The programs of the large documents use a package of this workspace.
    let _ = workspace("programs", Dependencies::Sockets);
    outside
});

/// Returns the copy of a workspace, with the members of the original.
fn workspace(folder: &str, dependencies: Dependencies) -> Workspace {
    let manifest = root().join("tests/outside").join(folder).join("Cargo.toml");
    let manifest = fs_err::read_to_string(manifest).expect("the manifest is there");
    let (_, members) = manifest.split_once("\nmembers = [").expect("the workspace has members");
    // Every other part is between two names.
    let members = members.split('"').take_while(|text| !text.contains(']')).skip(1).step_by(2);
    Workspace::new(root().join("target/outside").join(folder), members, dependencies)
}

/// Reads the files of a folder, except manifests of workspaces and what was built there.
fn read(dir: &Path, prefix: &str, files: &mut FileTree) {
    for entry in fs_err::read_dir(dir).expect("the folder is there") {
        let entry = entry.expect("an entry can be read");
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if ["target", "generated", "Cargo.lock"].contains(&name.as_str()) {
            continue;
        }
        if entry.path().is_dir() {
            read(&entry.path(), &format!("{path}/"), files);
            continue;
        }
        let text = fs_err::read_to_string(entry.path()).expect("a source is text");
        if !text.contains("[workspace]\n") {
            files.insert(path, text);
        }
    }
}

#[test]
fn another_repository_generates_and_consumes() {
    let main = fs_err::read_to_string(OUTSIDE.dir().join("generate/src/main.rs")).expect("the program is there");
    let lines = main
        .split("// five lines\n")
        .nth(1)
        .expect("the marks are there")
        .lines()
        .filter(|line| line.trim_start().len() > 1)
        .count();
    assert_eq!(lines, 5, "the documentation contains five lines");
    build(&OUTSIDE, &["generate"]);
    run("generate");
    build(&OUTSIDE, &["consumer"]);
    assert_eq!(run("consumer").trim(), r#"{"name":"Max","species":"cat","born":"2024-02-29"}"#);
}

/// The documents are short and our own, with features that are hard to import: JSON values of several types, and nested
/// forms with lists that are paged by a cursor.
#[test]
fn programs_use_what_was_made_of_documents() {
    let dir = OUTSIDE.dir();
    import("parley", &dir.join("documents/parley.yaml"));
    import("parcels", &dir.join("documents/parcels.yaml"));
    // Together, so that what both depend on is built once.
    build(&workspace("programs", Dependencies::Sockets), &[]);
    assert_eq!(run("parley"), "It is 18 °C.\nToo many.\n");
    assert_eq!(run("parcels"), "p0 from Max\np1 from c1\np2 from c2\np3 from c3, who is gone\nrecipient\n");
}

/// Like the test above, with public documents, which are not in the repository.
#[test]
#[cfg_attr(not(large_documents), ignore = "WIREFORM_DOCUMENTS names no folder with openai.json and stripe.json")]
fn programs_use_what_was_made_of_large_documents() {
    let documents = std::env::var("WIREFORM_DOCUMENTS").expect("the variable is set at build time");
    for name in ["openai", "stripe"] {
        import(name, &Path::new(&documents).join(format!("{name}.json")));
    }
    build(&workspace("large", Dependencies::Sockets), &[]);
    assert_eq!(run("openai"), "look\n");
    assert_eq!(run("stripe"), "cus_1\nch_1 of cus_1\nch_2 of cus_1\nch_3 of cus_1\n");
}

/// Imports an OpenAPI document and generates its crates in `generated/`.
fn import(name: &str, document: &Path) {
    let text = fs_err::read_to_string(document).expect("the document");
    let settings = wireform_importers::Options { name: Some(name), ..Default::default() };
    let import = openapi::import_as(&text, &settings, None).expect("an OpenAPI document");
    let sources: Vec<Source> = import.files.into_iter().map(|(path, text)| Source::new(path, text)).collect();
    let options = Options { runtime: RuntimeDependency::Path("../../../../runtime".into()), ..Options::default() };
    let files = generate(&sources, &options).files.expect("a schema without errors");
    OUTSIDE.write(&files.into_iter().map(|(path, text)| (format!("generated/{path}"), text)).collect());
}

fn build(workspace: &Workspace, packages: &[&str]) {
    let Output { status, stderr, .. } = workspace.cargo("build", packages, &[]);
    assert!(status.success(), "cargo build {packages:?}:\n{}", String::from_utf8_lossy(&stderr));
}

/// Runs a program in the folder of the repository, and returns its output.
fn run(program: &str) -> String {
    let program = target().join("debug").join(format!("{program}{}", std::env::consts::EXE_SUFFIX));
    let done = Command::new(program).current_dir(OUTSIDE.dir()).output().expect("the program was built");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}
