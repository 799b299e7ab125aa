//! Tables as in generated code.

use wireform_runtime::__private::unions;
use wireform_runtime::json::{DecodeError, EncodeError};
use wireform_runtime::xml::{ANSWER, Member, Name, Object, Root, Union, Value};

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
            Member::element("amount", Name::new("amount"), Value::Object(amount)),
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

fn amount() -> &'static Object {
    static OBJECT: Object = Object { members: &[Member::text("value", Value::Number)], rest: None };
    &OBJECT
}

const FAR: Name = Name::new("far").within("f", "https://example.com/f");

/// Resource in a default namespace that contains one in another namespace.
fn shop() -> &'static Object {
    static OBJECT: Object = Object {
        members: &[
            Member::attribute("type", XSI_TYPE, Value::Text),
            Member::element("plain", Name::new("plain"), Value::Text),
            Member::element("note", Name::new("note"), Value::Object(note)),
            Member::element("inner", Name::new("inner"), Value::Object(shop)),
            Member::element("far", FAR, Value::Object(shop)),
        ],
        rest: None,
    };
    &OBJECT
}

const XSI_TYPE: Name = Name::new("type").within("xsi", "http://www.w3.org/2001/XMLSchema-instance");

fn unions() -> &'static Object {
    static OBJECT: Object = Object {
        members: &[
            Member::element("either", Name::new("either"), Value::Union(either)),
            Member::element("amount", Name::new("amount"), Value::Union(amounts)),
            Member::element("words", Name::new("words"), Value::Union(words)),
        ],
        rest: None,
    };
    &OBJECT
}

fn amounts() -> &'static Union {
    static UNION: Union =
        Union { discriminator: "", variants: &[("amount", Value::Object(amount))], kinds: unions::OBJECT };
    &UNION
}

fn words() -> &'static Union {
    static UNION: Union = Union {
        discriminator: "",
        variants: &[("words", Value::Text), ("note", Value::Object(note))],
        kinds: unions::OBJECT | unions::TEXT,
    };
    &UNION
}

fn either() -> &'static Union {
    static UNION: Union = Union {
        discriminator: "",
        variants: &[
            ("number", Value::Number),
            ("flat", Value::Object(flat)),
            ("open", Value::Object(open)),
            ("note", Value::Object(note)),
        ],
        kinds: unions::INTEGER | unions::OBJECT,
    };
    &UNION
}

fn flat() -> &'static Object {
    static OBJECT: Object = Object { members: &[WIDE, HIGH], rest: None };
    &OBJECT
}

fn open() -> &'static Object {
    static OBJECT: Object = Object { members: &[WIDE], rest: Some(&Value::Number) };
    &OBJECT
}

const WIDE: Member = Member::element("wide", Name::new("wide"), Value::Number);
const HIGH: Member = Member::element("high", Name::new("high"), Value::Number);

pub static SHOP: Root =
    Root::new(Name::new("shop").within("", "https://example.com/shop"), Value::Object(shop), &["application/xml"]);
pub static UNIONS: Root = Root::new(Name::new("e"), Value::Object(unions), &["application/xml"]);
pub static ROOT: Root = Root::new(Name::new("e"), Value::Object(element), &["application/xml"]);
pub static SMALL: Root = Root::new(Name::new("n"), Value::Object(note), &["application/json", "application/a+xml"]);

/// Converts a document to JSON.
pub fn json(document: &str) -> Result<String, DecodeError> {
    ROOT.to_json(document.as_bytes(), ANSWER).map(|json| String::from_utf8(json).unwrap())
}

/// Converts JSON text to a document, without the XML declaration.
pub fn xml(json: &str) -> Result<String, EncodeError> {
    let document = String::from_utf8(ROOT.to_xml(json.as_bytes())?).unwrap();
    Ok(document.strip_prefix(r#"<?xml version="1.0" encoding="UTF-8"?>"#).unwrap().to_owned())
}
