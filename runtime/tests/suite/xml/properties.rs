//! Properties of arbitrary documents and values.

use proptest::prelude::*;
use wireform_runtime::Value;

use super::tables::{ROOT, json, xml};
use wireform_runtime::xml::RESPONSE_LIMITS;

/// Generates a text that a document can contain.
fn text() -> impl Strategy<Value = String> {
    "[ -~\\n\\r\\té\u{1f600}]{0,12}"
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = (
        proptest::option::of(any::<i64>()),
        proptest::option::of(text()),
        proptest::option::of(any::<bool>()),
        proptest::collection::vec(text(), 0..4),
        proptest::option::of(proptest::collection::vec(text(), 0..4)),
        proptest::option::of((text(), "[ -~]{1,8}")),
        proptest::collection::btree_map("[a-zA-Z_][a-zA-Z0-9_.-]{0,6}", text(), 0..4),
    );
    let object = leaf.prop_map(|(id, title, on, tags, list, note, map)| {
        let mut members = wireform_runtime::Map::new();
        let mut put = |name: &str, value: Option<Value>| {
            members.extend(value.map(|value| (name.to_owned(), value)));
        };
        put("id", id.map(Value::from));
        put("title", title.map(Value::from));
        put("on", on.map(Value::from));
        put("tags", Some(tags).filter(|tags| !tags.is_empty()).map(Value::from));
        put("list", list.map(Value::from));
        put("note", note.map(|(by, text)| serde_json::json!({ "by": by, "text": text })));
        put("map", Some(map).filter(|map| !map.is_empty()).map(|map| map.into_iter().collect()));
        Value::Object(members)
    });
    object.prop_recursive(4, 16, 1, |inner| {
        (inner.clone(), inner).prop_map(|(mut outer, inner)| {
            outer["inner"] = inner;
            outer
        })
    })
}

proptest! {
    #[test]
    fn written_documents_parse(value in value()) {
        let document = xml(&value.to_string()).unwrap();
        let read: Value = serde_json::from_str(&json(&document).unwrap()).unwrap();
        prop_assert_eq!(read, value, "{}", document);
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = ROOT.to_json(&bytes, RESPONSE_LIMITS);
    }

    /// A concatenation of pieces of documents is rejected, or becomes JSON.
    #[test]
    fn no_document_panics(pieces in proptest::collection::vec(prop::sample::select(PIECES), 0..24)) {
        if let Ok(text) = json(&pieces.concat()) {
            prop_assert!(serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok(), "{}", text);
        }
    }
}

const PIECES: &[&str] = &[
    "<e>",
    "</e>",
    "<e ",
    "/>",
    ">",
    "<Title>",
    "</Title>",
    "<inner>",
    "</inner>",
    "<List>",
    "</List>",
    "<one/>",
    "<note by='",
    "'",
    "\"",
    " id='1'",
    " xmlns:f='https://example.com/f'",
    "<f:far>",
    "</f:far>",
    " xsi:nil='true'",
    " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'",
    "&amp;",
    "&x;",
    "&#65;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<?xml version='1.0'?>",
    "<!DOCTYPE e>",
    "\u{feff}",
    " ",
    "\n",
    "a",
    "1",
    "true",
    "<any>",
    "</any>",
    "<map>",
    "</map>",
    "<tag>",
    "</tag>",
    "<mixed>",
    "</mixed>",
];
