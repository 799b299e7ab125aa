//! Checks the layering that modules cannot enforce, such as the stages of the generator: parses the sources and
//! compares their imports with a table.

use std::path::{Path, PathBuf};

use wireform_tests::root;

/// Modules that each stage may use. `model` may use `Span`, for the locations of rules, and `emit` also `Source`, for
/// their lines.
const MAY_USE: &[(&str, &[&str])] = &[
    ("diagnostics", &[]),
    ("schema", &["diagnostics"]),
    ("markdown", &[]),
    ("resolve", &["diagnostics", "schema", "model", "patterns"]),
    ("model", &["diagnostics", "patterns"]),
    ("patterns", &[]),
    ("rules", &["diagnostics", "model", "patterns"]),
    ("emit", &["diagnostics", "markdown", "model", "options", "patterns"]),
    ("render", &["emit", "options"]),
    ("reference", &["diagnostics", "schema", "resolve", "rules"]),
];

pub fn rust_files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs_err::read_dir(dir).expect("the folder is there") {
        let path = entry.expect("an entry can be read").path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found
}

/// Returns the code of a file without comments and tests, since tests may use anything; empty for a file of tests.
pub fn code(path: &Path) -> String {
    let text = fs_err::read_to_string(path).expect("a source is text");
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Returns whether a file, or an enclosing module, is declared under `#[cfg(test)]`.
pub fn is_for_tests(file: &Path) -> bool {
    file.ancestors().take_while(|path| !path.ends_with("src")).any(|module| {
        let (Some(name), Some(folder)) = (module.file_stem().and_then(|name| name.to_str()), module.parent()) else {
            return false;
        };
        let above = ["mod.rs", "lib.rs", "main.rs"].map(|name| folder.join(name));
        let declared = format!("#[cfg(test)]\nmod {name};");
        above
            .iter()
            .chain([&folder.with_extension("rs")])
            .any(|above| fs_err::read_to_string(above).is_ok_and(|text| text.contains(&declared)))
    })
}

/// Returns the modules of the crate that a text names as `crate::module`, also in `use crate::{a, b}`.
fn mentioned_modules(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in text.split("crate::").skip(1) {
        let list = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).map_or(rest, |(list, _)| list);
        for piece in list.split(',').take(if rest.starts_with('{') { usize::MAX } else { 1 }) {
            let name = piece.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            found.push(name.to_owned());
        }
    }
    found
}

#[test]
fn each_stage_uses_only_what_it_may() {
    let source = root().join("codegen/src");
    let stages: Vec<&str> = MAY_USE.iter().map(|(stage, _)| *stage).collect();
    for (stage, may_use) in MAY_USE {
        for file in rust_files(&source.join(stage)) {
            for module in mentioned_modules(&code(&file)) {
                let is_stage = stages.contains(&module.as_str()) || module == "options";
                let allowed = !is_stage || module == *stage || may_use.contains(&module.as_str());
                assert!(allowed, "{} uses `crate::{module}`, which the stage `{stage}` must not know", file.display());
            }
        }
    }
}

#[test]
fn nothing_before_emit_sees_a_token_and_nothing_after_schema_sees_yaml() {
    let source = root().join("codegen/src");
    let forbidden = [
        ("diagnostics", &["proc_macro2", "quote!", "granit_parser"][..]),
        ("schema", &["proc_macro2", "quote!", "syn::"]),
        ("resolve", &["proc_macro2", "quote!", "syn::", "granit_parser"]),
        ("model", &["proc_macro2", "quote!", "granit_parser", "crate::schema"]),
        ("emit", &["granit_parser", "crate::schema", "crate::resolve", "syn::"]),
        ("render", &["granit_parser", "crate::model", "crate::schema"]),
    ];
    for (stage, words) in forbidden {
        for file in rust_files(&source.join(stage)) {
            let code = code(&file);
            for word in words {
                assert!(!code.contains(word), "{} has `{word}`", file.display());
            }
        }
    }
    let readers: Vec<PathBuf> =
        rust_files(&source).into_iter().filter(|file| code(file).contains("granit_parser")).collect();
    let reads =
        |file: &&PathBuf| **file == source.join("schema/yaml.rs") || file.starts_with(source.join("schema/yaml"));
    let others: Vec<&PathBuf> = readers.iter().filter(|file| !reads(file)).collect();
    assert!(!readers.is_empty() && others.is_empty(), "only one module may parse YAML, and {others:?} do too");
}

