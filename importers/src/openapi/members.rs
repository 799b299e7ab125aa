//! Properties → fields, and what fields and parameters share.

use serde_yaml::{Mapping, Number, Value as Yaml};
use wireform_codegen::resolve::{is_base64, is_date, is_date_time};

use super::constraints::literal;
use super::draft::Draft;
use super::types::{self, Form};
use super::view::Said;
use crate::draft::{ONLY_THE_SERVER, Place};
use crate::files::put;
use crate::inner::{Inner, is_above, whole};
use crate::node::Node;
use crate::prose::ended;
use crate::value::Value;

/// A member of a resource.
pub fn field<'d>(
    draft: &mut Draft<'d>,
    nodes: &[Node<'d>],
    place: &Place,
    name: Option<String>,
    required: bool,
) -> Mapping {
    let form = types::form(draft, nodes, place, 0);
    let mut body = Mapping::new();
    put(&mut body, "type", Some(form.ty.clone()));
    put(&mut body, "doc", doc(&form));
    put(&mut body, "name", name);
    let (read_only, write_only) = (form.flag("readOnly"), form.flag("writeOnly"));
    if let (true, true, Some(node)) = (read_only, write_only, form.first("writeOnly")) {
        node.loss("`writeOnly` is left out: a member that only the server writes is never sent to it");
    }
    if read_only {
        put(&mut body, "behavior", Some(vec!["output_only"]));
        if let (true, Some(node)) = (required, nodes.first()) {
            node.note(ONLY_THE_SERVER);
        }
    } else {
        put(&mut body, "required", required.then_some(true));
        put(&mut body, "behavior", write_only.then(|| vec!["input_only"]));
    }
    put(&mut body, "nullable", (form.nullable && form.ty != "any").then_some(true));
    beside(&form, &mut body);
    put(&mut body, "deprecated", form.flag("deprecated").then_some(true));
    body
}

/// What is said of the value, and of each element.
pub fn doc(form: &Form<'_>) -> Option<String> {
    match (form.doc.as_ref().and_then(Said::text), form.element_doc.as_ref().and_then(Said::text)) {
        (Some(own), Some(elements)) if own != elements => Some(format!("{} Each element: {elements}", ended(&own))),
        (own, elements) => own.or(elements),
    }
}

/// The default, the constraints and an example.
pub fn beside(form: &Form<'_>, body: &mut Mapping) {
    match form.keys.get("const") {
        None => put(body, "default", default(form)),
        // What it can be alone it is when it is absent, too.
        Some(only) => form
            .first("default")
            .and_then(|node| node.get("default"))
            .filter(|node| node.value.to_yaml() == *only)
            .iter()
            .for_each(Node::take),
    }
    for (key, value) in &form.keys {
        body.insert(key.clone(), value.clone());
    }
    put(body, "example", example(form));
}

fn default(form: &Form<'_>) -> Option<Yaml> {
    // A null that is written says that there is none, also where the type itself has one.
    let first = form.nodes.iter().find_map(|node| node.value.get("default"));
    if first == Some(&Value::Null) {
        return None;
    }
    let node = form.first("default").or(form.default.as_ref())?.get("default")?;
    node.take();
    let empty = matches!(node.value, Value::List(items) if items.is_empty())
        || matches!(node.value, Value::Object(members) if members.is_empty());
    if form.collection.is_some() && empty {
        node.whole_note("left out: an absent list or map is an empty one");
        return None;
    }
    let plain = matches!(form.inner, Inner::Text | Inner::Bool | Inner::Whole(..) | Inner::Float | Inner::Values(_));
    let found = value(node.value, form).filter(|_| plain && form.collection.is_none());
    let found = found.filter(|value| is_within(value, form));
    if found.is_none() {
        node.whole_loss("left out: it is no value that can stand for an absent one here");
    }
    found
}

