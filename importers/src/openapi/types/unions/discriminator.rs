//! Discriminator of a union: the member that the document names, or one with distinct values in each variant.

use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

use super::VariantCase;
use crate::node::Node;
use crate::openapi::importer::Importer;
use crate::openapi::view::{Kind, View};
use crate::value::Value;

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
        let declared = cases.len();
        add_mapped_subtypes(importer, &node.entries("mapping"), cases);
        if let Some(all) = named(importer, node, member, cases, MAX_DEPTH) {
            let known: BTreeSet<&str> = all.iter().flatten().map(String::as_str).collect();
            for (value, to) in node.entries("mapping") {
                let name = mapped(&to);
                let is_case = name.is_some() && cases.iter().any(|case| case.component == name);
                if !is_case && !known.contains(value) {
                    to.loss("left out: it refers to none of the alternatives");
                }
            }
            let member = member.to_owned();
            split_cases(cases, all);
            return Some(member);
        }
        cases.truncate(declared);
    }
    let views: Vec<Rc<View<'d>>> = cases.iter().map(|case| importer.expanded(&case.nodes)).collect();
    let inferred = inferred(importer, &views);
    if let (Some(node), None) = (&written, &inferred) {
        node.whole_loss("left out: the member cannot have the values of all variants; a value is decoded as the variant whose schema it satisfies");
    }
    let (member, all) = inferred?;
    split_cases(cases, all);
    Some(member)
}

/// Returns the schema that a value of the discriminator stands for: by its name, or a reference to it.
fn mapped<'d>(to: &Node<'d>) -> Option<&'d str> {
    to.mark_read();
    mapped_name(to.value)
}

/// Returns the name of the schema that an entry of a mapping names or refers to.
fn mapped_name(to: &Value) -> Option<&str> {
    match to {
        Value::Reference(reference) => reference.component("schemas"),
        name => name.text(),
    }
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
    let values = |case: &VariantCase<'d>| -> Option<Vec<String>> {
        let of = mapping.iter().filter(|(_, to)| case.component.is_some() && mapped(to) == case.component);
        let own: Vec<String> = of.map(|(value, _)| (*value).to_owned()).collect();
        let view = importer.expanded(&case.nodes);
        let own = if own.is_empty() { implicit(importer, case, &view, member) } else { own };
        let nested = if case.is_inline { None } else { nested(importer, case, &view, depth) };
        let Some((inner, variants)) = nested else {
            return own.iter().all(|value| can_be(importer, &view, member, value, true)).then_some(own);
        };
        if inner == member {
            // The values are those of the nested variants.
            return Some(variants.into_iter().flat_map(|(_, values)| values).collect());
        }
        let can_be = |value: &String| variants.iter().all(|(view, _)| can_be(importer, view, member, value, false));
        own.iter().all(can_be).then_some(own)
    };
    let all: Option<Vec<Vec<String>>> = cases.iter().map(values).collect();
    let kinds = cases.iter().filter_map(|case| tag_kind(importer, &importer.expanded(&case.nodes), member));
    let kinds: BTreeSet<Kind> = kinds.collect();
    let is_nested = |case: &VariantCase<'d>| {
        let view = importer.expanded(&case.nodes);
        let has_subtypes = |id| !find_subtypes(importer, id, &view).is_empty();
        !view.alternatives.is_empty() || !case.is_inline && case.component.is_some_and(has_subtypes)
    };
    let is_supported =
        kinds.len() <= 1 && (kinds.iter().all(|kind| *kind == Kind::Text) || !cases.iter().any(is_nested));
    all.filter(|all| is_supported && all.iter().all(|values| !values.is_empty()) && are_distinct(all))
}

/// Returns the values of a variant that no mapping names: the name of its schema, unless the member lists others.
fn implicit<'d>(importer: &Importer<'d>, case: &VariantCase<'d>, view: &View<'d>, member: &str) -> Vec<String> {
    let name = case.component.map(|name| importer.wire_name(name));
    let fitting = name.filter(|name| can_be(importer, view, member, name, false));
    let listed = || {
        let (_, nodes) = view.properties.iter().find(|(name, _)| *name == member)?;
        let values = importer.expanded(nodes).values.clone()?;
        let texts: Option<Vec<String>> = values.iter().map(|value| tag_text(value.value)).collect();
        texts.filter(|texts| (1..=MAX_VALUES).contains(&texts.len()))
    };
    match fitting {
        Some(name) => vec![name.to_owned()],
        None => listed().or_else(|| Some(vec![name?.to_owned()])).unwrap_or_default(),
    }
}

