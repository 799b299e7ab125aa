//! Damaged input: schemas and payloads with random changes end in a value or a typed error, never in a panic. A run is
//! short and deterministic; `WIREFORM_ROUNDS=100 cargo test mutations` runs a hundred rounds with different changes.

use std::path::PathBuf;

use rayon::prelude::*;
use wireform_codegen::{Options, Source, generate};
use wireform_tests::registry::ALL;
use wireform_tests::{folders, root, sources};

use super::random::{Random, rounds};

/// Fragments that are inserted into YAML, each with a meaning in one of the stages.
const YAML: &[&str] = &[
    "\n",
    " ",
    "  ",
    ":",
    ": ",
    "- ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\"",
    "'",
    "#",
    "&a ",
    "*a",
    "!t ",
    "<<: ",
    "|",
    ">",
    "---\n",
    "\t",
    "\u{0}",
    "\u{feff}",
    "type",
    "string",
    "Event",
    "-1",
    "18446744073709551616",
    "1e999",
    "..=",
    "{string: ",
    "resources:\n",
    "doc",
    "null",
    "~",
    "\u{202e}",
    "r#",
    "self",
    "(?",
    "\\1",
    "GET /",
    "{id}",
    "/../",
    "any_of",
    "cel",
    "💥",
];

/// Fragments that are inserted into JSON.
const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "null",
    "true",
    "-",
    "1e309",
    "1e2",
    "1.0",
    "\\u0000",
    "\\ud800",
    "\"kind\":",
    "99999999999999999999",
    "\u{0}",
    " ",
    "é",
    "\"2026-02-30\"",
];

fn mutate(text: &str, pieces: &[&str], random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(chars.len());
        let end = (at + 1 + random.below(12)).min(chars.len());
        match random.below(5) {
            0 => drop(chars.drain(at.min(end)..end)),
            1 => {
                let copy: Vec<char> = chars[at.min(end)..end].to_vec();
                let to = random.below(chars.len());
                chars.splice(to..to, copy);
            }
            2 => chars.truncate(at),
            _ => drop(chars.splice(at..at, random.of(pieces).chars())),
        }
    }
    chars.into_iter().collect()
}

#[test]
fn damaged_schemas_end_in_files_or_in_diagnostics_with_places() {
    let all = ["schemas", "tests/cases", "tests/errors"].map(|dir| folders(&root().join(dir)));
    let dirs: Vec<PathBuf> = all.into_iter().flatten().collect();
    dirs.par_iter().enumerate().for_each(|(index, dir)| {
        let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (index as u64 + 1));
        let original = sources(dir);
        for _ in 0..rounds() * 12 {
            let mut files = original.clone();
            let Some(which) = (!files.is_empty()).then(|| random.below(files.len())) else { return };
            files[which] = Source::new(files[which].path.clone(), mutate(&files[which].text, YAML, &mut random));
            let output = generate(&files, &Options::default());
            for one in &output.diagnostics {
                let (line, column) = one.line_column(&output.sources);
                let formatted = one.render(&output.sources, false);
                assert!(line > 0 && column > 0 && formatted.contains(one.code.text()), "{formatted}");
            }
            for (path, text) in output.files.iter().flatten().filter(|(path, _)| path.ends_with(".rs")) {
                assert!(syn::parse_file(text).is_ok(), "{path} of {} is not Rust:\n{text}", dir.display());
            }
        }
    });
}

#[test]
fn damaged_payloads_end_in_a_value_or_a_typed_error() {
    let payloads: Vec<String> = ALL.iter().map(|entry| super::round_trip::full_payload(entry).to_string()).collect();
    ALL.par_iter().zip(&payloads).enumerate().for_each(|(index, (entry, payload))| {
        let mut random = Random(0xD1B5_4A32_D192_ED03 ^ (index as u64 + 1));
        for _ in 0..rounds() * 200 {
            let damaged = mutate(payload, JSON, &mut random);
            let first = (entry.codec.round_trip)(damaged.as_bytes());
            if let Err(error) = &first {
                assert!(
                    !error.starts_with("what was written cannot be read") && !error.starts_with("the value changed"),
                    "{error}\n{damaged}"
                );
                assert!(error.chars().count() < 1_000, "{error}");
            }
            if let Some(patch) = entry.patch {
                drop((patch.round_trip)(damaged.as_bytes()));
            }
        }
    });
}
