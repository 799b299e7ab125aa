//! Operations and their parameters.

use serde_yaml::{Mapping, Value as Yaml};

use super::{copied, deprecated, long_running, rules, typed};
use crate::files::put;
use crate::node::Node;
use crate::openapi::paths::Found;
use crate::value::Value;

/// What else is said of a parameter.
pub fn parameter(node: &Node<'_>, body: &mut Mapping) {
    let Some(schema) = node.get("schema") else { return };
    if node.text_if("in") == Some("path") && body.get("length").and_then(Yaml::as_str) == Some("1..") {
        // No segment of a path is empty.
        body.shift_remove("length");
    }
    typed(node, &schema, body);
    deprecated(node, body);
}

/// Whether an answer is what the condition of an operation leads to, which is not said beside it.
pub fn is_unchanged(found: &Found<'_>, status: &str) -> bool {
    let conditional = |one: &Node<'_>| one.text_if("$ref") == Some("#/components/parameters/If-None-Match");
    status == "304" && found.node.list("parameters").iter().any(conditional)
}

/// What else is said of an operation.
pub fn operation(root: &Node<'_>, node: &Node<'_>, method: &str, body: &mut Mapping) {
    let keys = [("x-wireform-cost", "cost"), ("x-wireform-pages", "pages"), ("x-wireform-watch", "watch")];
    copied(node, &keys, body);
    let by_itself = matches!(method, "GET" | "HEAD" | "OPTIONS" | "PUT" | "DELETE");
    let idempotent = node.flag("x-wireform-idempotent");
    put(body, "idempotent", (idempotent != by_itself).then_some(idempotent));
    if let Some(sync) = node.get("x-wireform-sync") {
        put(body, "sync", Some(self::sync(&sync)));
    }
    if let Some(media) = node.get("x-wireform-media") {
        let mut own = Mapping::new();
        let keys = [("upload", "upload"), ("maxBytes", "max_bytes"), ("simple", "simple"), ("resumable", "resumable")];
        copied(&media, &keys, &mut own);
        copied(&media, &[("download", "download")], &mut own);
        put(body, "media", Some(own));
    }
    rules(node, body);
    reasons(node, body);
    security(root, node, body);
    long_running::operation(node, body);
    deprecated(node, body);
}

fn sync(node: &Node<'_>) -> Mapping {
    let mut body = Mapping::new();
    let keys = [("resume", "resume"), ("cursor", "cursor"), ("expired", "expired"), ("full", "full")];
    copied(node, &keys, &mut body);
    copied(node, &[("changes", "changes"), ("otherwise", "otherwise")], &mut body);
    let forbids = node.list("forbids").into_iter().filter_map(|one| {
        let name = one.text("parameter")?;
        Some(match one.get("value") {
            Some(value) => [(Yaml::from(name), value.value.to_yaml())].into_iter().collect::<Mapping>().into(),
            None => Yaml::from(name),
        })
    });
    let forbids: Vec<Yaml> = forbids.collect();
    put(&mut body, "forbids", Some(forbids).filter(|list| !list.is_empty()));
    body
}

/// The reasons of errors. What an operation answers because of a condition is no error of its own.
fn reasons(node: &Node<'_>, body: &mut Mapping) {
    let Some(Yaml::Mapping(errors)) = body.get_mut("errors") else { return };
    for (status, answer) in node.entries("responses") {
        let Some(reason) = answer.list("x-wireform-reasons").first().and_then(|reason| reason.value.text()) else {
            continue;
        };
        let Some(error) = errors.get_mut(status) else { continue };
        let mut own = match error {
            Yaml::Mapping(own) => own.clone(),
            Yaml::String(doc) => [(Yaml::from("doc"), Yaml::from(doc.as_str()))].into_iter().collect(),
            _ => Mapping::new(),
        };
        put(&mut own, "reason", Some(reason));
        *error = Yaml::Mapping(own);
    }
    let changed = |value: &Yaml| value.as_mapping().is_some_and(Mapping::is_empty);
    if errors.get("412").is_some_and(changed) {
        errors.shift_remove("412");
    }
    if errors.is_empty() {
        body.shift_remove("errors");
    }
}

/// The scopes of which one is enough, or all are needed.
fn security(root: &Node<'_>, node: &Node<'_>, body: &mut Mapping) {
    let names = super::api::scopes(root);
    let schemes = root.get("components").and_then(|components| components.get("securitySchemes"));
    let implied = |scheme: &str| {
        let scheme = schemes.as_ref().and_then(|schemes| schemes.get(scheme));
        scheme.is_some_and(|scheme| scheme.flag("x-wireform-implied"))
    };
    let mut scopes: Vec<Yaml> = Vec::new();
    let mut all = false;
    let mut key = false;
    for need in node.list("security") {
        for (scheme, wanted) in need.members() {
            match (scheme, wanted.value) {
                ("oauth2", Value::List(urls)) if implied(scheme) => {
                    all |= urls.len() > 1;
                    let name = |url: &str| names.iter().find(|(_, own)| *own == url).map(|(name, _)| Yaml::from(*name));
                    scopes.extend(urls.iter().filter_map(Value::text).filter_map(name));
                }
                ("key", _) if implied(scheme) => key = true,
                _ => {}
            }
        }
    }
    if !scopes.is_empty() {
        let kind = if all { "all_of" } else { "any_of" };
        put(body, "scopes", Some([(Yaml::from(kind), Yaml::Sequence(scopes))].into_iter().collect::<Mapping>()));
    }
    put(body, "api_key", key.then_some(true));
}
