//! Operations and their parameters.

use wireform_codegen::schema::Operation;
use wireform_codegen::schema::field::Parameter;
use wireform_codegen::schema::listing::{ForbiddenParameter, SyncDef};
use wireform_codegen::schema::operation::{ErrorCase, Media, ScopeRequirement};

use super::keys::read;
use super::{deprecated, long_running, restore_type, rules};
use crate::lowering::{Member, flag, texts};
use crate::node::Node;
use crate::openapi::paths::FoundOperation;
use crate::value::Value;

/// Restores a parameter of the schema.
pub fn parameter(node: &Node<'_>, mut member: Member) -> Parameter {
    member.name = None;
    let Some(schema) = node.get("schema") else { return member.into_parameter() };
    let length = member.constraints.length;
    if node.text_if("in") == Some("path") && length.is_some_and(|length| (length.min, length.max) == (Some(1), None)) {
        // Path segments are never empty.
        member.constraints.length = None;
    }
    restore_type(node, &schema, &mut member);
    member.deprecated = deprecated(node).or(member.deprecated);
    Parameter { clamp: read(node, "x-wireform-clamp"), ..member.into_parameter() }
}

/// Returns whether a response is implied by the condition of an operation.
pub fn is_unchanged(found: &FoundOperation<'_>, status: &str) -> bool {
    let conditional =
        |one: &Node<'_>| one.value.reference().and_then(|to| to.component("parameters")) == Some("If-None-Match");
    status == "304" && found.node.list("parameters").iter().any(conditional)
}

/// Restores the other keys of an operation.
pub fn operation(root: &Node<'_>, node: &Node<'_>, method: &str, operation: &mut Operation) {
    operation.cost = read(node, "x-wireform-cost");
    operation.pages = read(node, "x-wireform-pages");
    operation.watch = read(node, "x-wireform-watch");
    let by_itself = matches!(method, "GET" | "HEAD" | "OPTIONS" | "PUT" | "DELETE");
    let idempotent = node.flag("x-wireform-idempotent");
    operation.idempotent = (idempotent != by_itself).then(|| idempotent.into());
    operation.sync = node.get("x-wireform-sync").and_then(|node_value| sync(&node_value));
    operation.media = node.get("x-wireform-media").map(|node_value| media(&node_value));
    operation.rules = rules(node);
    reasons(node, operation);
    security(root, node, operation);
    operation.long_running = long_running::operation(node);
    operation.client_only = node.flag("x-wireform-client-only").then(|| true.into());
    operation.deprecated = deprecated(node);
}

/// Reads the uploads and the download of an operation from `x-wireform-media`.
fn media(node: &Node<'_>) -> Media {
    Media {
        upload: read(node, "upload").unwrap_or_default(),
        max_bytes: read(node, "maxBytes"),
        simple: read(node, "simple"),
        resumable: read(node, "resumable"),
        download: read(node, "download"),
        ..Media::default()
    }
}

/// Reads the synchronization of an operation from `x-wireform-sync`.
fn sync(node: &Node<'_>) -> Option<SyncDef> {
    let forbids = node.list("forbids").into_iter().filter_map(|one| {
        let name = one.text("parameter")?.into();
        Some(ForbiddenParameter { name, value: one.get("value").map(|value| value.value.to_raw()) })
    });
    Some(SyncDef {
        resume: read(node, "resume")?,
        cursor: read(node, "cursor")?,
        expired: read(node, "expired")?,
        forbids: forbids.collect(),
        full: read(node, "full"),
        changes: read(node, "changes").unwrap_or_default(),
        otherwise: read(node, "otherwise"),
        ..SyncDef::default()
    })
}

/// Restores the reasons of errors. Responses to conditions are not errors of the operation itself.
fn reasons(node: &Node<'_>, operation: &mut Operation) {
    let responses = node.entries("responses");
    for (status, error) in &mut operation.errors.0 {
        let response = responses.iter().find(|(own, _)| *own == status.text);
        let reasons = response.map(|(_, response)| response.list("x-wireform-reasons")).unwrap_or_default();
        let reason = reasons.first().and_then(|reason| reason.value.text());
        error.0.reason = reason.map(Into::into).or(error.0.reason.take());
    }
    operation.errors.0.retain(|(status, error)| status.text != "412" || error.0 != ErrorCase::default());
}

/// Restores the scopes, of which any one or all are required.
fn security(root: &Node<'_>, node: &Node<'_>, operation: &mut Operation) {
    let names = super::api::scopes(root);
    let schemes = root.get("components").and_then(|components| components.get("securitySchemes"));
    let implied = |scheme: &str| {
        let scheme = schemes.as_ref().and_then(|schemes| schemes.get(scheme));
        scheme.is_some_and(|scheme| scheme.flag("x-wireform-implied"))
    };
    let mut scopes: Vec<&str> = Vec::new();
    let mut all = false;
    let mut key = false;
    for need in node.list("security") {
        for (scheme, wanted) in need.members() {
            match (scheme, wanted.value) {
                ("oauth2", Value::List(urls)) if implied(scheme) => {
                    all |= urls.len() > 1;
                    let name = |url: &str| names.iter().find(|(_, own)| *own == url).map(|(name, _)| *name);
                    scopes.extend(urls.iter().filter_map(Value::text).filter_map(name));
                }
                ("key", _) if implied(scheme) => key = true,
                _ => {}
            }
        }
    }
    if !scopes.is_empty() {
        let scopes = texts(scopes);
        operation.scopes = Some(if all { ScopeRequirement::AllOf(scopes) } else { ScopeRequirement::AnyOf(scopes) });
    }
    operation.api_key = flag(key);
}
