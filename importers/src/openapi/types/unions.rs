//! `oneOf` and `anyOf`: split enums, conditions, and values of several types.

mod discriminator;
mod naming;
mod texts;

pub use discriminator::find_subtypes;
pub use naming::kind_name;
use naming::names_of;
use texts::texts;

use std::rc::Rc;

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::Named;
use wireform_codegen::schema::Union;
use wireform_codegen::schema::types::TypeExpr;
use wireform_codegen::schema::union::{Variant, VariantDef};

use super::{self as types, uploads};
use crate::lowering::{DefinitionPath, Key, deprecated, text};
use crate::names::{self, NameScope};
use crate::node::Node;
use crate::openapi::enums::{self, ListedValue};
use crate::openapi::form::Form;
use crate::openapi::importer::Importer;
use crate::openapi::limits::{are_conditions_or_limits, is_expressible, is_list_of_conditions};
use crate::openapi::reimport;
use crate::openapi::view::{AdditionalMembers, Description, Kind, View, expanded};
use crate::value_kind::ValueKind;

/// Meaning of alternatives.
pub enum Alternatives<'d> {
    /// No alternatives, or only conditions.
    None,
    /// Lists of texts with descriptions.
    Texts(Vec<ListedValue<'d>>),
    /// This alternative, which accepts the values that others list.
    Free(Node<'d>),
    /// Values of several types.
    Types,
}

/// Classifies the alternatives of a schema.
pub fn alternatives<'d>(importer: &Importer<'d>, whole: &View<'d>) -> Alternatives<'d> {
    let lists: Vec<&Vec<Node<'d>>> = whole.alternatives.iter().collect();
    if let Some(values) = whole.nodes.first().filter(|_| importer.is_generated).and_then(reimport::values) {
        return Alternatives::Texts(values);
    }
    if lists.iter().all(|list| are_conditions_or_limits(list, whole)) {
        return Alternatives::None;
    }
    if let [list] = lists.as_slice()
        && whole.properties.is_empty()
        && let Some(texts) = texts(importer, list)
    {
        return texts;
    }
    Alternatives::Types
}

/// Returns the type of a value with alternatives; `None` if the alternatives do not define one.
pub fn form<'d>(
    importer: &mut Importer<'d>,
    whole: &View<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
) -> Option<Form<'d>> {
    match alternatives(importer, whole) {
        Alternatives::None => {
            limits(importer, whole);
            None
        }
        Alternatives::Texts(listed) => Some(enums::write(importer, whole, listed, place, None)),
        Alternatives::Free(free) => {
            for listed in whole.alternatives.iter().flatten().filter(|one| one.at != free.at) {
                listed.whole_note("its values are left out: another alternative accepts every value of the type");
            }
            Some(types::form(importer, &[free], place, 0))
        }
        Alternatives::Types => Some(match uploads::one_of(importer, whole, place) {
            Some(files) => files,
            None => union(importer, whole, node, place, None),
        }),
    }
}

/// Reports alternatives that only define limits. Those that define combinations of members become rules of the resource.
pub fn limits(importer: &Importer<'_>, whole: &View<'_>) {
    for list in whole.alternatives.iter().filter(|list| importer.is_generated || !is_list_of_conditions(list, whole)) {
        let is_expressed = importer.is_generated || is_expressible(list);
        for node in list {
            if is_expressed {
                node.mark_used();
            } else {
                node.whole_loss("left out: alternatives of constraints are not supported");
            }
        }
    }
}

/// Variant: its schemas and its name.
pub struct VariantCase<'d> {
    /// Schemas, the alternative last.
    pub nodes: Vec<Node<'d>>,
    /// Named schema of the variant.
    pub component: Option<&'d str>,
    /// True if the type of the variant is not that of the named schema alone: keywords next to the alternatives apply
    /// too, or the named schema is the union.
    pub is_inline: bool,
    /// Value of the discriminator.
    pub key: Option<String>,
}

/// Returns the variants of a schema. Keywords next to the alternatives apply to each of them.
fn cases<'d>(root: &Node<'d>, whole: &View<'d>) -> Option<Vec<VariantCase<'d>>> {
    let [list] = whole.alternatives.as_slice() else { return None };
    let has_base = !whole.properties.is_empty()
        || !whole.required.is_empty()
        || matches!(whole.additional, AdditionalMembers::Typed(_));
    let base: Vec<Node<'d>> = whole.nodes.iter().map(Node::without_alternatives).collect();
    let case = |node: &Node<'d>| {
        let component = node.component();
        let is_inline = has_base && !includes(root, node, &base);
        let mut nodes = if is_inline { base.clone() } else { Vec::new() };
        nodes.push(node.clone());
        VariantCase { nodes, component, is_inline, key: None }
    };
    Some(list.iter().map(case).collect())
}

