//! Lists of values → enums, constants and what comes near.

mod limits;

use std::collections::BTreeSet;

use serde_yaml::{Mapping, Value as Yaml};
use wireform_codegen::resolve::names::Casing;

use super::constraints::{self, literal};
use super::draft::Draft;
use super::members;
use super::own;
use super::scalars;
use super::types::Form;
use super::view::{Kind, View};
use crate::draft::Place;
use crate::files::{self, put};
use crate::inner::Inner;
use crate::names::{self, Names};
use crate::node::Node;
use crate::prose;
use crate::value::Value;

/// A value and what is said of it.
#[derive(Clone)]
pub struct Listed<'d> {
    /// The text on the wire, or the number in digits.
    pub wire: &'d str,
    /// The type of the number that it is.
    pub number: Option<&'static str>,
    /// What it means.
    pub doc: Option<String>,
    /// What it is called in code.
    pub name: Option<String>,
    /// Whether it is on its way out.
    pub deprecated: bool,
    /// What else is said of it, as a schema writes it.
    pub more: Mapping,
}

/// The texts that a schema lists, or the whole numbers; nothing where it lists none, or other values too.
pub fn listed<'d>(view: &View<'d>) -> Option<Vec<Listed<'d>>> {
    let values = view.values.as_ref()?;
    let number = number(view, values);
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
            (Some(_), number) => digits(number)?,
            // YAML writes texts without quotes, and `enum: [1, 2]` of texts is a list of them.
            (None, Value::Number(text)) if view.kind() == Some(Kind::Text) => text,
            (None, other) => other.text()?,
        };
        if !seen.insert(wire) {
            continue;
        }
        found.push(Listed {
            wire,
            number,
            doc: docs.get(index).copied().flatten().and_then(prose::paragraph),
            name: names.get(index).copied().flatten().map(str::to_owned),
            deprecated: false,
            more: Mapping::new(),
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

/// The type of a value of which all that can be is listed.
pub fn form<'d>(draft: &mut Draft<'d>, view: &View<'d>, node: &Node<'d>, place: &Place) -> Form<'d> {
    if !draft.own {
        limits::foreign(view);
    }
    let values: Vec<&Value> = view.values.iter().flatten().map(|value| value.value).collect();
    if let Some(listed) = listed(view) {
        if let [only @ Listed { number: Some(_), .. }] = listed.as_slice() {
            return constant(draft, view, node, only);
        }
        if let [only] = listed.as_slice() {
            let mut form = Form::plain("string", Inner::Text);
            if !draft.own {
                constraints::of_value(draft, view, &mut form);
            }
            put(&mut form.keys, "const", Some(only.wire));
            return within_limits(draft, form, node);
        }
        return write(draft, view, listed, place, None);
    }
    match values.as_slice() {
        [] => {
            node.loss("becomes `any`: a value that is null alone has no type");
            Form::any()
        }
        [Value::Bool(flag)] => {
            let mut form = Form::plain("bool", Inner::Bool);
            put(&mut form.keys, "const", Some(*flag));
            form
        }
        [Value::Bool(_), Value::Bool(_)] => Form::plain("bool", Inner::Bool),
        numbers if numbers.iter().all(|value| matches!(value, Value::Number(_))) => {
            self::numbers(draft, view, node, numbers)
        }
        _ => {
            node.whole_loss("becomes `any`: the list of values has several kinds of them");
            Form::any()
        }
    }
}

/// The only whole number that a value can be.
fn constant<'d>(draft: &mut Draft<'d>, view: &View<'d>, node: &Node<'d>, only: &Listed<'d>) -> Form<'d> {
    let mut form = scalars::form(draft, view, node, view.kind().unwrap_or(Kind::Integer));
    match literal(only.wire, &form.inner, false) {
        Some(number) => put(&mut form.keys, "const", Some(Yaml::Number(number))),
        None => node.loss(format!("`{}` is left out: it is no number of this type", only.wire)),
    }
    within_limits(draft, form, node)
}

fn is_match(pattern: &str, text: &str) -> bool {
    wireform_codegen::patterns::anchored(pattern).is_ok_and(|matcher| matcher.is_match(text))
}

