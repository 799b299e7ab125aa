//! Lists of values → enums, constants and what comes near.

mod limits;

use std::borrow::Cow;
use std::collections::BTreeSet;

use wireform_codegen::resolve::names::Casing;
use wireform_codegen::resolve::{is_lexical, shortest};
use wireform_codegen::schema::EnumDef;
use wireform_codegen::schema::enums::{EnumType, EnumValue};
use wireform_codegen::schema::read::{Named, Raw};
use wireform_codegen::schema::yaml::{Node as Yaml, Style, Value as Written};

use super::constraints::{self, literal};
use super::importer::Importer;
use super::members;
use super::own;
use super::scalars;
use super::types::Form;
use super::view::{Kind, View};
use crate::inner::Inner;
use crate::lowering::{Key, Place, deprecated, text};
use crate::names::{self, Names};
use crate::node::Node;
use crate::number::Number;
use crate::prose;
use crate::value::Value;

/// A value and what is said of it.
#[derive(Clone)]
pub struct Listed<'d> {
    /// The text on the wire, or the number in digits, or JSON where there are values of several kinds.
    pub wire: Cow<'d, str>,
    /// The type of the numbers that it is one of, or `any`.
    pub number: Option<&'static str>,
    /// What it is called in code, as far as the document says.
    pub name: Option<String>,
    /// What is said of it.
    pub said: EnumValue,
}

/// The texts that a schema lists, or the whole numbers; nothing where it lists none, or other values too.
pub fn listed<'d>(view: &View<'d>) -> Option<Vec<Listed<'d>>> {
    let values = view.values.as_ref()?;
    let number = number(view, values).or_else(|| fractions(view, values)).or_else(|| several(view, values));
    let extra = |keys: [&str; 2]| -> Vec<Option<&'d str>> {
        let node = keys.iter().find_map(|key| Some((view.first(key)?, *key)));
        node.map(|(node, key)| node.list(key).iter().map(Node::text_here).collect()).unwrap_or_default()
    };
    let docs = extra(["x-enum-descriptions", "x-enumDescriptions"]);
    let names = extra(["x-enum-varnames", "x-enumNames"]);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for (index, value) in values.iter().enumerate() {
        let wire = match (number, value.value) {
            (Some("any"), value) => Cow::Owned(json(value)?),
            (Some("double"), value) => Cow::Owned(shortest_of(value)?),
            (Some(_), number) => Cow::Borrowed(digits(number)?),
            // YAML writes texts without quotes, and `enum: [1, 2]` of texts is a list of them.
            (None, Value::Number(text)) if view.kind() == Some(Kind::Text) => Cow::Borrowed(text.as_str()),
            (None, Value::Bool(flag)) if view.kind() == Some(Kind::Text) => {
                Cow::Borrowed(if *flag { "true" } else { "false" })
            }
            (None, other) => Cow::Borrowed(other.text()?),
        };
        if !seen.insert(wire.clone()) {
            continue;
        }
        let doc = docs.get(index).copied().flatten().and_then(|doc| prose::markdown(doc, Some("")));
        found.push(Listed {
            wire,
            number,
            name: names.get(index).copied().flatten().map(str::to_owned),
            said: EnumValue { doc: text(doc), ..EnumValue::default() },
        });
    }
    (!found.is_empty()).then_some(found)
}

/// A whole number in digits.
fn digits(value: &Value) -> Option<&str> {
    let Value::Number(text) = value else { return None };
    let digits = text.strip_suffix(".0").unwrap_or(text);
    digits.parse::<i128>().ok().filter(|number| number.to_string() == *digits).map(|_| digits)
}

/// The type that holds all of several whole numbers: the one that the document names, if that does.
fn number(view: &View<'_>, values: &[Node<'_>]) -> Option<&'static str> {
    let values: Option<Vec<i128>> = values.iter().map(|value| digits(value.value)?.parse().ok()).collect();
    let values = values.filter(|values| !values.is_empty() && view.kind() != Some(Kind::Text))?;
    let named = ["int32", "uint32", "uint64"].into_iter().filter(|name| view.text("format") == Some(name));
    let holds = |name: &&str| matches!(Inner::whole(name), Inner::Whole(least, most) if values.iter().all(|value| (least..=most).contains(value)));
    named.chain(["int64", "uint64"]).find(holds)
}

/// That of several numbers of which one has a fraction.
fn fractions(view: &View<'_>, values: &[Node<'_>]) -> Option<&'static str> {
    let are_numbers = !values.is_empty() && values.iter().all(|value| shortest_of(value.value).is_some());
    (are_numbers && view.kind() != Some(Kind::Text)).then_some("double")
}

