//! Helpers to find test files, in a crate that builds quickly: emitted code and diagnostics of schemas are tested here,
//! so that a change of an emitter is visible within seconds.

use std::path::{Path, PathBuf};

use wireform_codegen::{Diagnostic, Output, Source};

/// Returns the root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new(".")).to_owned()
}

/// Returns the path of public test data next to the repository. A test that requires it has the attribute
/// `#[requires]`, and is ignored if it is absent.
///
/// # Panics
/// Panics if the data is absent.
#[must_use]
pub fn shared(path: &str) -> PathBuf {
    let found = root().join("../shared").join(path);
    assert!(found.exists(), "there is no {path} in ../shared any more: touch tests/data/src/lib.rs");
    found
}

/// Returns the YAML files of a folder, named by their file names.
///
/// # Panics
/// Panics if the folder cannot be read.
#[must_use]
pub fn sources(dir: &Path) -> Vec<Source> {
    let mut files: Vec<PathBuf> = fs_err::read_dir(dir)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort();
    let sources = files.into_iter().map(|path| {
        let bytes = fs_err::read(&path).expect("a file can be read");
        Source::from_bytes(path.file_name().unwrap_or_default().to_string_lossy(), &bytes)
    });
    let Ok(sources) = wireform_codegen::with_includes(sources.collect(), |path| {
        Ok::<_, std::convert::Infallible>(fs_err::read(dir.join(path)).ok())
    });
    sources
}

/// Returns the folders in a folder, sorted by name.
///
/// # Panics
/// Panics if the folder cannot be read.
#[must_use]
pub fn folders(dir: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs_err::read_dir(dir)
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.is_dir())
        .collect();
    found.sort();
    found
}

/// Asserts that an editor can jump to the location of a diagnostic: an existing line, and a column on it.
///
/// # Panics
/// Panics if the location does not exist.
pub fn assert_inside(output: &Output, diagnostic: &Diagnostic, what: &str) {
    let places = std::iter::once(diagnostic.span).chain(diagnostic.related.iter().map(|(span, _)| *span));
    for span in places {
        let source =
            output.sources.get(span.file as usize).unwrap_or_else(|| panic!("{what}: no such file: {diagnostic:?}"));
        assert!(span.start <= span.end, "{what}: {diagnostic:?}");
        assert!(span.end as usize <= source.text.len(), "{what}: outside of its file: {diagnostic:?}");
        assert!(source.text.is_char_boundary(span.start as usize), "{what}: inside of a character: {diagnostic:?}");
    }
    let (line, column) = diagnostic.line_column(&output.sources);
    let text = &output.sources[diagnostic.span.file as usize].text;
    let found = text.split('\n').nth(line - 1).unwrap_or_else(|| panic!("{what}: no line {line}: {diagnostic:?}"));
    assert!(column <= found.chars().count() + 1, "{what}: no column {column} on line {line}: {diagnostic:?}");
    let rendered = diagnostic.render(&output.sources, false);
    assert!(rendered.contains(&format!(":{line}:{column}")), "{what}: the place {line}:{column} is not in\n{rendered}");
}
