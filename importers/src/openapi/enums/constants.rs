//! Constants: lists with a single value.

use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::yaml::{Style, Value as Written};

use super::listed::ListedValue;
use crate::lowering::Key;
use crate::node::Node;
use crate::number::Number;
use crate::openapi::constraints::{is_within, literal};
use crate::openapi::form::Form;
use crate::openapi::importer::Importer;
use crate::openapi::scalars;
use crate::openapi::view::{Kind, View};
use crate::value::Value;

/// Returns the type of a constant integer.
pub fn constant<'d>(importer: &mut Importer<'d>, view: &View<'d>, node: &Node<'d>, only: &ListedValue<'d>) -> Form<'d> {
    let otherwise = if only.number == Some("double") { Kind::Number } else { Kind::Integer };
    let mut form = scalars::form(importer, view, node, view.kind().unwrap_or(otherwise));
    match literal(&only.wire, &form.inner, false) {
        Some(number) => form.keys.constant = Some(number.to_raw()),
        None => node.loss(format!("`{}` is left out: it is not a number of this type", only.wire)),
    }
    within_limits(importer, form, node)
}

/// Removes limits of a constant, which are redundant unless the value violates them.
pub fn within_limits<'d>(importer: &Importer<'d>, mut form: Form<'d>, node: &Node<'d>) -> Form<'d> {
    let Some(only) = form.keys.constant.clone().filter(|_| !importer.is_generated) else { return form };
    if !is_within(node, &only.0, &form) {
        node.loss("the constraints are left out: the constant violates them");
    }
    form.keys.without(&[Key::Min, Key::Max, Key::MultipleOf, Key::Length, Key::Pattern]);
    form
}

/// Returns the type of a value with listed numbers that an enum cannot represent.
pub fn numbers<'d>(importer: &mut Importer<'d>, view: &View<'d>, node: &Node<'d>, values: &[&Value]) -> Form<'d> {
    let mut form = scalars::form(importer, view, node, view.kind().unwrap_or(Kind::Number));
    match values {
        [Value::Number(only)] => match literal(only, &form.inner, false) {
            Some(number) => form.keys.constant = Some(number.to_raw()),
            None => node.loss(format!("`{}` is left out: it is not a number of this type", only.escape_debug())),
        },
        _ => node.loss("the list of values is left out: no enum type can represent these numbers"),
    }
    within_limits(importer, form, node)
}

/// Converts a constant to a pattern where constants are not allowed.
pub fn constant_as_pattern(form: &mut Form<'_>, node: &Node<'_>) {
    let Some(constant) = form.keys.constant.take() else { return };
    form.keys.is_constant = true;
    if let Some(number) = Number::of_raw(&constant) {
        form.keys.min = Some(number.to_raw());
        form.keys.max = Some(number.to_raw());
    } else {
        form.keys.pattern = as_pattern(&constant).map(Into::into);
        if form.keys.pattern.is_none() {
            node.loss("`const` is left out: supported for fields only");
        }
    }
}

/// Returns the pattern that only a constant text matches.
pub fn as_pattern(constant: &Raw) -> Option<String> {
    if let Written::Scalar(text, Style::Text) = &constant.0.value { Some(escaped(text)) } else { None }
}

/// Returns the pattern that only a text matches.
pub fn escaped(text: &str) -> String {
    let special = |c: char| "\\.+*?()|[]{}^$#&-~".contains(c);
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}