/// That of values of several kinds.
fn several(view: &View<'_>, values: &[Node<'_>]) -> Option<&'static str> {
    let is_text = view.kind() == Some(Kind::Text);
    let kinds: BTreeSet<u8> = values
        .iter()
        .map(|value| match value.value {
            Value::Text(_) => 0,
            Value::Number(_) => 1,
            Value::Bool(_) => 2,
            _ => 3,
        })
        .collect();
    (!is_text && kinds.len() > 1 && !kinds.contains(&3)).then_some("any")
}

/// A number as the schema writes it among the values of an enum.
fn shortest_of(value: &Value) -> Option<String> {
    let Value::Number(text) = value else { return None };
    let number = serde_json::from_str::<serde_json::Number>(text).ok()?;
    number.as_f64().filter(|value| value.is_finite()).map(|_| shortest(&number))
}

/// A text, a number or a boolean as JSON.
pub fn json(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(serde_json::Value::from(text.as_str()).to_string()),
        Value::Number(_) => shortest_of(value),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// The type of a value of which all that can be is listed.
pub fn form<'d>(importer: &mut Importer<'d>, view: &View<'d>, node: &Node<'d>, place: &Place) -> Form<'d> {
    if !importer.own {
        limits::foreign(view);
    }
    let values: Vec<&Value> = view.values.iter().flatten().map(|value| value.value).collect();
    if let Some(listed) = listed(view) {
        if let [only @ Listed { number: Some(_), .. }] = listed.as_slice() {
            return constant(importer, view, node, only);
        }
        if let [only] = listed.as_slice() {
            let lexical = view.text("format").and_then(scalars::lexical).filter(
                |form| matches!(form.inner, Inner::Lexical(form) if form.is_text() && is_lexical(form, &only.wire)),
            );
            let mut form = lexical.unwrap_or_else(|| Form::plain("string", Inner::Text));
            if !importer.own {
                constraints::of_value(importer, view, &mut form);
            }
            form.keys.constant = Some(Raw(Yaml::quoted(only.wire.as_ref())));
            return within_limits(importer, form, node);
        }
        return write(importer, view, listed, place, None);
    }
    match values.as_slice() {
        [] => {
            node.loss("becomes `any`: a value that is null alone has no type");
            Form::any()
        }
        [Value::Bool(flag)] => {
            let mut form = Form::plain("bool", Inner::Bool);
            form.keys.constant = Some(Raw(Yaml::plain(flag.to_string())));
            form
        }
        [Value::Bool(_), Value::Bool(_)] => Form::plain("bool", Inner::Bool),
        numbers if numbers.iter().all(|value| matches!(value, Value::Number(_))) => {
            self::numbers(importer, view, node, numbers)
        }
        _ => {
            node.whole_loss("becomes `any`: the list of values has several kinds of them");
            Form::any()
        }
    }
}

/// The only whole number that a value can be.
fn constant<'d>(importer: &mut Importer<'d>, view: &View<'d>, node: &Node<'d>, only: &Listed<'d>) -> Form<'d> {
    let otherwise = if only.number == Some("double") { Kind::Number } else { Kind::Integer };
    let mut form = scalars::form(importer, view, node, view.kind().unwrap_or(otherwise));
    match literal(&only.wire, &form.inner, false) {
        Some(number) => form.keys.constant = Some(number.to_raw()),
        None => node.loss(format!("`{}` is left out: it is no number of this type", only.wire)),
    }
    within_limits(importer, form, node)
}

fn is_match(pattern: &str, text: &str) -> bool {
    wireform_codegen::patterns::anchored(pattern).is_ok_and(|matcher| matcher.is_match(text))
}

/// Leaves out what limits the only value that there is: it says nothing, unless the value is beyond it.
fn within_limits<'d>(importer: &Importer<'d>, mut form: Form<'d>, node: &Node<'d>) -> Form<'d> {
    let Some(only) = form.keys.constant.clone().filter(|_| !importer.own) else { return form };
    let matches = match (&only.0.value, &form.keys.pattern) {
        (Written::Scalar(text, Style::Text), Some(pattern)) => is_match(&pattern.text, text),
        _ => true,
    };
    if !matches || !members::is_within(&only.0, &form) {
        node.loss("the limits are left out: the only value that there is, is beyond them");
    }
    form.keys.without(&[Key::Min, Key::Max, Key::MultipleOf, Key::Length, Key::Pattern]);
    form
}

