//! The output of accepted input compiles, and no string becomes a test. All outputs are modules of one crate, so that
//! the compiler runs once.

use std::path::Path;

use wireform_codegen::{FileTree, Source};
use wireform_test_data::requires;
use wireform_tests::{cargo, root};

use super::{naughty, run, slots, strings};

const MANIFEST: &str =
    "[package]\nname = \"hostile\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n";

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
    let dir = root().join("target/hostile");
    write_crate(&dir, &outputs);
    let run_cargo =
        |arguments: &[&str]| cargo(&dir).args(arguments).env_remove("RUSTDOCFLAGS").output().expect("cargo runs");
    let checked = run_cargo(&["check"]);
    assert!(checked.status.success(), "{} outputs:\n{}", outputs.len(), String::from_utf8_lossy(&checked.stderr));
    let tested = run_cargo(&["test", "--doc"]);
    let stdout = String::from_utf8_lossy(&tested.stdout);
    assert!(tested.status.success(), "{stdout}\n{}", String::from_utf8_lossy(&tested.stderr));
    assert!(stdout.contains("running 0 tests"), "a string became a test:\n{stdout}");
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

fn write_crate(dir: &Path, outputs: &[FileTree]) {
    // Removes the modules of an earlier corpus.
    let _ = fs_err::remove_dir_all(dir.join("src"));
    let runtime = root().join("runtime").to_string_lossy().replace('\\', "/");
    let mut library = String::from("#![allow(deprecated)]\n");
    for (index, files) in outputs.iter().enumerate() {
        let module = format!("m{index}");
        library.push_str(&format!("pub mod {module};\n"));
        // All output is parsed, but only the types are compiled.
        for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs") && path.contains("-types/")) {
            let inside = path.split_once("/src/").map(|(_, inside)| inside).expect("Rust files are in src");
            let inside = if inside == "lib.rs" { "mod.rs" } else { inside };
            write(&dir.join("src").join(&module).join(inside), &moved(text, &module));
        }
    }
    write(&dir.join("src/lib.rs"), &library);
    write(&dir.join("Cargo.toml"), &format!("{MANIFEST}wireform-runtime = {{ path = \"{runtime}\" }}\n"));
    fs_err::copy(root().join("Cargo.lock"), dir.join("Cargo.lock")).expect("the lock file can be copied");
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

fn write(file: &Path, text: &str) {
    fs_err::create_dir_all(file.parent().expect("a file is in a folder")).expect("the folder can be made");
    fs_err::write(file, text).expect("the file can be written");
}
