//! Which member tells the variants of a union apart: the one that the document names, or one of which each variant has
//! values of its own.

use std::collections::BTreeSet;

use super::{Case, expanded};
use crate::openapi::draft::Draft;
use crate::openapi::view::{Kind, View, component, view};

/// The most values of one variant.
const MOST_VALUES: usize = 16;

/// The discriminator. The variants are called after its values; one with several of them is several variants.
pub fn discriminator<'d>(draft: &Draft<'d>, whole: &View<'d>, cases: &mut Vec<Case<'d>>) -> Option<String> {
    let written = whole.nodes.iter().find_map(|node| node.get("discriminator"));
    let member = written.as_ref().and_then(|node| node.text("propertyName"));
    let views: Vec<View<'d>> = cases.iter().map(|case| expanded(draft, &case.nodes)).collect();
    if let (Some(node), Some(member)) = (&written, member) {
        node.only(&["propertyName", "mapping"]);
        let mapping = node.entries("mapping");
        let target = |text: &str| component(text).unwrap_or(text).to_owned();
        let values = |case: &Case<'d>| -> Vec<String> {
            let of = mapping.iter().filter_map(|(value, to)| Some(((*value).to_owned(), target(to.text_here()?))));
            let own: Vec<String> =
                of.filter(|(_, to)| Some(to.as_str()) == case.component).map(|(value, _)| value).collect();
            if own.is_empty() { case.component.map(str::to_owned).into_iter().collect() } else { own }
        };
        let all: Vec<Vec<String>> = cases.iter().map(values).collect();
        let fits = all
            .iter()
            .zip(&views)
            .all(|(values, view)| !values.is_empty() && values.iter().all(|value| can_be(draft, view, member, value)));
        if fits && are_distinct(&all) {
            let is_case = |to: &str| cases.iter().any(|case| case.component == Some(to));
            for (_, to) in mapping.iter().filter(|(_, to)| !to.text_here().is_some_and(|to| is_case(&target(to)))) {
                to.loss("left out: it is for none of the alternatives");
            }
            divide(cases, all);
            return Some(member.to_owned());
        }
        if let Some((member, all)) = inferred(draft, &views) {
            divide(cases, all);
            return Some(member);
        }
        node.whole_loss(
            "left out: the member cannot have the values of all variants; the shape of a value tells them apart",
        );
        return None;
    }
    let (member, all) = inferred(draft, &views)?;
    divide(cases, all);
    Some(member)
}

fn divide<'d>(cases: &mut Vec<Case<'d>>, all: Vec<Vec<String>>) {
    let old = std::mem::take(cases);
    for (case, values) in old.into_iter().zip(all) {
        for key in values {
            cases.push(Case { nodes: case.nodes.clone(), component: case.component, key: Some(key) });
        }
    }
}

fn are_distinct(all: &[Vec<String>]) -> bool {
    let mut seen = BTreeSet::new();
    all.iter().flatten().all(|value| seen.insert(value))
}

/// Whether a member of an object can have a text.
fn can_be<'d>(draft: &Draft<'d>, view: &View<'d>, member: &str, text: &str) -> bool {
    let is_object = view.alternatives.is_empty() && !view.properties.is_empty();
    let Some((_, nodes)) = view.properties.iter().find(|(name, _)| *name == member) else { return is_object };
    let held = expanded(draft, nodes);
    let values = held.values.as_ref();
    is_object
        && values.map_or(held.kind() == Some(Kind::Text) && held.text("format").is_none(), |values| {
            values.iter().any(|value| value.value.text() == Some(text))
        })
}

/// A member that every variant must have, with values that no other variant has.
fn inferred<'d>(draft: &Draft<'d>, views: &[View<'d>]) -> Option<(String, Vec<Vec<String>>)> {
    let first = views.first().filter(|_| views.len() > 1)?;
    if views.iter().any(|view| !view.alternatives.is_empty() || view.properties.is_empty()) {
        return None;
    }
    for (member, _) in &first.properties {
        let values = |view: &View<'d>| -> Option<Vec<String>> {
            let (_, nodes) = view.properties.iter().find(|(name, _)| name == member)?;
            let values = expanded(draft, nodes).values?;
            let texts: Option<Vec<String>> = values.iter().map(|value| value.value.text().map(str::to_owned)).collect();
            texts.filter(|texts| view.required.contains(member) && (1..=MOST_VALUES).contains(&texts.len()))
        };
        let all: Option<Vec<Vec<String>>> = views.iter().map(values).collect();
        if let Some(all) = all.filter(|all| are_distinct(all)) {
            return Some(((*member).to_owned(), all));
        }
    }
    None
}

/// The schemas that are made of one with a discriminator and nothing else that tells what there is: each is a variant.
pub fn heirs<'d>(draft: &Draft<'d>, id: &str, whole: &View<'d>) -> Vec<Case<'d>> {
    let is_base = |node: &crate::node::Node<'d>| node.has("discriminator");
    if !whole.alternatives.is_empty() || whole.properties.is_empty() || !whole.nodes.first().is_some_and(is_base) {
        return Vec::new();
    }
    let schemas = draft.root.get("components").map(|components| components.entries("schemas")).unwrap_or_default();
    let inherits = |node: &crate::node::Node<'d>| {
        node.list("allOf").iter().any(|one| one.text_if("$ref").and_then(component) == Some(id))
    };
    let case =
        |(name, node): (&'d str, crate::node::Node<'d>)| Case { nodes: vec![node], component: Some(name), key: None };
    let heirs = schemas.into_iter().filter(|(name, node)| *name != id && inherits(node)).map(case);
    let is_plain = |case: &Case<'d>| {
        let view = view(&draft.root, &case.nodes);
        view.alternatives.is_empty() && !view.properties.is_empty()
    };
    heirs.filter(is_plain).collect()
}
