//! The output of accepted input compiles, and no string becomes a test. All outputs are modules of one crate, so that
//! the compiler runs once.

use wireform_codegen::{FileTree, Source};
use wireform_test_data::requires;
use wireform_tests::{Dependencies, Workspace, root};

use super::{naughty, run, slots, strings};

const MANIFEST: &str = "[package]\nname = \"hostile\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n";

#[requires("corpora/hostile", "corpora/naughty-strings")]
#[test]
fn what_is_accepted_compiles_and_runs_nothing() {
    let (cases, naughty_strings) = (strings::cases(), naughty::strings());
    let mut outputs: Vec<FileTree> = Vec::new();
    for case in &cases {
        outputs.extend(run(&slots::schema(case.slot, &case.value), &case.name()).files);
    }
    outputs.extend(run(&naughty::schema(&naughty_strings), "naughty strings").files);
    outputs.push(run(&[large()], "a large schema").files.expect("it is accepted"));
    // Equal outputs of two strings are compiled once.
    outputs.sort_unstable();
    outputs.dedup();
    let workspace = Workspace::new(root().join("target/hostile"), ["hostile"], Dependencies::Generated);
    write_crate(&workspace, &outputs);
    let checked = workspace.cargo("check", &["hostile"], &[]);
    assert!(checked.status.success(), "{} outputs:\n{}", outputs.len(), String::from_utf8_lossy(&checked.stderr));
    let tested = workspace.cargo("test", &["hostile"], &["--doc"]);
    let stdout = String::from_utf8_lossy(&tested.stdout);
    assert!(tested.status.success(), "{stdout}\n{}", String::from_utf8_lossy(&tested.stderr));
    let runs: Vec<&str> = stdout.lines().filter(|line| line.starts_with("running ")).collect();
    assert!(!runs.is_empty() && runs.iter().all(|run| *run == "running 0 tests"), "a string became a test:\n{stdout}");
    println!("{} outputs", outputs.len());
}

/// Returns a schema with more fields and values than the recursion limit of macros allows steps.
fn large() -> Source {
    let values = (0..3000).map(|index| format!("      value{index}: {{ doc: A value., aliases: [v{index}] }}\n"));
    let fields = (0..1100).map(|index| format!("      field{index}: {{ type: Kind, doc: A kind. }}\n"));
    let mut text = String::from("api: large\nenums:\n  Kind:\n    doc: A kind.\n    values:\n");
    text.extend(values);
    text.push_str("resources:\n  Item:\n    doc: An item.\n    fields:\n");
    text.extend(fields);
    text.push_str(
        "operations:\n  items.patch:\n    doc: Changes the item.\n    http: PATCH /item\n    body: { type: Item, as: merge_patch }\n    response: Item\n",
    );
    Source::new("api.yaml", text)
}

fn write_crate(workspace: &Workspace, outputs: &[FileTree]) {
    // Removes the modules of an earlier corpus.
    let _ = fs_err::remove_dir_all(workspace.dir().join("hostile/src"));
    let runtime = root().join("runtime").to_string_lossy().replace('\\', "/");
    let mut library = String::from("#![allow(deprecated)]\n");
    let mut crate_files = FileTree::new();
    for (index, files) in outputs.iter().enumerate() {
        let module = format!("m{index}");
        library.push_str(&format!("pub mod {module};\n"));
        // All output is parsed, but only the types are compiled.
        for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs") && path.contains("-types/")) {
            let inside = path.split_once("/src/").map(|(_, inside)| inside).expect("Rust files are in src");
            let inside = if inside == "lib.rs" { "mod.rs" } else { inside };
            crate_files.insert(format!("hostile/src/{module}/{inside}"), moved(text, &module));
        }
    }
    crate_files.insert("hostile/src/lib.rs".into(), library);
    crate_files
        .insert("hostile/Cargo.toml".into(), format!("{MANIFEST}wireform-runtime = {{ path = \"{runtime}\" }}\n"));
    workspace.write(&crate_files);
}

/// Converts the text of a crate to that of a module, whose paths start one level deeper.
fn moved(text: &str, module: &str) -> String {
    let line = |line: &str| {
        if line.trim_start().starts_with("//") {
            line.to_owned()
        } else {
            line.replace("crate::", &format!("crate::{module}::"))
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}
