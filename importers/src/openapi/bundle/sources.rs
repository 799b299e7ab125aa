//! Files of the parts of a document.

use std::collections::BTreeMap;

use super::files::ParsedFile;
use crate::node::Report;
use crate::{Import, ImportError, Loss, ancestors, locations};

/// Origins of the parts of a document that is composed of files.
#[derive(Default)]
pub struct Sources {
    /// Files, the document first.
    pub files: Vec<ParsedFile>,
    /// File and pointer of each part of another file, by its pointer in the whole.
    pub origins: BTreeMap<String, (usize, String)>,
}

impl Sources {
    /// Returns the file, unless it is the document itself, and the pointer in it.
    fn origin(&self, at: &str) -> (Option<&ParsedFile>, String) {
        let found = ancestors(at).find_map(|part| Some((part, self.origins.get(part)?)));
        let Some((part, (file, pointer))) = found else { return (None, at.to_owned()) };
        let rest = at.get(part.len()..).unwrap_or_default();
        (self.files.get(*file).filter(|_| *file > 0), format!("{pointer}{rest}"))
    }

    /// Locates the losses and notes of an import in their files, and adds those about the text of the files.
    pub fn locate(self, import: Import) -> Import {
        let (mut losses, mut notes) = (self.located(import.losses), self.located(import.notes));
        for file in self.files.iter().skip(1) {
            let report = Report::with_extensions();
            file.remarks.report(&report);
            let (lost, noted) = report.into_sorted();
            let of_file = |loss: Loss| Loss { file: Some(file.path.clone()), ..loss };
            losses.extend(lost.into_iter().map(of_file));
            notes.extend(noted.into_iter().map(of_file));
        }
        for all in [&mut losses, &mut notes] {
            all.sort();
            all.dedup();
        }
        let guesses = self.located(import.guesses);
        let origins = import.origins.into_iter().map(|(name, (_, at))| (name, self.place(&at))).collect();
        let documents = self.files.into_iter().skip(1).map(|file| (file.path, file.text)).collect();
        Import { losses, notes, guesses, origins, documents, ..import }
    }

    /// Returns the path of the file, unless it is the document itself, and the pointer in it.
    fn place(&self, at: &str) -> (Option<String>, String) {
        let (file, at) = self.origin(at);
        (file.map(|file| file.path.clone()), at)
    }

    /// Locates losses or notes in their files.
    fn located(&self, all: Vec<Loss>) -> Vec<Loss> {
        let locate = |loss: Loss| {
            let (file, at) = self.place(&loss.at);
            Loss { file, at, ..loss }
        };
        all.into_iter().map(locate).collect()
    }

    /// Locates an error of the document in its file.
    pub fn locate_error(&self, error: ImportError) -> ImportError {
        let ImportError::Document { at, problem } = error else { return error };
        let (file, at) = self.origin(&at);
        let error = ImportError::Document { at, problem };
        match file {
            Some(file) => error.in_file(&file.path, &file.text),
            None => error,
        }
    }
}

/// Returns the JSON pointer of a path.
pub fn pointer(path: &[String]) -> String {
    path.iter().map(|segment| format!("/{}", locations::pointer_segment(segment))).collect()
}
