//! The output is deterministic: the same in every run, and independent of the order of the files.

use wireform_codegen::{Options, generate};
use wireform_tests::{folders, root, sources};

#[test]
fn output_and_diagnostics_do_not_depend_on_the_order_of_the_files() {
    let all = ["schemas", "tests/cases", "tests/errors"].map(|dir| folders(&root().join(dir)));
    for dir in all.iter().flatten() {
        let mut files = sources(dir);
        let first = generate(&files, &Options::default());
        for _ in 0..files.len().min(4) {
            files.rotate_left(1);
            files.reverse();
            let again = generate(&files, &Options::default());
            assert_eq!(first.files, again.files, "{}", dir.display());
            assert_eq!(first.diagnostics, again.diagnostics, "{}", dir.display());
        }
    }
}

#[test]
fn nothing_of_this_machine_is_in_the_output() {
    let here = root().to_string_lossy().into_owned();
    for dir in folders(&root().join("schemas")) {
        for (path, text) in generate(&sources(&dir), &Options::default()).files.expect("the schemas have no errors") {
            assert!(!text.contains(&here) && !path.starts_with('/'), "{path}");
        }
    }
}
