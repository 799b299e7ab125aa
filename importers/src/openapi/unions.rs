//! `oneOf` and `anyOf`: enums in several parts, conditions, and values of several types.

use super::draft::{Draft, Place};
use super::enums::{self, Listed};
use super::node::Node;
use super::own;
use super::types::Form;
use super::view::{Kind, View, view};
use crate::prose;

/// What alternatives are.
pub enum Alternatives<'d> {
    /// There are none, or none that is more than a condition.
    None,
    /// Lists of texts, of which each says what it means.
    Texts(Vec<Listed<'d>>),
    /// Values of several types.
    Types,
}

/// Looks at the alternatives of a schema.
pub fn alternatives<'d>(draft: &Draft<'d>, whole: &View<'d>) -> Alternatives<'d> {
    let lists: Vec<&Vec<Node<'d>>> = whole.alternatives.iter().collect();
    if let Some(values) = whole.nodes.first().filter(|_| draft.own).and_then(own::values) {
        return Alternatives::Texts(values);
    }
    if lists.iter().all(|list| list.iter().all(|one| is_condition(one, whole))) {
        return Alternatives::None;
    }
    if let [list] = lists.as_slice()
        && whole.properties.is_empty()
        && let Some(texts) = texts(draft, list)
    {
        return Alternatives::Texts(texts);
    }
    Alternatives::Types
}

/// Whether an alternative says which members there are, and nothing about them that the whole does not.
fn is_condition(node: &Node<'_>, whole: &View<'_>) -> bool {
    let only = ["required", "properties", "not", "title", "description", "type"];
    let plain = node.value.get("required").is_some()
        && node.members().iter().all(|(key, _)| only.contains(key) || key.starts_with("x-"));
    plain
        && !whole.properties.is_empty()
        && node.entries("properties").iter().all(|(name, _)| whole.properties.iter().any(|(own, _)| own == name))
}

/// The values of alternatives that are lists of texts; any other text may be one of them, since enums are open.
fn texts<'d>(draft: &Draft<'d>, list: &[Node<'d>]) -> Option<Vec<Listed<'d>>> {
    let mut found: Vec<Listed<'d>> = Vec::new();
    for node in list {
        let mut one = view(&draft.root, std::slice::from_ref(node));
        if let Some(name) = one.named {
            let target = node.target(&draft.root, &format!("{}{name}", super::view::SCHEMAS))?;
            one = view(&draft.root, &[target]);
        }
        let Some(values) = enums::listed(&one) else {
            let is_free = one.kind() == Some(Kind::Text)
                && one.alternatives.is_empty()
                && ["format", "pattern", "minLength", "maxLength"].iter().all(|key| one.first(key).is_none());
            if is_free && one.values.is_none() {
                continue;
            }
            return None;
        };
        let doc = one.text("description").or_else(|| one.text("title")).and_then(prose::paragraph);
        let deprecated = one.flag("deprecated");
        let alone = values.len() == 1;
        for value in values {
            if found.iter().all(|known| known.wire != value.wire) {
                let doc = value.doc.clone().or_else(|| doc.clone().filter(|_| alone));
                found.push(Listed { doc, deprecated, ..value });
            }
        }
    }
    (!found.is_empty()).then_some(found)
}

/// The type of a value that is one of several; nothing where the alternatives do not say so.
pub fn form<'d>(
    draft: &mut Draft<'d>,
    whole: &View<'d>,
    node: &Node<'d>,
    place: &Place,
    _depth: usize,
) -> Option<Form<'d>> {
    match alternatives(draft, whole) {
        Alternatives::None => {
            conditions(whole);
            None
        }
        Alternatives::Texts(listed) => Some(enums::write(draft, whole, listed, place, None)),
        Alternatives::Types => {
            node.loss("becomes `any`: a value of several types has no place in a schema yet");
            Some(Form::any())
        }
    }
}

/// Tells of alternatives that say which members go together.
pub fn conditions(whole: &View<'_>) {
    for list in &whole.alternatives {
        for node in list {
            node.loss("left out: which members go together has no place in a schema");
        }
    }
}
