//! Import of a document, and its stored result.

use std::path::{Path, PathBuf};

use wireform_importers::{FileReader, Import, Loss, Options as ImportOptions, discovery, openapi};

use super::WorkFolder;
use crate::corpus::counts::{self, Counts};
use crate::corpus::documents::{self, Document, Kind};
use crate::corpus::inspection::Inspection;
use crate::corpus::{Row, state};

/// Result of importing a document.
pub enum Imported {
    /// Crates exist from an earlier run.
    Unchanged,
    /// Crates have to be generated.
    New(Box<New>),
}

/// New import, with the file in which its result is stored.
pub struct New {
    pub(super) import: Import,
    /// Name and text of the document.
    pub(super) document: (String, String),
    pub(super) state: PathBuf,
    pub(super) input: u64,
    pub(super) kind: Kind,
    /// Name in the document.
    pub(super) name: Option<String>,
}

impl WorkFolder {
    /// Imports a document under a name, unless an earlier run has generated its crates.
    pub fn import(
        &self,
        document: &Document,
        inspection: &Inspection,
        name: Option<&str>,
        row: &mut Row,
    ) -> anyhow::Result<Imported> {
        let Some(kind) = inspection.kind else { return Ok(Imported::Unchanged) };
        let text = documents::read(document)?;
        let input = self.input(&text);
        let state = state::file(&self.dir, &document.name);
        let reader = self.reader(document)?;
        if self.kept && state::restore_row(&state, (input, &reader), name, row) {
            return Ok(Imported::Unchanged);
        }
        let counts = match inspection.counts {
            Some(counts) => counts,
            // The document is the same under another name.
            None => counts::count(documents::open(&document.name, &text)?.0, kind, &reader),
        };
        row.counts = Some(counts);
        let (unknown_members, files) = (self.unknown_members, Some(&reader as &dyn FileReader));
        let import_options = ImportOptions { name, unknown_members, files, ..ImportOptions::default() };
        let import = import(kind, &text, &import_options)?;
        row.api = Some(import.api.clone());
        row.losses = format_losses((&document.name, &text), &import, &import.losses);
        row.problems.extend(counts.difference(&Counts::of_import(import.counts), kind));
        let (document, name) = ((document.name.clone(), text), inspection.name.clone());
        Ok(Imported::New(Box::new(New { import, document, state, input, kind, name })))
    }
}

fn import(kind: Kind, text: &str, options: &ImportOptions<'_>) -> anyhow::Result<Import> {
    let import = match kind {
        Kind::Discovery => discovery::import_as(text, options, None),
        Kind::OpenApi => openapi::import_as(text, options, None),
    };
    import.map_err(|error| {
        let place = error.place(text).filter(|_| error.file().is_none());
        let place = place.map_or_else(String::new, |(line, column)| format!(" at {line}:{column}"));
        anyhow::Error::new(error).context(format!("cannot import the document{place}"))
    })
}

/// Formats losses or warnings such as `notes.json:7:5#/schemas/Note: …`.
pub(super) fn format_losses((document, text): (&str, &str), import: &Import, losses: &[Loss]) -> Vec<String> {
    let places = import.places(text, &losses.iter().collect::<Vec<_>>());
    let line = |loss: &Loss| {
        let Loss { file, at, what } = loss;
        let place = places.get(loss).map_or_else(String::new, |(line, column)| format!(":{line}:{column}"));
        let file = file.as_ref().map_or_else(|| document.into(), |file| Path::new(document).with_file_name(file));
        format!("{}{place}#{at}: {what}", file.display())
    };
    losses.iter().map(line).collect()
}
