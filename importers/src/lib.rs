//! Imports API descriptions in other languages as Wireform schemas: a library without I/O that takes text and returns
//! YAML files and a list of losses.
//!
//! The output is deterministic. No input causes a panic, and no name of a document becomes a path or reaches Rust code
//! without passing the schema reader, which validates it again.
//!
//! ```
//! let document = r#"{"kind": "discovery#restDescription", "name": "notes", "version": "v1", "resources": {}}"#;
//! let import = wireform_importers::discovery::import(document).expect("a Discovery document");
//! assert!(import.files["api.yaml"].contains("api: notes-v1"));
//! ```

pub mod discovery;
pub mod openapi;

mod definition;
mod digits;
mod files;
mod locations;
mod long_running;
mod lowering;
mod names;
mod nesting_limits;
mod node;
mod number;
mod overlay;
mod prose;
mod reference;
mod unread;
mod usage;
mod value;
mod value_kind;

use std::collections::BTreeMap;
use std::fmt;

use wireform_codegen::schema::read::Located;
use wireform_codegen::schema::resource::UnknownMembers;

pub use files::{HEADER, is_unmodified};
pub use locations::{LineColumn, locate_pointers};
pub use overlay::Overlay;

/// Options of an import.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// Name of the API, unless it is derived from the document.
    pub name: Option<&'o str>,
    /// Name of the document's file without the extension, from which the name of the API is derived if the document has
    /// none.
    pub file: Option<&'o str>,
    /// Maximum size of a document, in bytes.
    pub max_bytes: usize,
    /// True if to keep types of an OpenAPI document that no operation refers to.
    pub keeps_unreferenced: bool,
    /// Handling of members that the document does not declare. By default, resources of OpenAPI documents preserve
    /// them, because JSON Schema allows them, and those of Discovery documents ignore them.
    pub unknown_members: Option<UnknownMembers>,
    /// Access to the files that an OpenAPI document refers to; without it, such a reference is an error.
    pub files: Option<&'o dyn FileReader>,
}

/// Access to the files that a document refers to. Importers do no I/O themselves.
///
/// Paths are relative to the folder of the document, with `/` between segments. Two references lead to the same file if
/// its own path is equal.
pub trait FileReader: fmt::Debug {
    /// Returns the path of the document itself.
    fn document(&self) -> &str;

    /// Reads a file that may be read, of at most `max_bytes` bytes.
    ///
    /// # Errors
    /// Returns the reason why the file is not read, in lower case.
    fn read(&self, path: &str, max_bytes: usize) -> Result<TextFile, String>;
}

/// File that a document refers to.
#[derive(Clone, Debug)]
pub struct TextFile {
    /// Own path, without symbolic links.
    pub path: String,
    /// Contents.
    pub text: String,
}

/// Default maximum size of a document, in bytes; twice that of the largest public one.
pub const MAX_BYTES: usize = wireform_codegen::schema::yaml::MAX_BYTES;

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            name: None,
            file: None,
            max_bytes: MAX_BYTES,
            keeps_unreferenced: false,
            unknown_members: None,
            files: None,
        }
    }
}

impl Options<'_> {
    /// Returns the `unknown_members` key of the API; `None` if it would be the default.
    fn unknown_members(&self, default: UnknownMembers) -> Option<Located<UnknownMembers>> {
        let chosen = self.unknown_members.unwrap_or(default);
        (chosen == UnknownMembers::Preserve).then(|| chosen.into())
    }

    /// Checks the size of a document.
    fn check_size(&self, text: &str) -> Result<(), ImportError> {
        if text.len() <= self.max_bytes {
            return Ok(());
        }
        let problem = format!("the document has {} bytes; the maximum is {}", text.len(), self.max_bytes);
        Err(ImportError::Document { at: String::new(), problem })
    }
}

/// Imported document.
#[derive(Clone, Debug)]
pub struct Import {
    /// Name of the API, which is also a valid folder name.
    pub api: String,
    /// Text of each file by its name; names contain no slash.
    pub files: BTreeMap<String, String>,
    /// Information of the document that the files cannot express, sorted by location.
    pub losses: Vec<Loss>,
    /// Information that the files express differently, such as changed names. The wire format is the same.
    pub notes: Vec<Loss>,
    /// Guesses about what the document does not say, each with the line of the overlay that turns it on or off, sorted by
    /// location. Those that the overlay decides are not among them.
    pub guesses: Vec<Loss>,
    /// Files and locations of the definitions, as in [`Loss`], by name.
    pub origins: BTreeMap<String, (Option<String>, String)>,
    /// Number of imported parts of the document.
    pub counts: Counts,
    /// Texts of the other files that the document refers to, by path.
    pub documents: BTreeMap<String, String>,
}

impl Import {
    /// Returns the lines and columns of losses or notes in their files. `text` is that of the document.
    #[must_use]
    pub fn places<'l>(&self, text: &str, losses: &[&'l Loss]) -> BTreeMap<&'l Loss, LineColumn> {
        let mut by_file: BTreeMap<Option<&str>, Vec<&'l Loss>> = BTreeMap::new();
        losses.iter().for_each(|loss| by_file.entry(loss.file.as_deref()).or_default().push(loss));
        let mut places = BTreeMap::new();
        for (file, losses) in by_file {
            let text = file.map_or(Some(text), |file| self.documents.get(file).map(String::as_str)).unwrap_or_default();
            let found = locate_pointers(text, losses.iter().map(|loss| loss.at.as_str()));
            places.extend(losses.into_iter().filter_map(|loss| Some((loss, *found.get(loss.at.as_str())?))));
        }
        places
    }
}

