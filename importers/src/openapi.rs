//! OpenAPI documents of versions 3.0 and 3.1, in JSON or YAML.
//!
//! Schemas become resources, enums and types; `allOf` is merged, and unnamed nested schemas are named after their
//! location. Operations are named after their ids and grouped by their tags. Information about the publisher, and
//! extensions of other tools, are notes; everything else that is not in the files is in the list of losses.

mod api;
mod bodies;
mod bundle;
mod conditions;
mod constraints;
mod document;
mod encoding;
mod enums;
mod form;
mod importer;
mod limits;
mod media;
mod members;
mod operations;
mod paging;
mod parameters;
mod paths;
mod references;
mod reimport;
mod resources;
mod scalars;
mod security;
mod servers;
mod types;
mod validity;
mod view;
mod xml;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use wireform_codegen::schema::resource::UnknownMembers;

use crate::node::{Node, Report};
use crate::value::Value;
use crate::{Import, ImportError, Options, Overlay, files, unread};
use bundle::{Bundle, Sources};
use importer::Importer;

/// Imports a document.
///
/// # Errors
/// Returns an error if the text is larger than [`MAX_BYTES`](crate::MAX_BYTES), is neither JSON nor YAML, is not an
/// OpenAPI document of version 3.0 or 3.1 with a usable title, or refers to another file, which requires a reader in the
/// options.
pub fn import(text: &str) -> Result<Import, ImportError> {
    import_with(text, None)
}

/// Imports a document with an overlay.
///
/// # Errors
/// Returns the errors of [`import`], and an error if the overlay changes something that is not in the document, or adds
/// something that is.
pub fn import_with(text: &str, overlay: Option<&Overlay>) -> Result<Import, ImportError> {
    import_as(text, &Options::default(), overlay)
}

/// Imports a document with options, such as a name of the API, and an overlay.
///
/// # Errors
/// Returns the errors of [`import_with`], with the maximum size in the options, and an error if the name in the options
/// is not valid for an API. With a name in the options, or that of a file, the title is
/// not required.
pub fn import_as(text: &str, options: &Options<'_>, overlay: Option<&Overlay>) -> Result<Import, ImportError> {
    options.check_size(text)?;
    let (mut value, remarks) = document::read(text.trim_start_matches('\u{feff}'), options)?;
    if value.get("x-wireform-api").is_some() {
        value = reimport::strip_generated_text(value);
    }
    // No file is read for a document of another kind.
    check(&Node::root(&value, &Report::with_extensions()))?;
    let Bundle { document, sources, names, notes } = bundle::bundle(value, text.len(), options)?;
    let report = Report::with_extensions();
    remarks.report(&report);
    notes.iter().for_each(|(at, what)| report.note(at, what));
    match write(&document, (&names, &sources), report, options, overlay) {
        Ok(import) => Ok(sources.locate(import)),
        Err(error) => Err(sources.locate_error(error)),
    }
}

/// Imports a document whose references are parsed. `names` are the schemas of other files with their names there.
fn write(
    document: &Value,
    (names, sources): (&BTreeMap<String, String>, &Sources),
    mut report: Report,
    options: &Options<'_>,
    overlay: Option<&Overlay>,
) -> Result<Import, ImportError> {
    if document.get("x-wireform-api").is_none() {
        report = report.with_base_url(servers::base_url(document));
    }
    let root = Node::root(document, &report);
    check(&root)?;
    let name = options.name.map_or_else(|| api::name(&root, options.file), crate::names::validate_api_name)?;
    if !document::is_own(&root) {
        validity::check(&root, sources);
    }
    let mut importer = Importer::new(&root, names);
    resources::define(&mut importer);
    resources::write_all(&mut importer);
    let errors = operations::write(&mut importer);
    resources::repair_unions(&mut importer, &report);
    importer.rename_like_patches();
    let mut api = api::write(&mut importer, &name, errors.as_deref());
    let default = if importer.is_generated { UnknownMembers::Ignore } else { UnknownMembers::Preserve };
    api.unknown_members = options.unknown_members(default);
    if let Some(document_error) = report.first_error() {
        return Err(document_error);
    }
    if !importer.is_generated {
        resources::report_unused(&importer);
        if !options.keeps_unreferenced {
            let names = overlay.map(Overlay::words).unwrap_or_default();
            let out = importer.lowering.remove_unreferenced(&api, &names);
            resources::report_removed(&importer, &report, &out);
        }
        unread::report_unread(&root, &report, &[]);
    }
    resources::repair_defaults(&mut importer, &api, &report);
    let (items, counts) = importer.lowering.finish(&api);
    let files = files::write_files(&api, &items, overlay)?;
    let guesses = report.guesses(overlay);
    let origins = report.origins().into_iter().map(|(name, at)| (name, (None, at))).collect();
    let (losses, notes) = report.into_sorted();
    Ok(Import { api: name, files, losses, notes, guesses, origins, counts, documents: BTreeMap::new() })
}

/// Returns the name that an import gives the API of a parsed document, given the name of its file without the extension;
/// `None` if the import fails.
#[must_use]
pub fn name_of(document: &serde_json::Value, file: Option<&str>) -> Option<String> {
    let own = document.pointer("/x-wireform-api/name").and_then(serde_json::Value::as_str);
    if let Some(own) = own.filter(|own| api::is_name(own)) {
        return Some(own.to_owned());
    }
    let title = document.pointer("/info/title").and_then(serde_json::Value::as_str);
    let of_title = title.map(|title| api::name_of_title(title).0).filter(|name| api::is_name(name));
    of_title.or_else(|| api::name_of_file(file?))
}

/// Checks that the document is an object with `openapi: 3.0` or `3.1`, and neither OpenAPI 2 nor a Discovery document.
fn check(root: &Node<'_>) -> Result<(), ImportError> {
    if !matches!(root.value, Value::Object(_)) {
        return Err(document_error("", "not an OpenAPI document: expected an object"));
    }
    if root.has("swagger") {
        return Err(document_error("/swagger", "OpenAPI 2 is not supported; convert the document to version 3 first"));
    }
    if root.text_if("kind").is_some_and(|kind| kind.starts_with("discovery#")) {
        return Err(document_error(
            "/kind",
            "this is a Google API Discovery document; import it with `import discovery`",
        ));
    }
    match root.scalar("openapi") {
        Some(version) if version.starts_with("3.0") || version.starts_with("3.1") => Ok(()),
        Some(version) => Err(document_error(
            "/openapi",
            format!("unsupported OpenAPI version `{}`; expected 3.0 or 3.1", version.escape_debug()),
        )),
        None => Err(document_error("", "not an OpenAPI document: missing key `openapi` with the version, 3.0 or 3.1")),
    }
}

/// Creates an error at a JSON pointer in the document; empty for the document as a whole.
fn document_error(at: &str, problem: impl Into<String>) -> ImportError {
    ImportError::Document { at: at.to_owned(), problem: problem.into() }
}