/// Returns whether an alternative already includes the schemas whose alternative it is, as a subtype does by `allOf`.
fn includes<'d>(root: &Node<'d>, node: &Node<'d>, base: &[Node<'d>]) -> bool {
    let own = expanded(root, std::slice::from_ref(node));
    base.iter().all(|base| own.nodes.iter().any(|own| std::ptr::eq(own.value, base.value)))
}

/// Writes a union; a named union with a single variant stays a union.
pub fn union<'d>(
    importer: &mut Importer<'d>,
    whole: &View<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    name: Option<&str>,
) -> Form<'d> {
    match cases(&importer.root, whole) {
        Some(cases) => union_of(importer, whole, node, place, name, cases),
        None => {
            node.whole_loss("becomes `any`: several lists of alternatives at once are not supported");
            fallback(importer, place, name)
        }
    }
}

/// Writes a union of these variants.
pub fn union_of<'d>(
    importer: &mut Importer<'d>,
    whole: &View<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    name: Option<&str>,
    mut cases: Vec<VariantCase<'d>>,
) -> Form<'d> {
    let mut member = discriminator::discriminator(importer, whole, &mut cases);
    let type_name = name.map_or_else(|| importer.lowering.type_name(&place.name), str::to_owned);
    let inner = DefinitionPath { name: type_name.clone(), ..place.clone() };
    let mut typed = variants(importer, cases, &inner, member.is_some());
    let is_object =
        |form: &Form<'_>| matches!(form.inner, ValueKind::Other | ValueKind::Union) && form.collection.is_none();
    if member.is_some() && !typed.iter().all(|(_, form)| is_object(form)) {
        node.loss("the discriminator is left out: a variant is not an object with known members");
        member = None;
        typed = merge_equal(typed);
    }
    if typed.iter().any(|(_, form)| form.is("any")) {
        node.loss("becomes `any`: one of its alternatives is `any`");
        typed.retain(|(_, form)| form.is("any"));
    }
    write_union(importer, whole, place, &type_name, member, typed, name.is_some())
}

/// Merges variants of the same type, which only a discriminator could distinguish.
fn merge_equal(typed: Vec<(String, Form<'_>)>) -> Vec<(String, Form<'_>)> {
    let mut merged: Vec<(String, Form<'_>)> = Vec::new();
    for (key, form) in typed {
        let is_same = |other: &Form<'_>| other.ty == form.ty && other.keys.encoding == form.keys.encoding;
        match merged.iter_mut().find(|(_, other)| is_same(other)) {
            Some((_, other)) => other.nullable |= form.nullable,
            None => merged.push((key, form)),
        }
    }
    merged
}

/// Returns `any`, or a union with this name whose only variant is `any`.
fn fallback<'d>(importer: &mut Importer<'d>, place: &DefinitionPath, name: Option<&str>) -> Form<'d> {
    let Some(name) = name else { return Form::any() };
    let value = VariantDef { ty: TypeExpr::named("any"), ..VariantDef::default() };
    let variants = [("value", Variant(value))].into_iter().collect();
    importer.lowering.add(place, name.to_owned(), Union { variants, ..Union::default() });
    Form::union(name)
}

