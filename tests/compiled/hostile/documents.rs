//! Hostile YAML files. Each is parsed by a separate process with limited memory and time, because a failure would end
//! the process.

use std::path::Path;
use std::process::{Command, Stdio};

use wireform_codegen::diagnostics::Sink;
use wireform_codegen::schema::yaml::{Value, parse};
use wireform_codegen::{Options, Source, generate};
use wireform_test_data::requires;
use wireform_tests::shared;

/// Environment variable with the file that the child process parses.
const VARIABLE: &str = "WIREFORM_HOSTILE_FILE";

/// A part of the diagnostics of each file; none of the files is a valid schema.
const EXPECTED: &[(&str, &str)] = &[
    ("alias-bomb-9x9.yaml", "E0104 1:5"),
    ("alias-bomb-map.yaml", "E0104 1:5"),
    ("bom.yaml", "E0106 1:2"),
    ("deep-block-seq-1k.yaml", "E0105"),
    ("deep-flow-seq-100k.yaml", "E0105"),
    ("deep-flow-seq-balanced-20k.yaml", "E0105"),
    ("duplicate-keys.yaml", "E0103 3:3"),
    ("empty.yaml", "E0102 1:1"),
    ("implicit-typing.yaml", "E0106 1:1"),
    ("invalid-utf8.yaml", "E0101 1:5"),
    ("merge-key.yaml", "E0104 1:4"),
    ("nul-byte.yaml", "E0101"),
    ("only-comment.yaml", "E0102 1:1"),
    ("scalar-root.yaml", "E0102 1:1"),
    ("self-alias.yaml", "E0104 1:4"),
    ("tab-indent.yaml", "E0101 2:"),
    ("tag-python.yaml", "E0104 1:4"),
    ("two-documents.yaml", "E0102 3:1"),
    ("undefined-alias.yaml", "E0104 1:4"),
    ("utf16le.yaml", "E0101 1:1"),
];

/// Child process of [`each_file_ends_in_located_diagnostics`].
#[test]
#[ignore = "reads the file that a variable names, for another test"]
fn child() {
    let Some(path) = std::env::var_os(VARIABLE) else { return };
    let source = Source::from_bytes("hostile.yaml", &fs_err::read(Path::new(&path)).expect("a file"));
    let output = generate(&[source], &Options::default());
    for diagnostic in &output.diagnostics {
        super::assert_inside(&output, diagnostic, "hostile.yaml");
        let (line, column) = diagnostic.line_column(&output.sources);
        println!("diagnostic: {} {line}:{column}", diagnostic.code.text());
    }
    println!("ended");
}

/// Parses a file in a child process with 256 MiB of memory and one second of CPU time, which does not depend on the
/// load of the machine.
fn read_in_a_child(file: &Path) -> String {
    let test = std::env::current_exe().expect("the test knows its program");
    let done = Command::new("sh")
        .args(["-c", "ulimit -v 262144; ulimit -t 1; exec \"$@\"", "sh"])
        .arg(test)
        .args(["--exact", "hostile::documents::child", "--ignored", "--nocapture", "--test-threads=1"])
        .env(VARIABLE, file)
        .env("RAYON_NUM_THREADS", "1")
        .env("MALLOC_ARENA_MAX", "1")
        .stderr(Stdio::piped())
        .output()
        .expect("a shell runs");
    let stdout = String::from_utf8_lossy(&done.stdout).into_owned();
    let ended = done.status.success() && stdout.lines().any(|line| line == "ended");
    assert!(ended, "{}: {}\n{stdout}\n{}", file.display(), done.status, String::from_utf8_lossy(&done.stderr));
    stdout
}

#[requires("corpora/hostile")]
#[test]
fn each_file_ends_in_located_diagnostics() {
    let dir = shared("corpora/hostile/yaml");
    for entry in fs_err::read_dir(&dir).expect("the folder is there") {
        let file = entry.expect("an entry can be read").path();
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stdout = read_in_a_child(&file);
        let expected = EXPECTED.iter().find(|(file, _)| *file == name);
        let (_, expected) = expected.unwrap_or_else(|| panic!("{name} is not in the list: it prints\n{stdout}"));
        let mut reported = stdout.lines().filter_map(|line| line.split_once("diagnostic: "));
        assert!(
            reported.any(|(_, reported)| reported.starts_with(expected)),
            "{name}: expected {expected}, found\n{stdout}"
        );
    }
}

/// Without effective limits, the test above would always pass.
#[test]
fn the_limits_hold() {
    let limited = |script: &str| {
        let limits = format!("ulimit -v 262144; ulimit -t 1; {script}");
        Command::new("sh").args(["-c", &limits]).stderr(Stdio::null()).status().expect("a shell runs").success()
    };
    assert!(limited("true"));
    assert!(!limited("while :; do :; done"), "an endless loop is ended");
}

/// No scalar becomes a number, a boolean or a date because of its text.
#[requires("corpora/hostile")]
#[test]
fn scalars_stay_what_was_written() {
    let dir = shared("corpora/hostile/yaml");
    let text = fs_err::read_to_string(dir.join("implicit-typing.yaml")).expect("a file");
    let Some(Value::Map(entries)) = parse(0, &text, &mut Sink::new()).map(|node| node.value) else {
        panic!("it is a mapping")
    };
    for (entry, line) in entries.iter().zip(text.lines()) {
        let written = line.split_once(": ").map(|(_, value)| value.trim_matches('"'));
        assert_eq!(entry.value.text(), written, "{line}");
    }
    assert_eq!(entries.len(), 12);
}