/// Returns the text of a value of a discriminator: a string, an integer or a boolean.
fn tag_text(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Number(text) => text.parse::<i64>().ok().map(|number| number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Returns the kind of the values of a member that a discriminator can be; `None` if the schema does not declare it.
fn tag_kind<'d>(importer: &Importer<'d>, view: &View<'d>, member: &str) -> Option<Kind> {
    let (_, nodes) = view.properties.iter().find(|(name, _)| *name == member)?;
    let held = importer.expanded(nodes);
    held.kind().or_else(|| {
        Some(match held.values.as_ref()?.first()?.value {
            Value::Bool(_) => Kind::Bool,
            Value::Number(_) => Kind::Integer,
            _ => Kind::Text,
        })
    })
}

/// Merged schema of a variant, and its values of the discriminator.
type Variant<'d> = (Rc<View<'d>>, Vec<String>);

/// Returns the discriminator of a nested union, and its variants with their values.
fn nested<'d>(
    importer: &Importer<'d>,
    case: &VariantCase<'d>,
    view: &View<'d>,
    depth: usize,
) -> Option<(String, Vec<Variant<'d>>)> {
    let inner = match view.alternatives.is_empty() {
        false => super::cases(&importer.root, view)?,
        true => find_subtypes(importer, case.component?, view),
    };
    let node = view.nodes.iter().find_map(|node| node.get("discriminator")).filter(|_| depth > 0)?;
    let member = node.text("propertyName")?;
    let values = named(importer, &node, member, &inner, depth - 1).filter(|values| !values.is_empty())?;
    let views = inner.iter().map(|case| importer.expanded(&case.nodes));
    Some((member.to_owned(), views.zip(values).collect()))
}

/// Replaces each case by one case for each of its discriminator values, which `all` has in the same order.
fn split_cases<'d>(cases: &mut Vec<VariantCase<'d>>, all: Vec<Vec<String>>) {
    let old = std::mem::take(cases);
    for (case, values) in old.into_iter().zip(all) {
        for key in values {
            cases.push(VariantCase { nodes: case.nodes.clone(), key: Some(key), ..case });
        }
    }
}

/// Returns whether no value occurs twice, in one list or in several.
fn are_distinct(all: &[Vec<String>]) -> bool {
    let mut seen = BTreeSet::new();
    all.iter().flatten().all(|value| seen.insert(value))
}

/// Returns whether a member of an object can have a given text as its value; with `any_kind`, also an integer or a
/// boolean with this text.
fn can_be<'d>(importer: &Importer<'d>, view: &View<'d>, member: &str, text: &str, any_kind: bool) -> bool {
    let is_object = view.alternatives.is_empty() && !view.properties.is_empty();
    let Some((_, nodes)) = view.properties.iter().find(|(name, _)| *name == member) else { return is_object };
    let held = importer.expanded(nodes);
    let format = held.text("format");
    let is_whole = || format.is_none_or(|format| format.starts_with("int") || format.starts_with("uint"));
    let fits = match (tag_kind(importer, view, member), &held.values) {
        (Some(Kind::Text), Some(values)) => values.iter().any(|value| value.value.text() == Some(text)),
        (Some(Kind::Text), None) => format.is_none(),
        (Some(Kind::Bool | Kind::Integer), _) if !any_kind || !is_whole() => false,
        (Some(Kind::Bool | Kind::Integer), Some(values)) => {
            values.iter().any(|value| tag_text(value.value).is_some_and(|value| value == text))
        }
        (Some(Kind::Bool), None) => matches!(text, "true" | "false"),
        (Some(Kind::Integer), None) => text.parse::<i64>().is_ok_and(|value| value.to_string() == text),
        _ => false,
    };
    is_object && !held.nullable && fits
}

/// Returns a member that every variant requires, with values that no other variant has.
fn inferred<'d>(importer: &Importer<'d>, views: &[Rc<View<'d>>]) -> Option<(String, Vec<Vec<String>>)> {
    let first = views.first().filter(|_| views.len() > 1)?;
    // A base schema is a union itself.
    let is_base = |view: &Rc<View<'d>>| view.nodes.first().is_some_and(|node| node.has("discriminator"));
    if views.iter().any(|view| !view.alternatives.is_empty() || view.properties.is_empty() || is_base(view)) {
        return None;
    }
    for (member, _) in &first.properties {
        let values = |view: &Rc<View<'d>>| -> Option<Vec<String>> {
            let (_, nodes) = view.properties.iter().find(|(name, _)| name == member)?;
            let held = importer.expanded(nodes);
            let values = held.values.as_ref().filter(|_| !held.nullable)?;
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

/// Returns the schemas that extend one with a discriminator, also through others, and define nothing else that
/// identifies them: each is a variant. So is the schema itself, unless a mapping leaves it out.
pub fn find_subtypes<'d>(importer: &Importer<'d>, id: &'d str, whole: &View<'d>) -> Vec<VariantCase<'d>> {
    let Some(base) = whole.nodes.first().filter(|node| node.has("discriminator")) else { return Vec::new() };
    if !whole.alternatives.is_empty() || whole.properties.is_empty() {
        return Vec::new();
    }
    let case = |(name, node): (&'d str, Node<'d>)| {
        let mut nodes = vec![node];
        // A subtype without members of its own would be the schema that it extends, which is the union.
        let is_inline = importer.view(&nodes).named.is_some();
        nodes.extend(is_inline.then(|| base.clone()));
        let view = importer.view(&nodes);
        let is_plain = view.alternatives.is_empty() && !view.properties.is_empty();
        is_plain.then_some(VariantCase { nodes, component: Some(name), is_inline, key: None })
    };
    let mut subtypes: Vec<VariantCase<'d>> = descendants(importer, id).into_iter().filter_map(case).collect();
    remove_unmapped(importer, base, &mut subtypes);
    if !subtypes.is_empty() && is_own_value(base, id) {
        subtypes.push(VariantCase { nodes: vec![base.clone()], component: Some(id), is_inline: true, key: None });
    }
    subtypes
}

