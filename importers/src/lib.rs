//! Turns descriptions of APIs in other languages into schemas of this one: a library without I/O, text in, files of
//! YAML and a list of losses out.
//!
//! The same text makes the same bytes. No input makes this library panic, and no name of a document becomes a path or
//! reaches Rust code by another way than through the schema reader, which checks it again.
//!
//! ```
//! let document = r#"{"kind": "discovery#restDescription", "name": "notes", "version": "v1", "resources": {}}"#;
//! let import = wireform_importers::discovery::import(document).expect("a Discovery document");
//! assert!(import.files["api.yaml"].contains("api: notes-v1"));
//! ```

pub mod discovery;
pub mod openapi;

mod definition;
mod files;
mod inner;
mod levels;
mod long_running;
mod lowering;
mod names;
mod node;
mod number;
mod overlay;
mod places;
mod prose;
mod unread;
mod uses;
mod value;

use std::collections::BTreeMap;

use wireform_codegen::schema::read::Located;
use wireform_codegen::schema::resource::UnknownMembers;

pub use files::{HEADER, is_as_written};
pub use overlay::Overlay;
pub use places::{Place, places};

/// What somebody says about an import.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// The name of the API, where it is not made from the document.
    pub name: Option<&'o str>,
    /// The largest document, in bytes.
    pub max_bytes: usize,
    /// Whether types of an OpenAPI document stay that no operation leads to.
    pub keeps_unreferenced: bool,
    /// What resources do with members that the document does not declare. Unless said, those of OpenAPI documents keep
    /// them, because JSON Schema allows them, and those of Discovery documents read over them.
    pub unknown_members: Option<UnknownMembers>,
}

/// The largest document unless somebody says otherwise, in bytes; the largest public one has half of it.
pub const MAX_BYTES: usize = wireform_codegen::schema::yaml::MAX_BYTES;

impl Default for Options<'_> {
    fn default() -> Self {
        Self { name: None, max_bytes: MAX_BYTES, keeps_unreferenced: false, unknown_members: None }
    }
}

impl Options<'_> {
    /// What the API says of members that the document does not declare; nothing where that is what an API says by saying
    /// nothing.
    fn unknown_members(&self, default: UnknownMembers) -> Option<Located<UnknownMembers>> {
        let chosen = self.unknown_members.unwrap_or(default);
        (chosen == UnknownMembers::Preserve).then(|| chosen.into())
    }

    /// Refuses a document that is too large.
    fn check_size(&self, text: &str) -> Result<(), Mistake> {
        if text.len() <= self.max_bytes {
            return Ok(());
        }
        let problem = format!("the document has {} bytes; at most {} are read", text.len(), self.max_bytes);
        Err(Mistake::Document { at: String::new(), problem })
    }
}

/// What came of a document.
#[derive(Clone, Debug)]
pub struct Import {
    /// The name of the API, which is fit to be the name of its folder.
    pub api: String,
    /// The text of each file by its name; no name has a slash.
    pub files: BTreeMap<String, String>,
    /// What the document says and the files do not, in the order of the places.
    pub losses: Vec<Loss>,
    /// What the files say in other words than the document: names that could not stay. The wire is the same.
    pub notes: Vec<Loss>,
    /// How much of the document is in the files.
    pub counts: Counts,
}

/// Something that a document says and a schema does not, or not in the same words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loss {
    /// Where the document says it: a JSON pointer (RFC 6901).
    pub at: String,
    /// What is lost or said otherwise, and why.
    pub what: String,
}

/// How many parts of a document are in the files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Schemas with a name.
    pub schemas: usize,
    /// Members of objects, also of those without a name.
    pub properties: usize,
    /// Places with a list of values.
    pub enums: usize,
    /// The values of these lists.
    pub enum_values: usize,
    /// Methods.
    pub methods: usize,
    /// Parameters of methods.
    pub parameters: usize,
    /// Those that a request must have.
    pub required_parameters: usize,
    /// Those that can be given several times.
    pub repeated_parameters: usize,
    /// Parameters of all methods.
    pub global_parameters: usize,
}

/// Why a document cannot be imported at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mistake {
    /// The text is not JSON.
    #[error("line {line}, column {column}: not JSON: {problem}")]
    Json {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// The text is not YAML, or has what the reader of YAML refuses.
    #[error("line {line}, column {column}: {problem}")]
    Yaml {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// The text can be read and is not a document of this kind.
    #[error("`{at}`: {problem}")]
    Document {
        /// A JSON pointer (RFC 6901).
        at: String,
        /// What is wrong there, and what belongs there.
        problem: String,
    },
    /// The overlay cannot be read, or says something about what is not in the document.
    #[error("{}", .0.iter().map(|one| one.problem.as_str()).collect::<Vec<_>>().join("; "))]
    Overlay(Vec<OverlayMistake>),
}

/// Something in an overlay that does not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayMistake {
    /// The line of the overlay, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong there, and what to do.
    pub problem: String,
}

impl Mistake {
    /// What is wrong, without the place.
    #[must_use]
    pub fn problem(&self) -> String {
        match self {
            Self::Json { problem, .. } => format!("not JSON: {problem}"),
            Self::Yaml { problem, .. } | Self::Document { problem, .. } => problem.clone(),
            Self::Overlay(_) => self.to_string(),
        }
    }

    /// Where it is in the text of the document, where that can be told.
    #[must_use]
    pub fn place(&self, text: &str) -> Option<Place> {
        match self {
            Self::Json { line, column, .. } | Self::Yaml { line, column, .. } => Some((*line, *column)),
            // What is missing would stand in what is there.
            Self::Document { at, .. } => {
                let found = places(text, parents(at));
                parents(at).find_map(|at| found.get(at).copied())
            }
            Self::Overlay(_) => None,
        }
    }
}

/// A JSON pointer, and those of all that its value stands in, from the inside.
fn parents(at: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(at), |at| at.rsplit_once('/').map(|(parent, _)| parent))
}

/// The message of a JSON reader without the place at its end, which is told beside it.
fn without_place(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(before, _)| before).to_owned()
}