/// Leaves out what limits the only value that there is: it says nothing, unless the value is beyond it.
fn within_limits<'d>(draft: &Draft<'d>, mut form: Form<'d>, node: &Node<'d>) -> Form<'d> {
    let Some(only) = form.keys.get("const").filter(|_| !draft.own).cloned() else { return form };
    let pattern = form.keys.get("pattern").and_then(Yaml::as_str).map(str::to_owned);
    let matches = match (&only, pattern) {
        (Yaml::String(text), Some(pattern)) => is_match(&pattern, text),
        _ => true,
    };
    if !matches || !members::is_within(&only, &form) {
        node.loss("the limits are left out: the only value that there is, is beyond them");
    }
    form.keys.retain(|key, _| !matches!(key.as_str(), Some("min" | "max" | "multiple_of" | "length" | "pattern")));
    form
}

fn numbers<'d>(draft: &mut Draft<'d>, view: &View<'d>, node: &Node<'d>, values: &[&Value]) -> Form<'d> {
    let mut form = scalars::form(draft, view, node, view.kind().unwrap_or(Kind::Number));
    match values {
        [Value::Number(only)] => match literal(only, &form.inner, false) {
            Some(number) => put(&mut form.keys, "const", Some(Yaml::Number(number))),
            None => node.loss(format!("`{}` is left out: it is no number of this type", only.escape_debug())),
        },
        _ => node.loss("the list of values is left out: enums are lists of texts or of whole numbers"),
    }
    within_limits(draft, form, node)
}

/// Writes a list of texts or of whole numbers as an enum; the name is given where it is a schema of the document.
pub fn write<'d>(
    draft: &mut Draft<'d>,
    view: &View<'d>,
    listed: Vec<Listed<'d>>,
    place: &Place,
    name: Option<&str>,
) -> Form<'d> {
    let wires: Vec<&str> = listed.iter().map(|one| one.wire).collect();
    if !draft.own {
        limits::foreign(view);
    }
    limits::told(view, &wires, listed.iter().all(|one| one.number.is_none()));
    // The variant that every enum has for values that it does not list.
    let mut taken = Names::with(&["Unknown"]);
    let mut values = Mapping::new();
    for one in &listed {
        let wanted = one.name.as_deref().filter(|name| names::form(name, Casing::Type).is_some());
        if draft.own {
            values.insert(Yaml::from(one.wire), value(None, one));
            continue;
        }
        let name = match wanted.and_then(|wanted| taken.free(wanted, Casing::Type, names::ident)) {
            Some(given) => Some(given).filter(|given| !is_own(one.wire, given)),
            None => {
                let name = taken.beside(one.wire, Casing::Type, "value", names::ident);
                name.iter().for_each(|name| note_name(view, one.wire, name));
                name
            }
        };
        values.insert(Yaml::from(one.wire), value(name, one));
    }
    draft.made.counts.enums += 1;
    draft.made.counts.enum_values += listed.len();
    let name = name.map_or_else(|| draft.made.type_name(&place.name), str::to_owned);
    let mut body = Mapping::new();
    put(&mut body, "doc", view.doc());
    put(&mut body, "type", listed.first().and_then(|one| one.number));
    put(&mut body, "values", Some(values));
    put(&mut body, "deprecated", view.flag("deprecated").then_some(true));
    if let Some(node) = view.nodes.first().filter(|_| draft.own) {
        own::enumeration(node, &mut body);
    }
    draft.made.add(place, files::Kind::Enum, name.clone(), body);
    let wires = listed.iter().map(|one| one.wire.to_owned()).collect();
    Form { inner: Inner::Values(wires), ..Form::named(&name) }
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

fn value(name: Option<String>, listed: &Listed<'_>) -> Yaml {
    if let (None, Some(doc), false, true) = (&name, &listed.doc, listed.deprecated, listed.more.is_empty()) {
        return Yaml::String(doc.clone());
    }
    let mut body = Mapping::new();
    put(&mut body, "name", name);
    put(&mut body, "doc", listed.doc.clone());
    put(&mut body, "deprecated", listed.deprecated.then_some(true));
    body.extend(listed.more.clone());
    Yaml::Mapping(body)
}

/// Says a constant as a pattern, where constants cannot stand.
pub fn constant_as_pattern(form: &mut Form<'_>, node: &Node<'_>) {
    match form.keys.remove("const") {
        Some(Yaml::String(text)) => {
            let special = |c: char| "\\.+*?()|[]{}^$#&-~/".contains(c);
            let escaped: String =
                text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect();
            put(&mut form.keys, "pattern", Some(escaped.replace("\\/", "/")));
        }
        Some(Yaml::Number(number)) => {
            put(&mut form.keys, "min", Some(Yaml::Number(number.clone())));
            put(&mut form.keys, "max", Some(Yaml::Number(number)));
        }
        Some(_) => node.loss("the only value that it can have is left out: it is for members"),
        None => {}
    }
}