fn numbers<'d>(importer: &mut Importer<'d>, view: &View<'d>, node: &Node<'d>, values: &[&Value]) -> Form<'d> {
    let mut form = scalars::form(importer, view, node, view.kind().unwrap_or(Kind::Number));
    match values {
        [Value::Number(only)] => match literal(only, &form.inner, false) {
            Some(number) => form.keys.constant = Some(number.to_raw()),
            None => node.loss(format!("`{}` is left out: it is no number of this type", only.escape_debug())),
        },
        _ => node.loss("the list of values is left out: enums are lists of texts or of whole numbers"),
    }
    within_limits(importer, form, node)
}

/// Writes a list of texts or of whole numbers as an enum; the name is given where it is a schema of the document.
pub fn write<'d>(
    importer: &mut Importer<'d>,
    view: &View<'d>,
    listed: Vec<Listed<'d>>,
    place: &Place,
    name: Option<&str>,
) -> Form<'d> {
    let wires: Vec<&str> = listed.iter().map(|one| one.wire.as_ref()).collect();
    if !importer.own {
        limits::foreign(view);
    }
    if listed.iter().all(|one| one.number != Some("any")) {
        limits::told(view, &wires, listed.iter().all(|one| one.number.is_none()));
    }
    // The variant that every enum has for values that it does not list.
    let mut taken = Names::with(&["Unknown"]);
    let mut values = Named::default();
    for one in &listed {
        let wanted = one.name.as_deref().filter(|name| names::form(name, Casing::Type).is_some());
        if importer.own {
            values.push(one.wire.as_ref(), one.said.clone().into());
            continue;
        }
        let name = match wanted.and_then(|wanted| taken.free(wanted, Casing::Type, names::ident)) {
            Some(given) => Some(given).filter(|given| !is_own(&one.wire, given)),
            None => {
                let fallback = if one.wire.is_empty() { "empty" } else { "value" };
                let name = taken.beside(&one.wire, Casing::Type, fallback, names::ident);
                name.iter().for_each(|name| note_name(view, &one.wire, name));
                name
            }
        };
        values.push(one.wire.as_ref(), EnumValue { name: text(name), ..one.said.clone() }.into());
    }
    importer.lowering.counts.enums += 1;
    importer.lowering.counts.enum_values += listed.len();
    let number = listed.first().and_then(|one| one.number).and_then(EnumType::from_word);
    // One member of the same values, in several types of a union or in a body and its answer.
    let same =
        name.is_none().then(|| (place.owner.clone(), place.member().to_owned(), format!("{number:?} {values:?}")));
    if let Some(known) = same.as_ref().and_then(|same| importer.enums.get(same)).filter(|_| !importer.own) {
        view.doc();
        return known.clone();
    }
    let name = name.map_or_else(|| importer.lowering.type_name(&place.name), str::to_owned);
    let mut definition = EnumDef {
        doc: text(view.doc()),
        ty: number.map(Into::into),
        values,
        deprecated: deprecated(view.flag("deprecated")),
        ..EnumDef::default()
    };
    if let Some(node) = view.nodes.first().filter(|_| importer.own) {
        own::enumeration(node, &mut definition);
    }
    importer.lowering.add(place, name.clone(), definition);
    let wires = listed.iter().map(|one| one.wire.to_string()).collect();
    let form = Form { inner: Inner::Values(wires), ..Form::named(&name) };
    importer.enums.extend(same.map(|same| (same, form.clone())));
    form
}

/// Tells that a value is called otherwise in code than on the wire, where the document lists it.
fn note_name(view: &View<'_>, wire: &str, name: &str) {
    let list = view.first("enum").and_then(|node| node.get("enum")).or_else(|| view.nodes.first().cloned());
    let what = names::called(name).replacen("it is", &format!("`{}` is", wire.escape_debug()), 1);
    list.iter().for_each(|list| list.note(what.as_str()));
}

/// Whether the name is the one that the value has by itself.
fn is_own(wire: &str, name: &str) -> bool {
    let ident = |text: &str| names::form(text, Casing::Type).map(|name| name.ident);
    ident(wire) == ident(name)
}

/// Says a constant as a pattern, where constants cannot stand.
pub fn constant_as_pattern(form: &mut Form<'_>, node: &Node<'_>) {
    let Some(constant) = form.keys.constant.take() else { return };
    if let Some(number) = Number::of_raw(&constant) {
        form.keys.min = Some(number.to_raw());
        form.keys.max = Some(number.to_raw());
    } else if let Written::Scalar(text, Style::Text) = &constant.0.value {
        let special = |c: char| "\\.+*?()|[]{}^$#&-~/".contains(c);
        let escaped: String = text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect();
        form.keys.pattern = Some(escaped.replace("\\/", "/").into());
    } else {
        node.loss("the only value that it can have is left out: it is for members");
    }
}
