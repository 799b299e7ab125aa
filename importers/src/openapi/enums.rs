//! Conversion of lists of values to enums, constants and similar types.

mod constants;
mod limits;
mod listed;

use wireform_codegen::resolve::is_lexical;
use wireform_codegen::resolve::names::Casing;
use wireform_codegen::schema::EnumDef;
use wireform_codegen::schema::Named;
use wireform_codegen::schema::enums::{EnumType, EnumValue};
use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::shape::Short;
use wireform_codegen::schema::yaml::Node as Yaml;

use super::constraints;
use super::form::Form;
use super::importer::{EnumKey, Importer};
use super::reimport;
use super::scalars;
use super::view::View;
use crate::lowering::{DefinitionPath, deprecated, text};
use crate::names::{self, NameScope};
use crate::node::Node;
use crate::value::Value;
use crate::value_kind::ValueKind;
pub use constants::{as_pattern, constant_as_pattern, escaped};
use constants::{constant, within_limits};
pub use listed::{ListedValue, json, listed_values};

/// Returns the type of a value whose possible values are listed.
pub fn form<'d>(importer: &mut Importer<'d>, view: &View<'d>, node: &Node<'d>, place: &DefinitionPath) -> Form<'d> {
    if !importer.is_generated {
        limits::foreign(view);
    }
    let values: Vec<&Value> = view.values.iter().flatten().map(|value| value.value).collect();
    if let Some(listed) = listed_values(view) {
        if let [only @ ListedValue { number: Some(_), .. }] = listed.as_slice() {
            return constant(importer, view, node, only);
        }
        if let [only] = listed.as_slice() {
            let lexical = view.text("format").and_then(scalars::lexical).filter(
                |form| matches!(form.inner, ValueKind::Lexical(form) if form.is_text() && is_lexical(form, &only.wire)),
            );
            let mut form = lexical.unwrap_or_else(|| Form::plain("string", ValueKind::Text));
            if !importer.is_generated {
                constraints::of_value(importer, view, &mut form);
            }
            form.keys.constant = Some(Raw(Yaml::quoted(only.wire.as_ref())));
            return within_limits(importer, form, node);
        }
        return write(importer, view, listed, place, None);
    }
    match values.as_slice() {
        [] if view.nullable => Form::null(),
        [] => {
            node.whole_loss("becomes `any`: no value satisfies the schema");
            Form::any()
        }
        [Value::Bool(flag)] => {
            let mut form = Form::plain("bool", ValueKind::Bool);
            form.keys.constant = Some(Raw(Yaml::plain(flag.to_string())));
            form
        }
        [Value::Bool(_), Value::Bool(_)] => Form::plain("bool", ValueKind::Bool),
        numbers if numbers.iter().all(|value| matches!(value, Value::Number(_))) => {
            constants::numbers(importer, view, node, numbers)
        }
        _ => {
            node.whole_loss("becomes `any`: the list of values contains lists or objects");
            Form::any()
        }
    }
}

/// Writes a list of texts or integers as an enum; the name is given if it is a named schema.
pub fn write<'d>(
    importer: &mut Importer<'d>,
    view: &View<'d>,
    listed: Vec<ListedValue<'d>>,
    place: &DefinitionPath,
    name: Option<&str>,
) -> Form<'d> {
    let wires: Vec<&str> = listed.iter().map(|one| one.wire.as_ref()).collect();
    if !importer.is_generated {
        limits::foreign(view);
    }
    if listed.iter().all(|one| one.number != Some("any")) {
        limits::report_violated(view, &wires, listed.iter().all(|one| one.number.is_none()));
    }
    let number = listed.first().and_then(|one| one.number).and_then(EnumType::from_word);
    listed::report_rounded(view);
    let mut definition = EnumDef {
        doc: text(view.doc()),
        ty: number.map(Into::into),
        values: values(importer.is_generated, view, &listed),
        deprecated: deprecated(view.flag("deprecated")),
        ..EnumDef::default()
    };
    let shared = (name.is_none() && !importer.is_generated).then(|| EnumKey {
        owner: place.owner.clone(),
        member: place.member.clone(),
        definition: format!("{definition:?}"),
    });
    if let Some(known) = shared.as_ref().and_then(|shared| importer.enums.get(shared)) {
        return known.clone();
    }
    let name = name.map_or_else(|| importer.lowering.type_name(&place.name), str::to_owned);
    if let Some(node) = view.nodes.first().filter(|_| importer.is_generated) {
        reimport::enumeration(node, &mut definition);
    }
    view.nodes.iter().take(1).for_each(|node| node.set_definition(&name));
    importer.lowering.add(place, name.clone(), definition);
    let wires = listed.iter().map(|one| one.wire.to_string()).collect();
    let form = Form { inner: ValueKind::Values(wires), ..Form::named(&name) };
    importer.enums.extend(shared.map(|shared| (shared, form.clone())));
    form
}

/// Returns the values of an enum, each with its name unless it is the default one.
fn values(own: bool, view: &View<'_>, listed: &[ListedValue<'_>]) -> Named<Short<EnumValue>> {
    // Variant that every enum has for unlisted values.
    let mut taken = NameScope::with(&["Unknown"]);
    let mut values = Named::default();
    for one in listed {
        let preferred = one.name.as_deref().filter(|name| names::rust_name(name, Casing::Type).is_some());
        if own {
            values.push(one.wire.as_ref(), one.details.clone().into());
            continue;
        }
        let name = match preferred.and_then(|preferred| taken.reserve_free(preferred, Casing::Type, names::ident)) {
            Some(given) => Some(given).filter(|given| !is_default_name(&one.wire, given)),
            None => {
                let fallback = if one.wire.is_empty() { "empty" } else { "value" };
                let name = taken.explicit_name(&one.wire, Casing::Type, fallback, names::ident);
                name.iter().for_each(|name| note_name(view, &one.wire, name));
                name
            }
        };
        values.push(one.wire.as_ref(), EnumValue { name: text(name), ..one.details.clone() }.into());
    }
    values
}

/// Reports a renamed value, if the document lists it.
fn note_name(view: &View<'_>, wire: &str, name: &str) {
    let list = view.first("enum").and_then(|node| node.get("enum")).or_else(|| view.nodes.first().cloned());
    let what = format!("`{}` is {}", wire.escape_debug(), names::rename_note(name));
    list.iter().for_each(|list| list.note(what.as_str()));
}

/// Returns whether the name is the default one of the value.
fn is_default_name(wire: &str, name: &str) -> bool {
    let ident = |text: &str| names::rust_name(text, Casing::Type).map(|name| name.ident);
    ident(wire) == ident(name)
}
