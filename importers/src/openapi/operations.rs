//! Operations, and the errors that they share.

use std::collections::BTreeSet;

use serde_yaml::{Mapping, Value as Yaml};
use wireform_codegen::resolve::apart::{Addresses, Confused};

use super::bodies::{self, Answers, Failure};
use super::draft::Draft;
use super::paths::{self, Found, Path};
use super::{own, parameters, resources, servers};
use crate::draft::Place;
use crate::files::{Kind, put};
use crate::names;
use crate::node::Node;

const KEYS: [&str; 12] = [
    "callbacks",
    "deprecated",
    "description",
    "externalDocs",
    "operationId",
    "parameters",
    "requestBody",
    "responses",
    "security",
    "servers",
    "summary",
    "tags",
];

/// An operation that is half written: its errors depend on those of all others.
struct Half<'d> {
    name: String,
    node: Node<'d>,
    method: String,
    place: Place,
    body: Mapping,
    answers: Answers<'d>,
}

/// Writes every operation whose path can be said; gives the resource that most errors are.
pub fn write(draft: &mut Draft<'_>) -> Option<String> {
    let root = draft.root.clone();
    let mut addresses = Addresses::default();
    let mut halves = Vec::new();
    let servers = servers::of_api(&root);
    let all = paths::all(&root);
    let items: Vec<Node<'_>> = all.iter().map(|found| found.item.clone()).collect();
    for found in all {
        found.node.only(&KEYS);
        servers::own_servers(&servers, &found.node);
        let template = found.node.text_if("x-wireform-path").unwrap_or_else(|| own::path(&draft.root, found.path));
        let path = match paths::path(&found.method, template) {
            Ok(path) => path,
            Err(why) => {
                found.node.whole_loss(format!("the operation is left out: {why}"));
                continue;
            }
        };
        let told = if draft.own { None } else { addresses.add(&paths::route(&path.line), ()) };
        if let Some(told) = told {
            found.node.whole_loss(match told {
                Confused::Same(()) => "the operation is left out: another one has the same method and path",
                Confused::Alike(()) => {
                    "the operation is left out: a path of it can be one of another, and nothing says which is meant"
                }
            });
            continue;
        }
        if let Some(schemes) = draft.security.locks_out(&root, &found.node) {
            found.node.whole_loss(format!(
                "the operation is left out: nothing that it demands of who asks has a place in a schema: {schemes}"
            ));
            continue;
        }
        halves.push(half(draft, &found, &path));
        draft.made.counts.methods += 1;
    }
    without_operations(&items, &halves);
    let often = bodies::count(halves.iter().map(|half| &half.answers));
    let own = || own::errors(&root).and_then(|errors| errors.get("body")?.as_str().map(str::to_owned));
    let shared =
        if draft.own { own() } else { often.iter().max_by_key(|(_, count)| **count).map(|(name, _)| name.clone()) };
    for mut half in halves {
        errors(&half.answers, shared.as_deref(), draft.own, &mut half.body);
        if draft.own {
            own::operation(&root, &half.node, &half.method, &mut half.body);
        }
        draft.security.of_operation(&half.node, &mut half.body);
        draft.made.add(&half.place, Kind::Operation, half.name, half.body);
    }
    shared
}

/// Takes down the parameters of paths of which every operation is left out: they are lost with these.
fn without_operations(items: &[Node<'_>], halves: &[Half<'_>]) {
    let written: BTreeSet<&str> =
        halves.iter().filter_map(|half| half.node.at.rsplit_once('/')).map(|(item, _)| item).collect();
    for item in items.iter().filter(|item| !written.contains(item.at.as_str())) {
        item.get("parameters").iter().for_each(Node::take);
    }
}

fn place(name: &str) -> Place {
    Place {
        bucket: "operations".to_owned(),
        owner: name.to_owned(),
        name: name.rsplit('.').next().map(names::pascal).unwrap_or_default(),
    }
}

