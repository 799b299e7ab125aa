//! Tables as generated code has them.

use wireform_runtime::json::{DecodeError, EncodeError};
use wireform_runtime::unions;
use wireform_runtime::xml::{ANSWER, Member, Name, Object, Root, Value};

fn element() -> &'static Object {
    static OBJECT: Object = Object {
        members: &[
            Member::attribute("id", Name::new("id"), Value::Number),
            Member::element("title", Name::new("Title"), Value::Text).aliases(&["name"]),
            Member::element("word", Name::new("word"), Value::Token),
            Member::element("on", Name::new("on"), Value::Bool),
            Member::element(
                "mixed",
                Name::new("mixed"),
                Value::Mixed(unions::INTEGER | unions::FRACTION | unions::TEXT),
            ),
            Member::elements("tags", Name::new("tag"), Value::Text),
            Member::element("list", Name::new("List"), Value::List(Name::new("one"), &Value::Text)),
            Member::element("inner", Name::new("inner"), Value::Object(element)),
            Member::element("note", Name::new("note"), Value::Object(note)),
            Member::element("map", Name::new("map"), Value::Map(&Value::Text)),
            Member::element("any", Name::new("any"), Value::Any),
            Member::element("far", Name::new("far").within("f", "https://example.com/f"), Value::Text),
        ],
        rest: None,
    };
    &OBJECT
}

fn note() -> &'static Object {
    static OBJECT: Object = Object {
        members: &[Member::attribute("by", Name::new("by"), Value::Text), Member::text("text", Value::Text)],
        rest: None,
    };
    &OBJECT
}

pub static ROOT: Root = Root::new(Name::new("e"), Value::Object(element), &["application/xml"]);
pub static SMALL: Root = Root::new(Name::new("n"), Value::Object(note), &["application/json", "application/a+xml"]);

/// The JSON of a document.
pub fn json(document: &str) -> Result<String, DecodeError> {
    ROOT.to_json(document.as_bytes(), ANSWER).map(|json| String::from_utf8(json).unwrap())
}

/// The document of a JSON text, without its head.
pub fn xml(json: &str) -> Result<String, EncodeError> {
    let document = String::from_utf8(ROOT.to_xml(json.as_bytes())?).unwrap();
    Ok(document.strip_prefix(r#"<?xml version="1.0" encoding="UTF-8"?>"#).unwrap().to_owned())
}
