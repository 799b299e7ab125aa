//! One document from the files that a document refers to, with its references parsed.
//!
//! Parts of other files become components, each of them once, however many references lead to it. So everything else
//! deals with one document, and [`Sources`] knows the files of its parts.

mod collect;
mod files;
mod kinds;
mod names;
mod place;
mod sources;

use std::collections::{BTreeMap, BTreeSet};

use super::document_error;
use crate::reference::Path;
use crate::value::Value;
use crate::{ImportError, Options};
use collect::{Collector, Refusal};
use files::Files;
use kinds::{Kind, Position};
use place::Composer;
pub use sources::Sources;
use sources::pointer;

/// Document that is composed of files.
pub struct Bundle {
    pub document: Value,
    pub sources: Sources,
    /// Names of the schemas of other files among the components, with their names there.
    pub names: BTreeMap<String, String>,
    /// Pointers and notes about names.
    pub notes: Vec<(String, String)>,
}

/// Number of copies of all files at which a document has become too large.
const MAX_COPIES: usize = 8;

/// Size in bytes that is never too large.
const MIN_BUDGET: usize = 4 << 20;

/// Parses the references of a document, and adds the parts of other files that they lead to. `length` is that of its
/// text.
///
/// # Errors
/// Returns an error if a file cannot be read or parsed, or if the document becomes too large.
pub fn bundle(document: Value, length: usize, options: &Options<'_>) -> Result<Bundle, ImportError> {
    let collector = Collector::collect(Files::new(document, length, options))?;
    if let Some(error) = refusal(&collector) {
        return Err(error);
    }
    let named = names::names(&collector);
    let targets = || collector.targets.iter().zip(&named);
    let place = |(target, part): (&collect::Target, &names::PartName)| -> Path {
        let section = target.kind.section().unwrap_or_default();
        ["components", section, &part.name].map(str::to_owned).to_vec()
    };
    let places: Vec<Path> = targets().map(place).collect();
    let size: usize = collector.files.parsed.iter().map(|file| file.value.size()).sum();
    let mut composer = Composer::new(&collector, &places, size.saturating_mul(MAX_COPIES).max(MIN_BUDGET));
    let root = collector.files.parsed.first().map_or(&Value::Null, |file| &file.value);
    let mut whole = composer.document(root, Position::One(Kind::Document));
    let added = || targets().zip(&places).enumerate().filter(|(_, ((target, _), _))| target.home.is_none());
    let (mut names, mut notes) = (BTreeMap::new(), Vec::new());
    for (index, ((target, part), place)) in added() {
        let value = composer.target(index).unwrap_or(Value::Null);
        whole.insert(place, value);
        if target.kind != Kind::Schema {
            continue;
        }
        names.insert(part.name.clone(), part.own.clone());
        if part.is_taken {
            let (own, name) = (part.own.escape_debug(), part.name.escape_debug());
            let what =
                format!("named `{name}`: another schema of the document and its files has the name `{own}`, too");
            notes.push((pointer(place), what));
        }
    }
    if composer.budget == 0 {
        return Err(document_error("", "the files of the document include parts of each other too often"));
    }
    let sources = Sources { origins: composer.origins, files: collector.files.parsed };
    Ok(Bundle { document: whole, sources, names, notes })
}

/// Returns the error of the first reference that cannot be followed.
fn refusal(collector: &Collector<'_>) -> Option<ImportError> {
    let Refusal { at, problem } = collector.refusals.first()?;
    let more = collector.refusals.iter().map(|refusal| &refusal.problem).collect::<BTreeSet<_>>().len() - 1;
    let problem = match more {
        0 => problem.clone(),
        1 => format!("{problem} (1 more reference cannot be followed)"),
        _ => format!("{problem} ({more} more references cannot be followed)"),
    };
    let error = document_error(&pointer(&at.path), problem);
    let file = collector.files.parsed.get(at.file)?;
    Some(if at.file == 0 { error } else { error.in_file(&file.path, &file.text) })
}
