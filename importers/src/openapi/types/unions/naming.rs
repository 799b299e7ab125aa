//! Names of variants without a discriminator.

use std::rc::Rc;

use super::VariantCase;
use crate::names;
use crate::openapi::importer::Importer;
use crate::openapi::view::{Kind, View, view};
use crate::value::Value;

/// Returns the name of a kind of values.
pub const fn kind_name(kind: Option<Kind>) -> &'static str {
    match kind {
        Some(Kind::Bool) => "flag",
        Some(Kind::Integer) => "count",
        Some(Kind::Number) => "number",
        Some(Kind::Text) => "text",
        Some(Kind::List) => "list",
        Some(Kind::Object) => "object",
        None => "value",
    }
}

/// Returns the name of a value by its listed values, if any: listed texts are words.
fn of_values(view: &View<'_>) -> &'static str {
    match view.values.iter().flatten().next().map(|value| value.value) {
        None => kind_name(view.kind()),
        Some(Value::Number(_)) => kind_name(view.kind().or(Some(Kind::Number))),
        Some(Value::Bool(_)) => kind_name(Some(Kind::Bool)),
        Some(_) => "word",
    }
}

/// Returns the names of variants: after the value of the discriminator, or after their types. If these are equal, each
/// is named after its distinguishing parts, unless these are equal, too.
pub fn names_of<'d>(importer: &Importer<'d>, cases: &[VariantCase<'d>], views: &[Rc<View<'d>>]) -> Vec<String> {
    let name =
        |(case, view): (&VariantCase<'_>, &Rc<View<'_>>)| case.key.clone().unwrap_or_else(|| variant_name(case, view));
    let plain: Vec<String> = cases.iter().zip(views).map(name).collect();
    let is_same = |at: usize, other: usize| plain[at] == plain[other];
    let hint = |at: usize| {
        let others: Vec<&View<'_>> =
            (0..views.len()).filter(|other| *other != at && is_same(at, *other)).map(|other| &*views[other]).collect();
        let is_free = others.is_empty() || cases[at].key.is_some() || cases[at].component.is_some();
        if is_free { None } else { hint(importer, &views[at], &others) }
    };
    let hints: Vec<Option<String>> = (0..cases.len()).map(hint).collect();
    let is_of_one = |hint: &&String| hints.iter().flatten().filter(|other| other == hint).count() == 1;
    let name = |(hint, plain_name): (&Option<String>, &String)| {
        let hint = hint.as_ref().filter(|hint| !plain.contains(hint)).filter(is_of_one);
        hint.unwrap_or(plain_name).clone()
    };
    hints.iter().zip(&plain).map(name).collect()
}

/// Returns what distinguishes a value from others of its kind.
fn hint(importer: &Importer<'_>, view: &View<'_>, others: &[&View<'_>]) -> Option<String> {
    let text = match (view.values.as_deref(), view.kind()) {
        (Some([only]), _) => only.value.text()?.to_owned(),
        (Some(_), _) => return None,
        (None, Some(Kind::List)) => format!("{}-list", element(importer, view)?),
        (None, Some(Kind::Object)) => member(importer, view, others)?,
        (None, _) => view.text("format")?.to_owned(),
    };
    Some(names::kebab(&text)).filter(|hint| hint.starts_with(|c: char| c.is_ascii_lowercase()))
}

/// Returns the name of the elements of a list.
fn element(importer: &Importer<'_>, list: &View<'_>) -> Option<String> {
    let held = view(&importer.root, &list.items);
    let name = held.named.or_else(|| held.text("format"));
    name.map(str::to_owned).or_else(|| Some(kind_name(Some(held.kind()?)).to_owned()))
}

/// Returns the constant value of a required member, or the first required member that no other variant requires.
fn member(importer: &Importer<'_>, object: &View<'_>, others: &[&View<'_>]) -> Option<String> {
    let constants = object.properties.iter().filter(|(name, _)| object.required.contains(name));
    let constant = constants.filter_map(|(_, nodes)| match view(&importer.root, nodes).values?.as_slice() {
        [only] => only.value.text().map(str::to_owned),
        _ => None,
    });
    let is_in = |other: &View<'_>, name: &str| other.properties.iter().any(|(own, _)| *own == name);
    let names = || object.properties.iter().map(|(name, _)| *name);
    let required = || {
        names().find(|name| object.required.contains(name) && !others.iter().any(|other| other.required.contains(name)))
    };
    let own = || names().find(|name| !others.iter().any(|other| is_in(other, name)));
    constant.into_iter().next().or_else(|| Some(format!("with-{}", required().or_else(own)?)))
}

/// Returns the name of a variant without a discriminator.
fn variant_name(case: &VariantCase<'_>, view: &View<'_>) -> String {
    let name = case.component.or_else(|| view.text("title"));
    if let (Some(name), Some(node)) = (name.filter(|name| names::is_truncated(name)), case.nodes.last()) {
        let (short, name) = (names::kebab(name), name.escape_debug());
        node.note_once(
            &format!("variant {name}"),
            format!("the name `{name}` of the variant is shortened to `{short}`"),
        );
    }
    let named = name.map(names::kebab);
    named.filter(|named| !named.is_empty()).unwrap_or_else(|| of_values(view).to_owned())
}
