//! `tests/cases/<feature>/`: a minimal schema for each feature. The emitted code is compared in two ways.
//!
//! For about ten constructs, whole files are kept, which a case lists in a comment of its schema:
//!
//! ```yaml
//! # kept: types/src/api.rs, validation/src/resources/api.rs
//! ```
//!
//! Of all other lines, the snapshot of a case has those with a new template, which neither a kept file nor a previous
//! case has, the baseline first. See [`crate::forms`].
//!
//! ```yaml
//! # snapshot: server/src, types/src/requests
//! ```
//!
//! restricts it to files with these path prefixes. It ends with digests of all emitted code, so that no change is
//! missed. If only a digest differs, `WIREFORM_EMITTED=DIR` writes all files into a folder, which can be compared with
//! one from before the change.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use wireform_codegen::{FileTree, Options, Severity, generate, load};
use wireform_emitted::{folders, root, sources};

use crate::forms::{Forms, Words, compact, digests};
use crate::kept::{assert_file, files_in};

/// Case with its emitted files, by path without its name.
struct Case {
    dir: PathBuf,
    schema: String,
    files: FileTree,
}

impl Case {
    fn read(dir: PathBuf) -> Self {
        let sources = sources(&dir);
        let schema = sources.iter().map(|source| &*source.text).collect();
        let output = generate(&sources, &Options::default());
        let errors = output.diagnostics.iter().filter(|one| one.code.severity() == Severity::Error);
        let errors: Vec<String> = errors.map(|one| one.render(&output.sources, false)).collect();
        let files = output.files.unwrap_or_else(|| panic!("{}: {}", dir.display(), errors.join("\n\n")));
        let prefix = format!("{}-", dir.file_name().unwrap_or_default().to_string_lossy());
        let unprefixed =
            |(path, text): (String, String)| (path.strip_prefix(&prefix).unwrap_or(&path).to_owned(), text);
        Self { schema, files: files.into_iter().map(unprefixed).collect(), dir }
    }

    /// Writes all emitted files into a folder.
    fn write(&self, folder: &Path) {
        for (path, text) in &self.files {
            let file = folder.join(self.dir.file_name().unwrap_or_default()).join(path);
            fs_err::create_dir_all(file.parent().expect("a file is in a folder")).expect("the folder can be created");
            fs_err::write(file, text).expect("the file can be written");
        }
    }

    /// Returns the list after a mark in a comment of the schema.
    fn listed(&self, mark: &str) -> Vec<&str> {
        let lines = self.schema.lines().filter_map(|line| line.strip_prefix(mark));
        lines.flat_map(|line| line.split(',')).map(str::trim).filter(|path| !path.is_empty()).collect()
    }

    /// Returns the kept files.
    fn kept(&self) -> BTreeMap<&str, &str> {
        let text = |path: &str| self.files.get(path).unwrap_or_else(|| panic!("{} has no {path}", self.dir.display()));
        self.listed("# kept:").into_iter().map(|path| (path, text(path).as_str())).collect()
    }

    /// Returns the other files that the snapshot covers.
    fn others(&self) -> FileTree {
        let (kept, prefixes) = (self.kept(), self.listed("# snapshot:"));
        let is_covered = |path: &str| prefixes.is_empty() || prefixes.iter().any(|prefix| path.starts_with(prefix));
        let files = self.files.iter().filter(|(path, _)| is_covered(path) && !kept.contains_key(path.as_str()));
        let files: FileTree = files.map(|(path, text)| (path.clone(), text.clone())).collect();
        assert!(!files.is_empty(), "{}: `# snapshot:` names no file", self.dir.display());
        files
    }
}

/// All cases, the baseline first.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let mut dirs = folders(&root().join("tests/cases"));
    dirs.sort_by_key(|dir| !dir.ends_with("baseline"));
    dirs.into_iter().map(Case::read).collect()
});

/// Compares a text with a snapshot in the folder of the case.
fn assert_in(case: &Path, snapshot: &str, text: &str) {
    let settings = {
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.set_snapshot_path(case);
        settings
    };
    settings.bind(|| insta::assert_snapshot!(snapshot, text));
}

#[test]
fn emitted_code_matches_the_snapshots() {
    if let Some(folder) = std::env::var_os("WIREFORM_EMITTED") {
        CASES.iter().for_each(|case| case.write(Path::new(&folder)));
    }
    let mut forms = Forms::of_emitters();
    for case in CASES.iter() {
        let words = Words::of(&case.schema);
        case.kept().values().for_each(|text| forms.record(text, &words));
    }
    for case in CASES.iter() {
        let formatted = forms.show(&case.others(), &Words::of(&case.schema));
        assert_in(&case.dir, "emitted", &format!("{formatted}{}", digests(&case.files)));
    }
}

#[test]
fn emitted_code_matches_the_kept_files() {
    for case in CASES.iter() {
        let (kept, dir) = (case.kept(), case.dir.join("emitted"));
        kept.iter().for_each(|(path, text)| assert_file(&dir.join(path), text));
        assert_eq!(files_in(&dir, &dir), kept.into_keys().collect::<Vec<_>>(), "{}: `# kept:`", case.dir.display());
    }
}

/// Facts that no emitter uses are compared in the model itself, without empty fields.
#[test]
fn operations_are_in_the_model() {
    let case = root().join("tests/cases/operations");
    let api = load(&sources(&case)).expect("the case has no errors");
    let model =
        format!("{:#?}\n{:#?}\n{:#?}\n{:#?}", api.base_path, api.scopes, api.standard_parameters, api.operations);
    let states = api.resources.iter().map(|resource| format!("{:#?}\n{:#?}", resource.rules, resource.states));
    let text = format!("{model}\n{}", states.collect::<Vec<_>>().join("\n"));
    let empty = [": None,", ": [],", ": false,", ": \"\",", ": {},"];
    let lines: Vec<&str> = text.lines().filter(|line| !empty.iter().any(|empty| line.ends_with(empty))).collect();
    assert_in(&case, "model", &compact(&lines.join("\n")));
}

/// A key that no schema has is not tested, and nothing else reports that.
#[test]
fn every_key_of_the_language_is_in_a_schema() {
    let dirs: Vec<PathBuf> =
        ["tests/cases", "tests/errors", "schemas"].iter().flat_map(|of| folders(&root().join(of))).collect();
    let texts: Vec<String> = dirs.iter().flat_map(|dir| sources(dir)).map(|source| source.text.to_string()).collect();
    let is_used =
        |key: &str| texts.iter().any(|text| text.match_indices(key).any(|(at, _)| is_key(text, at, key.len())));
    let keys = wireform_codegen::reference::shapes()
        .into_iter()
        .flat_map(|shape| shape.keys.iter().map(|key| (shape.name, key.name)));
    let unused: Vec<_> = keys.filter(|(_, key)| !is_used(key)).collect();
    assert!(unused.is_empty(), "no schema in tests/cases, tests/errors or schemas has {unused:?}");
}

/// Returns whether the part of a text is a key of a mapping.
fn is_key(text: &str, at: usize, length: usize) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let before = at.checked_sub(1).and_then(|before| text.as_bytes().get(before));
    !before.is_some_and(is_part) && text[at + length..].trim_start_matches(' ').starts_with(':')
}