#[test]
fn libraries_do_no_io() {
    for dir in ["codegen/src", "importers/src", "runtime/src", "services/recurrence/src", "generated"] {
        for file in rust_files(&root().join(dir)) {
            let code = code(&file);
            for word in ["std::fs", "std::net", "std::process", "fs_err", "std::env::"] {
                assert!(!code.contains(word), "{} has `{word}`", file.display());
            }
        }
    }
}

/// The client runtime reads files and the environment in one place, for credentials.
#[test]
fn clients_read_files_in_one_place() {
    let source = root().join("runtime/client/src");
    let readers: Vec<PathBuf> = rust_files(&source)
        .into_iter()
        .filter(|file| {
            let code = code(file);
            // `use std::env;` counts like the full path.
            ["std::fs", "std::net::Tcp", "std::process", "fs_err", "std::env"].iter().any(|word| code.contains(word))
        })
        .collect();
    assert_eq!(readers, [source.join("credentials/files.rs")]);
}

/// The services access files in a few places only, each with a reason: settings and seeds, TLS, the file that signals
/// readiness, imported mail, folders of scripts, the database and its backups. Processes of scripts read their own
/// memory usage.
#[test]
fn services_touch_files_in_named_places() {
    let may = [
        "command/backup.rs",
        "command/events.rs",
        "command/import.rs",
        "command/scripts/files.rs",
        "service/tls.rs",
        "server/src/signals.rs",
        "service/ready.rs",
        "settings/file.rs",
        "seed.rs",
        "services/mailbox/src/import",
        "services/store/src/sqlite",
        "services/engine/src/child/confine",
    ];
    for dir in ["calendar", "engine", "mailbox", "page", "script", "server", "store"] {
        for file in rust_files(&root().join("services").join(dir).join("src")) {
            let code = code(&file);
            let reads =
                ["std::fs", "fs_err", "tempfile", "std::process::Command"].iter().any(|word| code.contains(word));
            let named = may.iter().any(|place| file.to_string_lossy().contains(place));
            assert!(named || !reads, "{} reads or writes files", file.display());
        }
    }
}

#[test]
fn no_module_has_the_name_of_a_keyword() {
    for dir in ["cli", "codegen", "runtime", "xtask", "tests/suite", "tests/src"] {
        for file in rust_files(&root().join(dir)) {
            assert!(file.file_stem().is_none_or(|stem| stem != "gen"), "{}", file.display());
        }
    }
}

/// Library code contains none of the calls that panic.
#[test]
fn libraries_do_not_panic() {
    for dir in [
        "cli/src",
        "codegen/src",
        "importers/src",
        "runtime/src",
        "runtime/client/src",
        "runtime/server/src",
        "runtime/validation/src",
        "services/calendar/src",
        "services/engine/src",
        "services/mailbox/src",
        "services/page/src",
        "services/recurrence/src",
        "services/server/src",
        "services/store/src",
        "xtask/commands/src",
        "xtask/src",
        "generated",
    ] {
        let dir = root().join(dir);
        for file in rust_files(&dir) {
            // `tests.rs`, its modules in `tests/`, and modules under `#[cfg(test)]` with other names.
            let within = file.strip_prefix(&dir).unwrap_or(&file).with_extension("");
            if within.iter().any(|part| part == "tests") || is_for_tests(&file) {
                continue;
            }
            let code = code(&file);
            for word in [".unwrap()", ".expect(\"", "panic!(", "todo!(", "unreachable!(", "unimplemented!("] {
                assert!(!code.contains(word), "{} has `{word}`", file.display());
            }
        }
    }
}

/// The characters of XML names are defined twice, because the generator does not depend on the runtime.
#[test]
fn names_in_xml_are_the_same_in_the_generator_and_in_the_runtime() {
    let ranges = |path: &str| {
        let text = code(&root().join(path));
        let functions = ["fn is_name_start_char(", "fn is_name_char("].map(|start| {
            let found = text.split_once(start).and_then(|(_, rest)| rest.split_once("\n}"));
            found.expect("the function is there").0.to_owned()
        });
        assert!(functions[0].contains("10000") && functions[1].contains("203f"), "{path}: {functions:?}");
        functions
    };
    assert_eq!(ranges("codegen/src/model/xml.rs"), ranges("runtime/src/xml/characters.rs"));
}
