//! Discriminator of a union: the member that the document names, or one with distinct values in each variant.

use std::collections::BTreeSet;

use super::VariantCase;
use crate::node::Node;
use crate::openapi::importer::Importer;
use crate::openapi::view::{Kind, View, component, expanded, view};

/// Maximum number of values of one variant.
const MAX_VALUES: usize = 16;

/// Maximum depth of nested unions with discriminators.
const MAX_DEPTH: usize = 4;

/// Returns the discriminator. The variants are named after its values; a variant with several values is split.
pub fn discriminator<'d>(
    importer: &Importer<'d>,
    whole: &View<'d>,
    cases: &mut Vec<VariantCase<'d>>,
) -> Option<String> {
    let written = whole.nodes.iter().find_map(|node| node.get("discriminator"));
    if let (Some(node), Some(member)) = (&written, written.as_ref().and_then(|node| node.text("propertyName"))) {
        node.report_unknown(&["propertyName", "mapping"]);
        if let Some(all) = named(importer, node, member, cases, MAX_DEPTH) {
            let known: BTreeSet<&str> = all.iter().flatten().map(String::as_str).collect();
            for (value, to) in node.entries("mapping") {
                let is_case = to.read_text().is_some_and(|to| cases.iter().any(|case| case.component == component(to)));
                if !is_case && !known.contains(value) {
                    to.loss("left out: it refers to none of the alternatives");
                }
            }
            let member = member.to_owned();
            split_cases(cases, all);
            return Some(member);
        }
    }
    let views: Vec<View<'d>> = cases.iter().map(|case| expanded(&importer.root, &case.nodes)).collect();
    let inferred = inferred(importer, &views);
    if let (Some(node), None) = (&written, &inferred) {
        node.whole_loss("left out: the member cannot have the values of all variants; their shapes distinguish them");
    }
    let (member, all) = inferred?;
    split_cases(cases, all);
    Some(member)
}

/// Returns the values of the declared discriminator, for each of the variants.
fn named<'d>(
    importer: &Importer<'d>,
    node: &Node<'d>,
    member: &str,
    cases: &[VariantCase<'d>],
    depth: usize,
) -> Option<Vec<Vec<String>>> {
    let mapping = node.entries("mapping");
    let target = |text: &str| component(text).unwrap_or(text).to_owned();
    let values = |case: &VariantCase<'d>| -> Option<Vec<String>> {
        let of = mapping.iter().filter_map(|(value, to)| Some(((*value).to_owned(), target(to.read_text()?))));
        let own: Vec<String> =
            of.filter(|(_, to)| Some(to.as_str()) == case.component).map(|(value, _)| value).collect();
        let own = if own.is_empty() { case.component.map(str::to_owned).into_iter().collect() } else { own };
        let view = expanded(&importer.root, &case.nodes);
        let Some((inner, variants)) = nested(importer, case, &view, depth) else {
            return own.iter().all(|value| can_be(importer, &view, member, value)).then_some(own);
        };
        if inner == member {
            // The values are those of the nested variants.
            return Some(variants.into_iter().flat_map(|(_, values)| values).collect());
        }
        let can_be = |value: &String| variants.iter().all(|(view, _)| can_be(importer, view, member, value));
        own.iter().all(can_be).then_some(own)
    };
    let all: Option<Vec<Vec<String>>> = cases.iter().map(values).collect();
    all.filter(|all| all.iter().all(|values| !values.is_empty()) && are_distinct(all))
}

/// Merged schema of a variant, and its values of the discriminator.
type Variant<'d> = (View<'d>, Vec<String>);

