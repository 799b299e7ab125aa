//! Google API Discovery documents, version 1 of their format.
//!
//! Schemas become resources, their inline objects and lists of values become separate resources and enums, methods
//! become operations, and the parameters of every method become a standard set. Information about the publisher (icons,
//! owners, URLs of pages) does not describe the API and is omitted; everything else that is not in the files is in the
//! list of losses.

mod api;
mod bodies;
mod enums;
mod form;
mod importer;
mod media;
mod members;
mod methods;
mod paging;
mod paths;
mod profile;
mod resources;
mod scopes;
mod types;
mod urls;
mod variants;

#[cfg(test)]
mod tests;

use wireform_codegen::resolve::names::is_api_name as is_name;
use wireform_codegen::schema::resource::UnknownMembers;

use crate::node::{Node, Report};
use crate::value::Value;
use crate::{Import, ImportError, Options, Overlay, files, long_running, names, unread};
use importer::Importer;

/// Imports a document.
///
/// # Errors
/// Returns an error if the text is larger than [`MAX_BYTES`](crate::MAX_BYTES), is not JSON, or is not a Discovery
/// document of a REST API with a usable name, root URL and base path.
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
/// is not valid for an API. With a name in the options, that of the document is not required.
pub fn import_as(text: &str, options: &Options<'_>, overlay: Option<&Overlay>) -> Result<Import, ImportError> {
    options.check_size(text)?;
    if !text.trim().is_empty() && !crate::locations::starts_like_json(text) {
        let problem = "a Discovery document must be JSON; import OpenAPI documents, in JSON or YAML, with \
                       `import openapi`";
        return Err(ImportError::Yaml { line: 1, column: 1, problem: problem.to_owned() });
    }
    let mut value: Value =
        serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| ImportError::Json {
            line: error.line(),
            column: error.column(),
            problem: crate::without_location(&error.to_string()),
        })?;
    crate::digits::restore(&mut value, text);
    // The order of members has no meaning, so a change of it must not change the result.
    value.sort();
    let base_url = value.get("documentationLink").and_then(Value::text).unwrap_or_default();
    let report = Report::default().with_base_url(base_url.to_owned());
    let root = Node::root(&value, &report);
    let (api, files, counts) = write_files(&root, &report, options, overlay)?;
    unread::report_unread(&root, &report, &api::PUBLISHER);
    let guesses = report.guesses(overlay);
    let origins = report.origins().into_iter().map(|(name, at)| (name, (None, at))).collect();
    let (losses, notes) = report.into_sorted();
    Ok(Import { api, files, losses, notes, guesses, origins, counts, documents: std::collections::BTreeMap::new() })
}

/// Name of the API, its files by path, and the counts of its definitions.
type Written = (String, std::collections::BTreeMap<String, String>, crate::Counts);

/// Converts the document to schema files, with the overlay applied.
fn write_files(
    document: &Node<'_>,
    report: &Report,
    options: &Options<'_>,
    overlay: Option<&Overlay>,
) -> Result<Written, ImportError> {
    check(document)?;
    // Even if a name is given, that of the document must not be reported as unread.
    [document.get("name"), document.get("version")].iter().flatten().for_each(Node::mark_read);
    let name = options.name.map_or_else(|| api_name(document), names::validate_api_name)?;
    let mut importer = Importer::new(document, api::wraps_data(document));
    resources::define(&mut importer, document);
    let methods = methods::define(&mut importer, document);
    resources::write(&mut importer, document);
    let mut api = api::write(document, &name)?;
    api.unknown_members = options.unknown_members(UnknownMembers::Ignore);
    methods::write(&mut importer, document, &methods);
    api::finish(&mut importer, &mut api, document);
    importer.rename_like_patches(document);
    let (mut items, counts) = importer.lowering.finish(&api);
    profile::add_media_parameters(document, methods::STANDARD, &mut api, &mut items);
    long_running::mark_long_running(&mut items, report);
    let files = files::write_files(&api, &items, overlay)?;
    Ok((name, files, counts))
}

/// Checks that the document has the form of a Discovery document: an object of its `kind`, and not OpenAPI.
fn check(document: &Node<'_>) -> Result<(), ImportError> {
    if !document.value.is_object() {
        return Err(document_error("", "not a Discovery document: expected a JSON object"));
    }
    if let Some(key) = ["openapi", "swagger"].into_iter().find(|key| document.has(key)) {
        return Err(document_error(&format!("/{key}"), "this is an OpenAPI document; import it with `import openapi`"));
    }
    match document.text("kind") {
        Some("discovery#restDescription") => Ok(()),
        Some(other) => Err(document_error(
            "/kind",
            format!("unknown kind `{}`; expected `discovery#restDescription`", other.escape_debug()),
        )),
        None if ["schemas", "resources", "methods"].iter().any(|key| document.has(key)) => Ok(()),
        None => {
            Err(document_error("", "not a Discovery document: missing `kind`, `schemas`, `resources` and `methods`"))
        }
    }
}

/// Maximum length of the name of an API.
const MAX_LETTERS: usize = 48;

/// Returns the name of the API with its version, because two versions of one API can coexist.
fn api_name(document: &Node<'_>) -> Result<String, ImportError> {
    let Some(written) = document.text("name") else {
        return Err(document_error("/name", "missing name of the API; add `name`, or pass `--name`"));
    };
    let version = document.text("version").unwrap_or("v1");
    let (name, is_cut) = versioned_name(written, version);
    if let Some(node) = document.get("name").filter(|_| is_cut) {
        let written = written.escape_debug();
        node.note(format!("the name `{written}` of the API is shortened to `{name}`; `--name` sets another one"));
    }
    if is_name(&name) {
        Ok(name)
    } else {
        let written = written.escape_debug();
        let problem =
            format!("`{written}` cannot be converted to an API name; start it with a letter, or pass `--name`");
        Err(document_error("/name", problem))
    }
}

/// Returns the name that an import gives the API of a parsed document; `None` if the import fails.
#[must_use]
pub fn name_of(document: &serde_json::Value) -> Option<String> {
    let text = |key: &str| document.get(key).and_then(serde_json::Value::as_str);
    Some(versioned_name(text("name")?, text("version").unwrap_or("v1")).0).filter(|name| is_name(name))
}

/// Returns the name of an API from its name and version, and whether it was shortened.
fn versioned_name(written: &str, version: &str) -> (String, bool) {
    let (whole, version) = (names::kebab(written), names::kebab(version));
    if whole.is_empty() {
        return (String::new(), false);
    }
    // The version distinguishes APIs of the same name, so the name is truncated if both are too long.
    let version: String = version.chars().take(MAX_LETTERS - 2).collect();
    let name: String = whole.chars().take(MAX_LETTERS - 1 - version.chars().count()).collect();
    let is_cut = names::is_truncated(written) || name != whole;
    let whole = format!("{}-{}", name.trim_matches('-'), version.trim_matches('-'));
    (whole.trim_matches('-').to_owned(), is_cut)
}

/// Creates an error at a JSON pointer in the document; empty for the document as a whole.
fn document_error(at: &str, problem: impl Into<String>) -> ImportError {
    ImportError::Document { at: at.to_owned(), problem: problem.into() }
}