/// Whether a value is within the bounds that stand beside it.
pub fn is_within(value: &Yaml, form: &Form<'_>) -> bool {
    let end = |key: &str| match form.keys.get(key) {
        Some(Yaml::Number(number)) => Some(number.clone()),
        _ => None,
    };
    match value {
        Yaml::Number(number) => {
            let step = end("multiple_of").and_then(|step| whole(&step)).filter(|step| *step != 0);
            let is_multiple = step.zip(whole(number)).is_none_or(|(step, number)| number % step == 0);
            is_multiple
                && !end("min").is_some_and(|min| is_above(&min, number))
                && !end("max").is_some_and(|max| is_above(number, &max))
        }
        Yaml::String(text) => match form.keys.get("length") {
            Some(range) => length_fits(range, text.chars().count()),
            None => true,
        },
        _ => true,
    }
}

fn length_fits(range: &Yaml, count: usize) -> bool {
    let text = match range {
        Yaml::String(text) => text.clone(),
        other => return other.as_u64() == u64::try_from(count).ok(),
    };
    let (least, most) = text.split_once("..").unwrap_or((&text, ""));
    let most = most.strip_prefix('=').unwrap_or(most);
    least.parse().map_or(true, |least: usize| count >= least) && most.parse().map_or(true, |most: usize| count <= most)
}

fn example(form: &Form<'_>) -> Option<Yaml> {
    let node = form.first("example").or_else(|| form.first("examples"))?;
    let node = node.get("example").or_else(|| {
        let examples = node.get("examples")?;
        match examples.value {
            Value::List(_) => node.list("examples").into_iter().next(),
            _ => examples.members().into_iter().next().and_then(|(_, one)| one.get("value")),
        }
    })?;
    node.take();
    let found = if form.collection.is_some() { collection(node.value, &form.ty) } else { value(node.value, form) };
    if found.is_none() {
        node.whole_note("left out: the example is no value of this type");
    }
    found.filter(|found| {
        let fits = form.collection.is_some() || is_within(found, form);
        if !fits {
            node.whole_note("left out: the constraints beside the example refuse it");
        }
        fits
    })
}

/// A list or a map of JSON, as its type is one.
fn collection(value: &Value, ty: &Yaml) -> Option<Yaml> {
    match (ty, value) {
        (Yaml::Sequence(_), Value::List(_)) | (Yaml::Mapping(_), Value::Object(_)) => Some(value.to_yaml()),
        _ => None,
    }
}

/// A value of a type, as a schema writes it.
fn value(value: &Value, form: &Form<'_>) -> Option<Yaml> {
    let text = |fits: fn(&str) -> bool| value.text().filter(|text| fits(text)).map(Yaml::from);
    match &form.inner {
        Inner::Text => match value {
            Value::Text(text) => Some(Yaml::from(text.as_str())),
            // YAML writes texts without quotes, and `example: 12` of a text is one.
            Value::Number(text) => Some(Yaml::from(text.as_str())),
            Value::Bool(flag) => Some(Yaml::from(flag.to_string())),
            _ => None,
        },
        Inner::Bool => match value {
            Value::Bool(flag) => Some(Yaml::Bool(*flag)),
            Value::Text(text) => text.parse().ok().map(Yaml::Bool),
            _ => None,
        },
        Inner::Whole(..) | Inner::Float => match value {
            Value::Number(text) | Value::Text(text) => number(text, &form.inner).map(Yaml::Number),
            _ => None,
        },
        Inner::Values(values) => match value {
            Value::Text(text) => values.contains(text).then(|| Yaml::from(text.as_str())),
            Value::Number(text) => values.contains(text).then(|| value.to_yaml()),
            Value::Bool(flag) => Some(flag.to_string()).filter(|text| values.contains(text)).map(Yaml::from),
            _ => None,
        },
        Inner::Date => text(is_date),
        Inner::DateTime => text(is_date_time),
        Inner::Bytes => text(is_base64),
        Inner::Json if form.ty == "object" => types::is_object(value).then(|| value.to_yaml()),
        Inner::Json | Inner::Union => Some(value.to_yaml()),
        Inner::Scalar | Inner::Other => None,
    }
}

fn number(text: &str, inner: &Inner) -> Option<Number> {
    literal(text, inner, false)
}