/// Returns the discriminator of a nested union, and its variants with their values.
fn nested<'d>(
    importer: &Importer<'d>,
    case: &VariantCase<'d>,
    view: &View<'d>,
    depth: usize,
) -> Option<(String, Vec<Variant<'d>>)> {
    let inner = match view.alternatives.is_empty() {
        false => super::cases(view)?,
        true => find_subtypes(importer, case.component?, view),
    };
    let node = view.nodes.iter().find_map(|node| node.get("discriminator")).filter(|_| depth > 0)?;
    let member = node.text("propertyName")?;
    let values = named(importer, &node, member, &inner, depth - 1).filter(|values| !values.is_empty())?;
    let views = inner.iter().map(|case| expanded(&importer.root, &case.nodes));
    Some((member.to_owned(), views.zip(values).collect()))
}

/// Replaces each case by one case for each of its discriminator values, which `all` has in the same order.
fn split_cases<'d>(cases: &mut Vec<VariantCase<'d>>, all: Vec<Vec<String>>) {
    let old = std::mem::take(cases);
    for (case, values) in old.into_iter().zip(all) {
        for key in values {
            cases.push(VariantCase { nodes: case.nodes.clone(), component: case.component, key: Some(key) });
        }
    }
}

/// Returns whether no value occurs twice, in one list or in several.
fn are_distinct(all: &[Vec<String>]) -> bool {
    let mut seen = BTreeSet::new();
    all.iter().flatten().all(|value| seen.insert(value))
}

/// Returns whether a member of an object can have a given text.
fn can_be<'d>(importer: &Importer<'d>, view: &View<'d>, member: &str, text: &str) -> bool {
    let is_object = view.alternatives.is_empty() && !view.properties.is_empty();
    let Some((_, nodes)) = view.properties.iter().find(|(name, _)| *name == member) else { return is_object };
    let held = expanded(&importer.root, nodes);
    let values = held.values.as_ref();
    is_object
        && values.map_or(held.kind() == Some(Kind::Text) && held.text("format").is_none(), |values| {
            values.iter().any(|value| value.value.text() == Some(text))
        })
}

/// Returns a member that every variant requires, with values that no other variant has.
fn inferred<'d>(importer: &Importer<'d>, views: &[View<'d>]) -> Option<(String, Vec<Vec<String>>)> {
    let first = views.first().filter(|_| views.len() > 1)?;
    // A base schema is a union itself.
    let is_base = |view: &View<'d>| view.nodes.first().is_some_and(|node| node.has("discriminator"));
    if views.iter().any(|view| !view.alternatives.is_empty() || view.properties.is_empty() || is_base(view)) {
        return None;
    }
    for (member, _) in &first.properties {
        let values = |view: &View<'d>| -> Option<Vec<String>> {
            let (_, nodes) = view.properties.iter().find(|(name, _)| name == member)?;
            let values = expanded(&importer.root, nodes).values?;
            let texts: Option<Vec<String>> = values.iter().map(|value| value.value.text().map(str::to_owned)).collect();
            texts.filter(|texts| view.required.contains(member) && (1..=MAX_VALUES).contains(&texts.len()))
        };
        let all: Option<Vec<Vec<String>>> = views.iter().map(values).collect();
        if let Some(all) = all.filter(|all| are_distinct(all)) {
            return Some(((*member).to_owned(), all));
        }
    }
    None
}

/// Returns the schemas that extend one with a discriminator and define nothing else that identifies them: each is a
/// variant.
pub fn find_subtypes<'d>(importer: &Importer<'d>, id: &str, whole: &View<'d>) -> Vec<VariantCase<'d>> {
    let is_base = |node: &Node<'d>| node.has("discriminator");
    if !whole.alternatives.is_empty() || whole.properties.is_empty() || !whole.nodes.first().is_some_and(is_base) {
        return Vec::new();
    }
    let case = |(name, node): &(&'d str, Node<'d>)| VariantCase {
        nodes: vec![node.clone()],
        component: Some(name),
        key: None,
    };
    let subtypes = importer.extensions.get(id).into_iter().flatten().map(case);
    let is_plain = |case: &VariantCase<'d>| {
        let view = view(&importer.root, &case.nodes);
        view.alternatives.is_empty() && !view.properties.is_empty()
    };
    subtypes.filter(is_plain).collect()
}