/// Returns the types of the variants; of equal ones without a discriminator only the first stays.
fn variants<'d>(
    importer: &mut Importer<'d>,
    cases: Vec<VariantCase<'d>>,
    place: &DefinitionPath,
    has_discriminator: bool,
) -> Vec<(String, Form<'d>)> {
    let mut typed: Vec<(String, Form<'d>)> = Vec::new();
    let views: Vec<Rc<View<'d>>> = cases.iter().map(|case| importer.view(&case.nodes)).collect();
    let keys = names_of(importer, &cases, &views);
    for ((case, view), key) in cases.into_iter().zip(views).zip(keys) {
        // The schema that the others extend, and not one that combines several.
        let is_base = case.is_inline && case.nodes.len() == 1;
        let part = place.inner(if is_base { "Base" } else { &key });
        let mut form = match enums::listed_values(&view).filter(|_| view.named.is_none()) {
            // An enum of one value is distinguished from other texts by the value.
            Some(listed) => enums::write(importer, &view, listed, &part, None),
            None => match (case.component, case.nodes.last()) {
                (Some(component), Some(node)) if !case.is_inline => super::reference(importer, node, component),
                _ => super::form(importer, &case.nodes, &part, 0),
            },
        };
        let default = form.first("default").and_then(|node| node.get("default"));
        default.iter().for_each(|default| default.whole_loss("left out: variants of a union have no default"));
        let own = form.keys.retain(&[Key::Encoding]);
        let same = typed
            .iter_mut()
            .find(|(_, other)| !has_discriminator && other.ty == form.ty && other.keys.encoding == form.keys.encoding);
        if let (Some(node), false, None) = (case.nodes.last(), own.is_empty(), &same) {
            node.loss(format!("`{}` is left out: not supported for variants of a union", own.join("`, `")));
        }
        if form.is(&place.name) {
            continue;
        }
        match same {
            Some((_, other)) => other.nullable |= form.nullable,
            None => typed.push((key, form)),
        }
    }
    typed
}

/// Returns the type of a value of several kinds.
pub fn of_kinds<'d>(
    importer: &mut Importer<'d>,
    whole: &View<'d>,
    node: &Node<'d>,
    place: &DefinitionPath,
    depth: usize,
    mut kinds: std::collections::BTreeSet<Kind>,
) -> Form<'d> {
    if kinds.contains(&Kind::Number) {
        kinds.remove(&Kind::Integer);
    }
    if kinds.len() == 6 || kinds.len() == 5 && !kinds.contains(&Kind::Integer) {
        // All kinds except null, which can be added.
        return Form::any();
    }
    uploads::report_file_variant(importer, whole, node);
    let name = importer.lowering.type_name(&place.name);
    let inner = DefinitionPath { name: name.clone(), ..place.clone() };
    let mut typed = Vec::new();
    for kind in kinds {
        let view = View { kinds: Some([kind].into()), is_variant: true, ..whole.clone() };
        let mut form = super::of_kind(importer, &view, node, &inner.inner(kind_name(Some(kind))), depth, kind);
        let lost = form.keys.retain(&[Key::Encoding]);
        if !lost.is_empty() {
            node.loss(format!("`{}` is left out: not supported for variants of a union", lost.join("`, `")));
        }
        typed.push((kind_name(Some(kind)).to_owned(), form));
    }
    write_union(importer, whole, place, &name, None, typed, false)
}

/// Defines a union with the variants in `typed`, and returns its use. A single variant needs no union if unnamed.
pub fn write_union<'d>(
    importer: &mut Importer<'d>,
    whole: &View<'d>,
    place: &DefinitionPath,
    name: &str,
    member: Option<String>,
    typed: Vec<(String, Form<'d>)>,
    has_name: bool,
) -> Form<'d> {
    let nullable = typed.iter().any(|(_, form)| form.nullable);
    if let ([(_, only)], false) = (typed.as_slice(), has_name) {
        return Form { nullable, ..only.clone() };
    }
    if typed.is_empty() {
        return fallback(importer, place, has_name.then_some(name));
    }
    let mut taken = NameScope::with(&["Unknown"]);
    let (mut keys, mut all) = (std::collections::BTreeSet::new(), Named::default());
    for (key, form) in typed {
        let mut unique = key.clone();
        let mut number = 1;
        while !keys.insert(unique.clone()) {
            number += 1;
            unique = format!("{key}-{number}");
        }
        let rust = taken.explicit_name(&unique, Casing::Type, "variant", names::ident);
        let is_named = matches!(form.inner, ValueKind::Other | ValueKind::Union) && form.collection.is_none();
        let doc = form.doc.as_ref().filter(|_| !is_named).and_then(Description::text);
        let variant = VariantDef {
            ty: form.ty,
            encoding: form.keys.encoding,
            name: text(rust),
            doc: text(doc),
            ..VariantDef::default()
        };
        all.push(unique, Variant(variant));
    }
    let union = Union {
        doc: text(whole.doc()),
        discriminator: text(member),
        variants: all,
        deprecated: deprecated(whole.flag("deprecated")),
        ..Union::default()
    };
    if let Some(node) = whole.nodes.first() {
        node.set_definition(name);
    }
    importer.lowering.add(place, name.to_owned(), union);
    Form { nullable, ..Form::union(name) }
}
