//! The file that describes the API, among those of its schema.

use super::names;
use crate::diagnostics::{Code, Sink, Span};
use crate::schema::{File, Text};

/// Returns the one file that describes the API; reports such keys in other files.
pub fn find_api<'s>(files: &'s [File], sink: &mut Sink) -> Option<(&'s File, &'s Text)> {
    let mut found: Option<(&File, &Text)> = None;
    let has_api = files.iter().any(|file| file.api.is_some());
    for file in files {
        let Some(name) = &file.api else {
            // If no file has `api`, that is the only error.
            if has_api {
                stray_api_keys(file, sink);
            }
            continue;
        };
        if let Some((_, first)) = found {
            sink.report(Code::NoApi, name.span, "duplicate key `api` in a second file")
                .related(first.span, "first defined here")
                .help("remove one of them: each API has a folder of its own");
            continue;
        }
        if !names::is_api_name(&name.text) {
            sink.report(Code::BadName, name.span, format!("invalid API name `{}`", name.text.escape_debug()))
                .help(format!("use {}", names::API_NAME_SYNTAX));
            return None;
        }
        found = Some((file, name));
    }
    if found.is_none() {
        // The file that describes the API is the one that lacks its name.
        let describes = |file: &&File| api_keys(file).next().is_some();
        let describing = files.iter().find(describes);
        let describes_api = describing.is_some();
        let file = describing.or(files.first());
        let span = file.map(|file| Span { end: file.span.start, ..file.span }).unwrap_or_default();
        let help = match (describes_api, files.iter().any(|file| file.version.is_some())) {
            (true, true) => {
                "add `api: NAME` to this file, which describes the API: lower-case letters, digits and hyphens"
            }
            (true, false) => "add `api: NAME` to this file, which describes the API, and `version:` if it is not `v1`",
            (false, _) => "add `api: NAME` to one of the files, and `version:` if it is not `v1`",
        };
        sink.report(Code::NoApi, span, "missing key `api` in the files of this API").help(help);
    }
    found
}

/// Returns the keys of a file that describe the API, except `api`.
fn api_keys(file: &File) -> impl Iterator<Item = (&'static str, Span)> {
    let text = |text: &Option<Text>| text.as_ref().map(|text| text.span);
    let keys = [
        ("version", text(&file.version)),
        ("title", text(&file.title)),
        ("doc", text(&file.doc)),
        ("root", text(&file.root)),
        ("scope_base", text(&file.scope_base)),
        ("base_path", file.base_path.as_ref().map(|path| path.0.span)),
        ("errors", file.errors.as_ref().map(|errors| errors.span)),
        ("security_schemes", file.security_schemes.0.first().map(|(name, _)| name.span)),
        ("security", file.security.as_ref().map(|ways| ways.span)),
        ("features", file.features.as_ref().map(|features| features.span)),
        ("presence", file.presence.as_ref().map(|presence| presence.span)),
        ("unknown_members", file.unknown_members.as_ref().map(|unknown| unknown.span)),
        ("scopes", file.scopes.0.first().map(|(name, _)| name.span)),
        ("standard_parameters", file.standard_parameters.first().map(|name| name.span)),
        ("standard_errors", file.standard_errors.first().map(|name| name.span)),
    ];
    keys.into_iter().filter_map(|(key, span)| Some((key, span?)))
}

/// Returns whether a file says nothing of the whole API, as all files but one do.
pub fn describes_nothing(file: &File) -> bool {
    file.api.is_none() && api_keys(file).next().is_none()
}

/// Reports keys of the API in a file without `api`.
fn stray_api_keys(file: &File, sink: &mut Sink) {
    for (key, span) in api_keys(file) {
        sink.report(Code::NoApi, span, format!("`{key}` is allowed only in the file with `api`"))
            .help("move it to the file with `api`");
    }
}