/// Information of a document that a schema does not express, or expresses differently.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loss {
    /// Path of the file; `None` for the document itself.
    pub file: Option<String>,
    /// Location in the file: a JSON pointer (RFC 6901).
    pub at: String,
    /// Description of the loss or change, and the reason.
    pub what: String,
}

/// Number of imported parts of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Named schemas.
    pub schemas: usize,
    /// Members of objects, including unnamed ones.
    pub properties: usize,
    /// Lists of values.
    pub enums: usize,
    /// Values of these lists.
    pub enum_values: usize,
    /// Methods.
    pub methods: usize,
    /// Parameters of methods.
    pub parameters: usize,
    /// Required parameters.
    pub required_parameters: usize,
    /// Repeated parameters.
    pub repeated_parameters: usize,
    /// Parameters of all methods.
    pub global_parameters: usize,
}

/// Error that prevents an import.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImportError {
    /// Text is not JSON.
    #[error("line {line}, column {column}: not JSON: {problem}")]
    Json {
        /// Line, starting at 1.
        line: usize,
        /// Column, starting at 1.
        column: usize,
        /// Description of the error.
        problem: String,
    },
    /// Text is not YAML, or uses unsupported YAML.
    #[error("line {line}, column {column}: {problem}")]
    Yaml {
        /// Line, starting at 1.
        line: usize,
        /// Column, starting at 1.
        column: usize,
        /// Description of the error.
        problem: String,
    },
    /// Text can be parsed, but is not a document of this kind.
    #[error("`{at}`: {problem}")]
    Document {
        /// Location as a JSON pointer (RFC 6901).
        at: String,
        /// Description of the error, and what was expected.
        problem: String,
    },
    /// File that the document refers to cannot be parsed, or has an error.
    #[error("`{file}`: line {line}, column {column}: {problem}")]
    File {
        /// Path of the file, relative to the folder of the document.
        file: String,
        /// Line, starting at 1.
        line: usize,
        /// Column, starting at 1.
        column: usize,
        /// Location as a JSON pointer (RFC 6901); empty if the file cannot be parsed.
        at: String,
        /// Description of the error, and what was expected.
        problem: String,
    },
    /// Overlay cannot be parsed, changes something that is not in the document, or adds something that is.
    #[error("{}", .0.iter().map(|one| one.problem.as_str()).collect::<Vec<_>>().join("; "))]
    Overlay(Vec<OverlayError>),
}

/// Error in an overlay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayError {
    /// Line of the overlay, starting at 1.
    pub line: usize,
    /// Column, starting at 1.
    pub column: usize,
    /// Description of the error, and how to fix it.
    pub problem: String,
}

impl ImportError {
    /// Returns the description of the error without its location.
    #[must_use]
    pub fn problem(&self) -> String {
        match self {
            Self::Json { problem, .. } => format!("not JSON: {problem}"),
            Self::Yaml { problem, .. } | Self::Document { problem, .. } | Self::File { problem, .. } => problem.clone(),
            Self::Overlay(_) => self.to_string(),
        }
    }

    /// Returns the error of a file that the document refers to.
    fn in_file(self, path: &str, text: &str) -> Self {
        let (line, column) = self.place(text).unwrap_or((1, 1));
        let at = self.pointer().to_owned();
        Self::File { file: path.to_owned(), line, column, at, problem: self.problem() }
    }

    /// Returns the path of the file; `None` for the document itself.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        if let Self::File { file, .. } = self { Some(file) } else { None }
    }

    /// Returns the JSON pointer of the location; empty for the whole file, or if it cannot be parsed.
    #[must_use]
    pub fn pointer(&self) -> &str {
        match self {
            Self::Document { at, .. } | Self::File { at, .. } => at,
            _ => "",
        }
    }

    /// Returns the line and column in the text of the document, or of the [`file`](Self::file), if known.
    #[must_use]
    pub fn place(&self, text: &str) -> Option<LineColumn> {
        match self {
            Self::Json { line, column, .. } | Self::Yaml { line, column, .. } | Self::File { line, column, .. } => {
                Some((*line, *column))
            }
            // A missing value is located at its parent.
            Self::Document { at, .. } => {
                let found = locate_pointers(text, ancestors(at));
                ancestors(at).find_map(|at| found.get(at).copied())
            }
            Self::Overlay(_) => None,
        }
    }
}

/// Returns a JSON pointer, followed by those of its ancestors, innermost first.
fn ancestors(at: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(at), |at| at.rsplit_once('/').map(|(parent, _)| parent))
}

/// Returns the message of a JSON parser without the location at its end, which is shown separately.
fn without_location(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(before, _)| before).to_owned()
}

#[cfg(test)]
#[path = "../tests/suite/parallel.rs"]
mod parallel;