/// Removes and reports the subtypes for which the discriminator of their base has no value: the mapping has none, and
/// their names cannot be values.
fn remove_unmapped<'d>(importer: &Importer<'d>, base: &Node<'d>, cases: &mut Vec<VariantCase<'d>>) {
    let Some(discriminator) = base.get("discriminator") else { return };
    let (member, mapping) = (discriminator.text_if("propertyName"), discriminator.value.get("mapping"));
    let (Some(member), Some(Value::Object(mapping))) = (member, mapping) else { return };
    let mapped: BTreeSet<&str> = mapping.iter().filter_map(|(_, to)| mapped_name(to)).collect();
    cases.retain(|case| {
        let is_mapped = case.component.is_some_and(|name| mapped.contains(name));
        let Some(node) = case.nodes.first().filter(|node| !is_mapped && !node.has("discriminator")) else {
            return true;
        };
        let view = importer.expanded(&case.nodes);
        let values = implicit(importer, case, &view, member);
        // A value that the mapping has is inherited from the schema that it stands for.
        let is_own = |value: &String| {
            can_be(importer, &view, member, value, true) && mapping.iter().all(|(known, _)| known != value)
        };
        let has_values = mapping.is_empty() || values.iter().all(is_own);
        if !has_values {
            node.loss("the schema is not a variant of the union: the discriminator has no value for it");
        }
        has_values
    });
}

/// Returns whether objects of a schema with a discriminator can be of that schema itself: its mapping names it, or
/// there is no mapping, so that its name is a value like those of its subtypes.
fn is_own_value(base: &Node<'_>, id: &str) -> bool {
    let mapping = base.value.get("discriminator").and_then(|discriminator| discriminator.get("mapping"));
    match mapping {
        Some(Value::Object(values)) if !values.is_empty() => {
            values.iter().filter_map(|(_, to)| mapped_name(to)).any(|to| to == id)
        }
        _ => true,
    }
}

/// Returns the schemas that extend one, nearest first. Those with a discriminator have their own subtypes.
fn descendants<'d>(importer: &Importer<'d>, id: &'d str) -> Vec<(&'d str, Node<'d>)> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::from([id]));
    let mut open = VecDeque::from([id]);
    while let Some(next) = open.pop_front() {
        for (name, node) in importer.extensions.get(next).into_iter().flatten() {
            if seen.insert(name) {
                found.push((*name, node.clone()));
                open.extend((!node.has("discriminator")).then_some(*name));
            }
        }
    }
    found
}

/// Adds the schemas to which a mapping leads and that extend one of the alternatives: objects of these are also objects
/// of the alternative.
fn add_mapped_subtypes<'d>(importer: &Importer<'d>, mapping: &[(&'d str, Node<'d>)], cases: &mut Vec<VariantCase<'d>>) {
    let bases: Vec<&'d str> = cases.iter().filter_map(|case| case.component).collect();
    let is_known = |cases: &[VariantCase<'d>], name: &str| cases.iter().any(|case| case.component == Some(name));
    let mut below: Vec<(&'d str, Node<'d>)> = Vec::new();
    for to in mapping.iter().filter_map(|(_, to)| mapped(to)) {
        if is_known(cases, to) || !importer.targets.contains_key(to) {
            continue;
        }
        if below.is_empty() {
            below = bases.iter().flat_map(|base| descendants(importer, base)).collect();
        }
        if let Some((name, node)) = below.iter().find(|(name, _)| *name == to) {
            let nodes = vec![node.clone()];
            cases.push(VariantCase { nodes, component: Some(name), is_inline: false, key: None });
        }
    }
}
