//! Files that a document refers to, each of which is read once.

use std::collections::{BTreeMap, HashMap};

use crate::openapi::document::{self, ParseRemarks};
use crate::reference::decode;
use crate::value::Value;
use crate::{FileReader, ImportError, Options};

/// Maximum number of files that a document refers to.
const MAX_FILES: usize = 10_000;

/// Parsed file.
pub struct ParsedFile {
    /// Path relative to the folder of the document; empty for a document without a reader.
    pub path: String,
    pub text: String,
    pub value: Value,
    pub remarks: ParseRemarks,
}

/// Document, and the files that it refers to.
pub struct Files<'o> {
    options: &'o Options<'o>,
    /// Files, the document first.
    pub parsed: Vec<ParsedFile>,
    /// Index of each file by its own path.
    by_path: BTreeMap<String, usize>,
    /// Indices by the paths of references, which can lead to the same file through a link, or the reason why a path
    /// leads to none.
    by_reference: HashMap<String, Result<usize, String>>,
    /// Number of bytes that can still be read.
    remaining: usize,
}

impl<'o> Files<'o> {
    /// Creates the files of a document.
    pub fn new(document: Value, length: usize, options: &'o Options<'o>) -> Self {
        let path = options.files.map(|files| files.document().to_owned()).unwrap_or_default();
        let parsed =
            ParsedFile { path: path.clone(), text: String::new(), value: document, remarks: ParseRemarks::default() };
        let by_path = BTreeMap::from([(path.clone(), 0)]);
        let by_reference = HashMap::from([(path, Ok(0))]);
        let remaining = options.max_bytes.saturating_sub(length);
        Self { options, parsed: vec![parsed], by_path, by_reference, remaining }
    }

    /// Returns the index of the file of a reference in another file; `None` if there is no reader.
    ///
    /// # Errors
    /// Returns an error if the file cannot be parsed, and the reason in the result if the path leads to no file.
    pub fn open(&mut self, from: usize, path: &str) -> Result<Option<Result<usize, String>>, ImportError> {
        let Some(reader) = self.options.files else { return Ok(None) };
        let path = match self.parsed.get(from).map(|file| join(&file.path, path)) {
            Some(Ok(path)) => path,
            Some(Err(problem)) => return Ok(Some(Err(problem))),
            None => return Ok(None),
        };
        if let Some(known) = self.by_reference.get(&path) {
            return Ok(Some(known.clone()));
        }
        let found = self.read(reader, &path)?;
        self.by_reference.insert(path, found.clone());
        Ok(Some(found))
    }

    /// Returns the index of the file of a reference, if it was read.
    pub fn known(&self, from: usize, path: &str) -> Option<usize> {
        let path = join(&self.parsed.get(from)?.path, path).ok()?;
        self.by_reference.get(&path)?.clone().ok()
    }

    /// Reads and parses a file, unless it is known under another path.
    fn read(&mut self, reader: &dyn FileReader, path: &str) -> Result<Result<usize, String>, ImportError> {
        if self.parsed.len() > MAX_FILES {
            return Ok(Err(format!("the document refers to more than {MAX_FILES} files")));
        }
        let file = match reader.read(path, self.remaining) {
            Ok(file) => file,
            Err(problem) => return Ok(Err(problem)),
        };
        if let Some(known) = self.by_path.get(&file.path) {
            return Ok(Ok(*known));
        }
        let Some(remaining) = self.remaining.checked_sub(file.text.len()) else {
            let max = self.options.max_bytes;
            return Ok(Err(format!("the document and the files that it refers to have more than {max} bytes")));
        };
        self.remaining = remaining;
        let text = file.text.trim_start_matches('\u{feff}');
        let (value, remarks) = document::read(text, self.options).map_err(|error| error.in_file(&file.path, text))?;
        let index = self.parsed.len();
        self.by_path.insert(file.path.clone(), index);
        self.parsed.push(ParsedFile { path: file.path, text: file.text, value, remarks });
        Ok(Ok(index))
    }
}

/// Returns the path of a reference, relative to the folder of the document.
///
/// # Errors
/// Returns an error if the reference is not a relative path.
fn join(from: &str, reference: &str) -> Result<String, String> {
    if reference.split('/').next().is_some_and(|first| first.contains(':')) || reference.starts_with("//") {
        return Err("URLs are not followed; save the file below the folder of the document".to_owned());
    }
    if reference.starts_with('/') || reference.contains(['\\', '?']) {
        return Err("expected a relative path with `/` between folders".to_owned());
    }
    let mut segments: Vec<String> = from.split('/').map(str::to_owned).collect();
    segments.pop();
    for segment in reference.split('/').map(decode) {
        match segment.as_str() {
            "" | "." => {}
            ".." => match segments.last() {
                Some(last) if last != ".." => drop(segments.pop()),
                _ => segments.push(segment),
            },
            other if other.contains(['/', '\\', '\0']) => {
                return Err("expected a relative path with `/` between folders".to_owned());
            }
            _ => segments.push(segment),
        }
    }
    Ok(segments.join("/"))
}

#[cfg(test)]
mod tests {
    use super::join;

    #[test]
    fn references_are_relative_to_their_file() {
        for (from, reference, path) in [
            ("api.yaml", "b.yaml", "b.yaml"),
            ("api.yaml", "./b/%63.yaml", "b/c.yaml"),
            ("b/c.yaml", "../d/./e.yaml", "d/e.yaml"),
            ("b/c.yaml", "../../d.yaml", "../d.yaml"),
            ("../d.yaml", "../e.yaml", "../../e.yaml"),
            ("b/c.yaml", "%2e%2e/a b.yaml", "a b.yaml"),
        ] {
            assert_eq!(join(from, reference), Ok(path.to_owned()), "{from} {reference}");
        }
        for reference in [
            "https://x/a.yaml",
            "//x/a.yaml",
            "file:a.yaml",
            "C:/a.yaml",
            "/a.yaml",
            "a%2Fb.yaml",
            "a\\b.yaml",
            "a?b",
            "a%00",
        ] {
            assert!(join("api.yaml", reference).is_err(), "{reference}");
        }
    }
}