fn half<'d>(draft: &mut Draft<'d>, found: &Found<'d>, path: &Path) -> Half<'d> {
    let place = place(&found.name);
    // What has no name of its own stands beside the types of the document.
    let parts = Place { bucket: resources::place(&place.name).bucket, ..place.clone() };
    let node = &found.node;
    let mut body = Mapping::new();
    put(&mut body, "doc", doc(found));
    put(&mut body, "http", Some(path.line.as_str()));
    let parameters = parameters::write(draft, found, path, &parts);
    for (key, set) in [
        ("path", parameters.path),
        ("query", parameters.query),
        ("headers", parameters.headers),
        ("cookies", parameters.cookies),
    ] {
        put(&mut body, key, Some(set).filter(|set| !set.is_empty()));
    }
    put(&mut body, "body", bodies::request(draft, found, &parts));
    let mut answers = bodies::answers(draft, found, &parts);
    let mut responses = std::mem::take(&mut answers.responses);
    if draft.own && responses.len() == 1 {
        // What an operation answers where nothing is said.
        responses.retain(|status, body| status != "204" || body.as_mapping().is_none_or(|body| !body.is_empty()));
    }
    put_responses(&mut body, responses);
    let conditional = parameters.conditional;
    put(&mut body, "conditional", Some(conditional).filter(|list| !list.is_empty()));
    put(&mut body, "deprecated", node.flag("deprecated").then_some(true));
    if let Some(callbacks) = node.get("callbacks").filter(|_| !draft.own) {
        callbacks.whole_loss("left out: requests that a server sends have no place in a schema");
    }
    Half { name: found.name.clone(), node: node.clone(), method: found.method.clone(), place, body, answers }
}

/// A type alone with status 200 is `response`; what says nothing is left out.
fn put_responses(body: &mut Mapping, responses: Mapping) {
    if let (1, Some(Yaml::Mapping(only))) = (responses.len(), responses.get("200"))
        && only.contains_key("type")
    {
        let ty = only.get("type").cloned();
        // A map type looks like a mapping with more.
        let plain = only.len() == 1 && !matches!(ty, Some(Yaml::Mapping(_)));
        put(body, "response", if plain { ty } else { Some(Yaml::Mapping(only.clone())) });
        return;
    }
    put(body, "responses", Some(responses).filter(|responses| !responses.is_empty()));
}

/// The headline and the description, which may go on where the headline ends.
fn doc(found: &Found<'_>) -> Option<String> {
    let said = |key: &str| {
        let own = found.node.prose(key);
        own.or_else(|| found.item.prose(key))
    };
    let (Some(summary), description) = (said("summary"), said("description")) else { return said("description") };
    let ended = |text: &str| text.ends_with(['.', '!', '?', ':', ';']);
    let bare = summary.trim_end_matches('.');
    Some(match description {
        None if ended(&summary) => summary,
        None => format!("{summary}."),
        Some(description) if description.contains(bare) => description,
        Some(description) if ended(&summary) => format!("{summary} {description}"),
        Some(description) if description.starts_with(|c: char| c.is_lowercase()) => format!("{summary} {description}"),
        Some(description) => format!("{summary}. {description}"),
    })
}

fn errors(answers: &Answers<'_>, shared: Option<&str>, own: bool, body: &mut Mapping) {
    let mut errors = Mapping::new();
    for Failure { status, form, doc, text, headers, node } in &answers.errors {
        let resource = form.as_ref().map(bodies::resource);
        let is_shared = resource.flatten().is_some() && resource.flatten() == shared;
        if bodies::is_class(status) {
            if let Some(text) = text.as_ref().filter(|_| !own) {
                text.note_alike("answer", "left out: answers without a status of their own have no text");
            }
            if headers.is_some() {
                node.loss("headers are left out: errors without a status of their own have none");
            }
            if !is_shared && form.is_some() && !own {
                node.whole_loss("left out: errors without a status of their own have the type that most errors have");
            }
            continue;
        }
        if let Some(None) = resource.filter(|_| !own) {
            node.loss("its type is left out: the body of an error is an object with known members");
        }
        let named = resource.flatten().filter(|_| !is_shared);
        let value = match (named, doc) {
            (None, Some(doc)) if headers.is_none() => Yaml::String(doc.clone()),
            (named, doc) => {
                let mut error = Mapping::new();
                put(&mut error, "doc", doc.clone());
                put(&mut error, "body", named);
                put(&mut error, "headers", headers.clone());
                Yaml::Mapping(error)
            }
        };
        errors.insert(Yaml::from(status.as_str()), value);
    }
    put(body, "errors", Some(errors).filter(|errors| !errors.is_empty()));
}
