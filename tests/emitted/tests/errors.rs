//! `tests/errors/<error>/`: a minimal schema for each error. The rendered diagnostics have snapshots, and every code
//! of the reference page except the internal error has a case.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use wireform_codegen::diagnostics::{Code, Severity};
use wireform_codegen::{Options, Output, generate};
use wireform_emitted::{assert_inside, folders, root, sources};

/// Prefix of folders whose schemas have several errors on purpose.
const SEVERAL: &str = "several-";

fn cases() -> Vec<PathBuf> {
    folders(&root().join("tests/errors"))
}

fn name(case: &Path) -> String {
    case.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn output(case: &Path) -> Output {
    generate(&sources(case), &Options::default())
}

/// Returns the diagnostics as an author sees them.
fn rendered(output: &Output) -> String {
    let texts: Vec<String> = output.diagnostics.iter().map(|one| one.render(&output.sources, false)).collect();
    texts.join("\n\n")
}

#[test]
fn every_error_is_reported_as_in_its_snapshot() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("errors");
    for case in cases() {
        settings.bind(|| insta::assert_snapshot!(name(&case), rendered(&output(&case))));
    }
}

/// A snapshot without a case would not be tested.
#[test]
fn every_snapshot_has_its_case_and_its_code() {
    for entry in fs_err::read_dir(root().join("tests/emitted/tests/errors")).expect("the snapshots can be read") {
        let path = entry.expect("an entry can be read").path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let case = root().join("tests/errors").join(&stem);
        assert!(case.is_dir(), "no case {stem}");
        let snapshot = fs_err::read_to_string(&path).expect("a snapshot is text");
        for diagnostic in output(&case).diagnostics {
            let code = format!("[{}]", diagnostic.code.text());
            assert!(snapshot.contains(&code), "{stem}: the snapshot does not contain {code}");
        }
    }
}

#[test]
fn every_code_has_a_case() {
    let seen: BTreeSet<Code> = cases().iter().flat_map(|case| output(case).diagnostics).map(|one| one.code).collect();
    // No schema causes an internal error; the tests of `verify` do.
    let expected = Code::ALL.iter().filter(|code| **code != Code::Internal);
    let missing: Vec<&str> = expected.filter(|code| !seen.contains(code)).map(|code| code.text()).collect();
    assert!(missing.is_empty(), "no folder under tests/errors causes {}", missing.join(", "));
}

/// Follow-up errors would point at valid code.
#[test]
fn one_error_is_reported_once() {
    for case in cases() {
        let output = output(&case);
        let expected = name(&case).starts_with(SEVERAL);
        assert_eq!(output.diagnostics.len() > 1, expected, "{}:\n{}", name(&case), rendered(&output));
        assert!(!output.diagnostics.is_empty(), "{}: nothing is reported", name(&case));
    }
}

#[test]
fn errors_stop_the_run_and_warnings_do_not() {
    for case in cases() {
        let output = output(&case);
        let stopped = output.diagnostics.iter().any(|one| one.code.severity() == Severity::Error);
        assert_eq!(output.files.is_none(), stopped, "{}", name(&case));
    }
}

#[test]
fn every_diagnostic_is_inside_its_file() {
    for case in cases() {
        let output = output(&case);
        for diagnostic in &output.diagnostics {
            assert_inside(&output, diagnostic, &name(&case));
        }
    }
}

#[test]
fn diagnostics_are_ordered_by_file_and_line() {
    for case in cases().iter().filter(|case| name(case).starts_with(SEVERAL)) {
        let output = output(case);
        let locations: Vec<_> =
            output.diagnostics.iter().map(|one| (one.span.file, one.line_column(&output.sources))).collect();
        assert!(locations.is_sorted(), "{}: {locations:?}", name(case));
        let files: BTreeSet<u32> = locations.iter().map(|(file, _)| *file).collect();
        assert_eq!(files.len(), output.sources.len(), "{}: errors of every file are reported", name(case));
    }
}
