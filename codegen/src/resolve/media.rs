//! Media upload and download of operations.

use super::members::texts;
use super::{media_types, routes};
use crate::diagnostics::{Code, Sink};
use crate::model::{Body, BodyMode, Media, Parameter, UploadEndpoint};
use crate::schema;
use crate::schema::operation;
use crate::schema::shape::Short;

/// Resolves the media of an operation; returns `None` if they cannot be sent.
pub fn media(
    written: &operation::Media,
    def: &schema::Operation,
    parameters: &[Parameter],
    sink: &mut Sink,
) -> Option<Media> {
    let mut way = |written: &Option<Short<operation::Upload>>| match written {
        Some(Short(written)) => upload(written, def, parameters, sink).map(Some),
        None => Some(None),
    };
    let (simple, resumable) = (way(&written.simple), way(&written.resumable));
    let goes_up = written.simple.is_some() || written.resumable.is_some();
    if !goes_up && (!written.upload.is_empty() || written.max_bytes.is_some()) {
        sink.report(Code::BadMedia, written.span, "missing upload path")
            .help("add a path such as `simple: { path: /upload/… }` or `resumable: { path: /upload/… }`");
        return None;
    }
    if goes_up && !matches!(def.http.method.as_str(), "POST" | "PUT" | "PATCH") {
        sink.report(Code::BadMedia, written.span, format!("a {} operation cannot upload media", def.http.method))
            .related(def.http.span, "the method")
            .help("use POST, PUT or PATCH");
        return None;
    }
    media_types::check_media_types(&written.upload, sink);
    let max_bytes = match written.max_bytes {
        Some(bytes) => Some(u64::try_from(bytes.value).ok().or_else(|| {
            sink.report(Code::BadValue, bytes.span, "expected a number of bytes of at least 0");
            None
        })?),
        None => None,
    };
    let download = written.download.is_some_and(|flag| flag.value);
    Some(Media { upload: texts(&written.upload), max_bytes, simple: simple?, resumable: resumable?, download })
}

/// Resolves an upload endpoint, whose variables are those of the operation's path.
fn upload(
    written: &operation::Upload,
    def: &schema::Operation,
    parameters: &[Parameter],
    sink: &mut Sink,
) -> Option<UploadEndpoint> {
    let mut http = routes::http(&written.path.0, parameters, &def.path, sink)?;
    http.method.clone_from(&def.http.method);
    Some(UploadEndpoint { http, multipart: written.multipart.is_some_and(|flag| flag.value) })
}

/// Reports rules on a body that conditions cannot refer to: a raw body, a list of patch operations, or alternatives.
pub fn check_rules(def: &schema::Operation, body: Option<&Body>, sink: &mut Sink) {
    let (why, help) = match body {
        Some(body) if body.raw().is_some() => {
            ("a condition cannot refer to a body that is not JSON", "refer only to parameters: `params`")
        }
        Some(body) if body.mode == BodyMode::JsonPatch => (
            "a condition cannot refer to the fields of a JSON Patch",
            "refer only to parameters (`params`), or move the rule to the resource",
        ),
        Some(body) if !body.alternatives.is_empty() => (
            "a condition cannot refer to a body with alternatives",
            "refer only to parameters (`params`), or move the rule to the resource of an alternative",
        ),
        _ => return,
    };
    for rule in &def.rules {
        let words = rule.cel.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        if words.into_iter().any(|word| word == "body") {
            sink.report(Code::BadRule, rule.cel.span, why).help(help);
        }
    }
}
