//! Tables as in generated code.

use wireform_runtime::__private::unions;
use wireform_runtime::json::{DecodeError, EncodeError};
use wireform_runtime::xml::{
    FieldDescription, ObjectDescription, RESPONSE_LIMITS, UnionDescription, XmlName, XmlRoot, XmlValue,
};

fn element() -> &'static ObjectDescription {
    static OBJECT: ObjectDescription = ObjectDescription {
        fields: &[
            FieldDescription::attribute("id", XmlName::new("id"), XmlValue::Number),
            FieldDescription::element("title", XmlName::new("Title"), XmlValue::Text).aliases(&["name"]),
            FieldDescription::element("word", XmlName::new("word"), XmlValue::Token),
            FieldDescription::element("on", XmlName::new("on"), XmlValue::Bool),
            FieldDescription::element(
                "mixed",
                XmlName::new("mixed"),
                XmlValue::Mixed(unions::INTEGER | unions::FRACTION | unions::TEXT),
            ),
            FieldDescription::elements("tags", XmlName::new("tag"), XmlValue::Text),
            FieldDescription::element(
                "list",
                XmlName::new("List"),
                XmlValue::List(XmlName::new("one"), &XmlValue::Text),
            ),
            FieldDescription::element("inner", XmlName::new("inner"), XmlValue::Object(element)),
            FieldDescription::element("note", XmlName::new("note"), XmlValue::Object(note)),
            FieldDescription::element("amount", XmlName::new("amount"), XmlValue::Object(amount)),
            FieldDescription::element("map", XmlName::new("map"), XmlValue::Map(&XmlValue::Text)),
            FieldDescription::element("any", XmlName::new("any"), XmlValue::Any),
            FieldDescription::element(
                "far",
                XmlName::new("far").in_namespace("f", "https://example.com/f"),
                XmlValue::Text,
            ),
        ],
        rest: None,
    };
    &OBJECT
}

fn note() -> &'static ObjectDescription {
    static OBJECT: ObjectDescription = ObjectDescription {
        fields: &[
            FieldDescription::attribute("by", XmlName::new("by"), XmlValue::Text),
            FieldDescription::text("text", XmlValue::Text),
        ],
        rest: None,
    };
    &OBJECT
}

fn amount() -> &'static ObjectDescription {
    static OBJECT: ObjectDescription =
        ObjectDescription { fields: &[FieldDescription::text("value", XmlValue::Number)], rest: None };
    &OBJECT
}

const FAR: XmlName = XmlName::new("far").in_namespace("f", "https://example.com/f");

/// Resource in a default namespace that contains one in another namespace.
fn shop() -> &'static ObjectDescription {
    static OBJECT: ObjectDescription = ObjectDescription {
        fields: &[
            FieldDescription::attribute("type", XSI_TYPE, XmlValue::Text),
            FieldDescription::element("plain", XmlName::new("plain"), XmlValue::Text),
            FieldDescription::element("note", XmlName::new("note"), XmlValue::Object(note)),
            FieldDescription::element("inner", XmlName::new("inner"), XmlValue::Object(shop)),
            FieldDescription::element("far", FAR, XmlValue::Object(shop)),
        ],
        rest: None,
    };
    &OBJECT
}

const XSI_TYPE: XmlName = XmlName::new("type").in_namespace("xsi", "http://www.w3.org/2001/XMLSchema-instance");

fn unions() -> &'static ObjectDescription {
    static OBJECT: ObjectDescription = ObjectDescription {
        fields: &[
            FieldDescription::element("either", XmlName::new("either"), XmlValue::Union(either)),
            FieldDescription::element("amount", XmlName::new("amount"), XmlValue::Union(amounts)),
            FieldDescription::element("words", XmlName::new("words"), XmlValue::Union(words)),
        ],
        rest: None,
    };
    &OBJECT
}

fn amounts() -> &'static UnionDescription {
    static UNION: UnionDescription = UnionDescription {
        discriminator: "",
        variants: &[("amount", XmlValue::Object(amount))],
        kinds: unions::OBJECT,
    };
    &UNION
}

fn words() -> &'static UnionDescription {
    static UNION: UnionDescription = UnionDescription {
        discriminator: "",
        variants: &[("words", XmlValue::Text), ("note", XmlValue::Object(note))],
        kinds: unions::OBJECT | unions::TEXT,
    };
    &UNION
}

fn either() -> &'static UnionDescription {
    static UNION: UnionDescription = UnionDescription {
        discriminator: "",
        variants: &[
            ("number", XmlValue::Number),
            ("flat", XmlValue::Object(flat)),
            ("open", XmlValue::Object(open)),
            ("note", XmlValue::Object(note)),
        ],
        kinds: unions::INTEGER | unions::OBJECT,
    };
    &UNION
}

fn flat() -> &'static ObjectDescription {
    static OBJECT: ObjectDescription = ObjectDescription { fields: &[WIDE, HIGH], rest: None };
    &OBJECT
}

fn open() -> &'static ObjectDescription {
    static OBJECT: ObjectDescription = ObjectDescription { fields: &[WIDE], rest: Some(&XmlValue::Number) };
    &OBJECT
}

const WIDE: FieldDescription = FieldDescription::element("wide", XmlName::new("wide"), XmlValue::Number);
const HIGH: FieldDescription = FieldDescription::element("high", XmlName::new("high"), XmlValue::Number);

pub static SHOP: XmlRoot = XmlRoot::new(
    XmlName::new("shop").in_namespace("", "https://example.com/shop"),
    XmlValue::Object(shop),
    &["application/xml"],
);
pub static UNIONS: XmlRoot = XmlRoot::new(XmlName::new("e"), XmlValue::Object(unions), &["application/xml"]);
pub static ROOT: XmlRoot = XmlRoot::new(XmlName::new("e"), XmlValue::Object(element), &["application/xml"]);
pub static SMALL: XmlRoot =
    XmlRoot::new(XmlName::new("n"), XmlValue::Object(note), &["application/json", "application/a+xml"]);

/// Converts a document to JSON.
pub fn json(document: &str) -> Result<String, DecodeError> {
    ROOT.to_json(document.as_bytes(), RESPONSE_LIMITS).map(|json| String::from_utf8(json).unwrap())
}

/// Converts JSON text to a document, without the XML declaration.
pub fn xml(json: &str) -> Result<String, EncodeError> {
    let document = String::from_utf8(ROOT.to_xml(json.as_bytes())?).unwrap();
    Ok(document.strip_prefix(r#"<?xml version="1.0" encoding="UTF-8"?>"#).unwrap().to_owned())
}
