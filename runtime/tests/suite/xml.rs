//! Conversion of documents from and to JSON, and rejected documents.

mod hostile;
mod properties;
mod tables;

use tables::{ROOT, SHOP, SMALL, UNIONS, json, xml};
use wireform_runtime::xml::RESPONSE_LIMITS;

#[test]
fn values_round_trip() {
    for (text, document) in [
        (r#"{"id":7,"title":"a","tags":["x","y"]}"#, r#"<e id="7"><Title>a</Title><tag>x</tag><tag>y</tag></e>"#),
        (r#"{"list":[]}"#, "<e><List></List></e>"),
        (r#"{"list":["a",null]}"#, "<e><List><one>a</one><one XSI/></List></e>"),
        (r#"{"inner":{"title":"b","inner":{}}}"#, "<e><inner><Title>b</Title><inner></inner></inner></e>"),
        (r#"{"map":{"a":"1","b":"2"}}"#, "<e><map><a>1</a><b>2</b></map></e>"),
        (r#"{"note":{"by":"me","text":"t"}}"#, r#"<e><note by="me">t</note></e>"#),
        (r#"{"any":{"a":["1","2"],"b":{"c":"3"}}}"#, "<e><any><a>1</a><a>2</a><b><c>3</c></b></any></e>"),
        (r#"{"far":"x"}"#, r#"<e xmlns:f="https://example.com/f"><f:far>x</f:far></e>"#),
        (r#"{"more":"x"}"#, "<e><more>x</more></e>"),
        (r#"{"title":null}"#, "<e><Title XSI/></e>"),
    ] {
        let document =
            document.replace("XSI", r#"xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true""#);
        let declared = document.contains("xmlns:f");
        let document =
            if declared { document } else { document.replacen("<e", r#"<e xmlns:f="https://example.com/f""#, 1) };
        assert_eq!(xml(text).unwrap(), document, "{text}");
        assert_eq!(json(&document).unwrap(), text, "{document}");
    }
}

#[test]
fn kinds_of_values() {
    for (document, expected) in [
        ("<e><on> true </on></e>", r#"{"on":true}"#),
        ("<e><on>True</on></e>", r#"{"on":"True"}"#),
        ("<e id=' 12\n'/>", r#"{"id":12}"#),
        ("<e id='012'/>", r#"{"id":"012"}"#),
        ("<e id=''/>", r#"{"id":""}"#),
        ("<e><Title> a </Title></e>", r#"{"title":" a "}"#),
        ("<e><word> a </word></e>", r#"{"word":"a"}"#),
        ("<e><mixed>12</mixed></e>", r#"{"mixed":12}"#),
        ("<e><mixed>1.5</mixed></e>", r#"{"mixed":1.5}"#),
        ("<e><mixed>no</mixed></e>", r#"{"mixed":"no"}"#),
        ("<e><mixed>true</mixed></e>", r#"{"mixed":"true"}"#),
        ("<e><Title>a<b/></Title></e>", r#"{"title":{"b":""}}"#),
        // Text in an element that has none is a wrong type, and so is an element within a text.
        ("<e>text<Title>a</Title></e>", r#""text""#),
        ("<e><List>text<one/></List></e>", r#"{"list":"text"}"#),
        ("<e><map><a>1</a> text</map></e>", r#"{"map":" text"}"#),
        ("<e> \n<Title>a</Title>\t</e>", r#"{"title":"a"}"#),
        ("<e>\u{a0}</e>", "\"\u{a0}\""),
        ("<e><on>1</on></e>", r#"{"on":true}"#),
        ("<e><on> 0 </on></e>", r#"{"on":false}"#),
        ("<e><on>01</on></e>", r#"{"on":"01"}"#),
        ("<e><note/></e>", r#"{"note":{"text":""}}"#),
        ("<e><note by='me'></note></e>", r#"{"note":{"by":"me","text":""}}"#),
        ("<e><note><x/></note></e>", r#"{"note":{"x":""}}"#),
        ("<e><amount/></e>", r#"{"amount":{}}"#),
        ("<e><amount>1</amount></e>", r#"{"amount":{"value":1}}"#),
        ("<e><title>a</title></e>", "{}"),
        ("<e><name>a</name></e>", r#"{"title":"a"}"#),
        ("<e><x>1</x><y/><x>2</x></e>", r#"{"x":["1","2"],"y":""}"#),
        ("<e x='1' xml:lang='de'><x>2</x></e>", r#"{"x":"1"}"#),
    ] {
        assert_eq!(json(document).unwrap(), expected, "{document}");
    }
}

#[test]
fn names_in_namespaces() {
    let f = "xmlns:f='https://example.com/f'";
    for (document, expected) in [
        (format!("<e {f}><f:far>1</f:far></e>"), r#"{"far":"1"}"#),
        (format!("<e {f}><far>1</far></e>"), r#"{"far":"1"}"#),
        ("<e xmlns:g='https://example.com/f'><g:far>1</g:far></e>".to_owned(), r#"{"far":"1"}"#),
        ("<e><far xmlns='https://example.com/f'>1</far></e>".to_owned(), r#"{"far":"1"}"#),
        // An element in another namespace is not the field with the same name.
        ("<e xmlns:f='https://example.com/g'><f:far>1</f:far></e>".to_owned(), "{}"),
        (format!("<e {f}><f:Title>1</f:Title></e>"), r#"{"Title":"1"}"#),
        // An extension is unknown, regardless of its name.
        (format!("<e {f}><word>1</word><f:word href='2'/></e>"), r#"{"word":"1"}"#),
        (format!("<e {f} f:id='8'/>"), "{}"),
        (format!("<e {f} f:id='8' id='7'/>"), r#"{"id":7}"#),
        (format!("<e {f} f:new='8'/>"), r#"{"new":"8"}"#),
        (
            format!("<f:e {f}><f:word>1</f:word><note xmlns='{}'>2</note></f:e>", "https://example.com/f"),
            r#"{"word":"1","note":{"text":"2"}}"#,
        ),
        (format!("<f:e {f} f:id='8'><f:name>1</f:name></f:e>"), r#"{"title":"1"}"#),
        (format!("<e {f}><f:name>1</f:name></e>"), "{}"),
        ("<e xmlns='https://example.com/any'><Title>1</Title></e>".to_owned(), r#"{"title":"1"}"#),
    ] {
        assert_eq!(json(&document).unwrap(), expected, "{document}");
    }
}

/// Elements in a default namespace round-trip, regardless of the namespaces of others.
#[test]
fn default_namespaces() {
    let text = r#"{"plain":"1","note":{"by":"a","text":"b"},"inner":{"plain":"2","note":{"by":"","text":"c"}},"far":{"plain":"3"}}"#;
    let document = String::from_utf8(SHOP.to_xml(text.as_bytes()).unwrap()).unwrap();
    let read = SHOP.to_json(document.as_bytes(), RESPONSE_LIMITS).unwrap();
    assert_eq!(String::from_utf8(read).unwrap(), text, "{document}");
    assert!(document.contains(r#"<f:far><plain xmlns="">3</plain></f:far>"#), "{document}");
    assert!(document.contains(r#"<plain>1</plain><note by="a">b</note>"#), "{document}");
}

/// Attributes about the document are not fields, unless the table has them.
#[test]
fn attributes_of_schema_instances() {
    let xsi = "xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'";
    let attributes = "xsi:schemaLocation='a b' xsi:noNamespaceSchemaLocation='c' xsi:nil='false'";
    assert_eq!(json(&format!("<e {xsi} {attributes} xsi:type='t'/>")).unwrap(), "{}");
    assert_eq!(json(&format!("<e {xsi} xsi:other='1'/>")).unwrap(), r#"{"other":"1"}"#);
    assert_eq!(json(&format!("<e><Title {xsi} xsi:type='t'>a</Title></e>")).unwrap(), r#"{"title":"a"}"#);
    assert_eq!(json(&format!("<e><any {xsi} xsi:type='t'>a</any></e>")).unwrap(), r#"{"any":"a"}"#);
    let typed =
        SHOP.to_json(format!("<shop {xsi} {attributes} xsi:type='t' type='u'/>").as_bytes(), RESPONSE_LIMITS).unwrap();
    assert_eq!(String::from_utf8(typed).unwrap(), r#"{"type":"t"}"#);
    let document = String::from_utf8(SHOP.to_xml(br#"{"type":"t"}"#).unwrap()).unwrap();
    assert!(
        document.contains(r#" xsi:type="t""#) && SHOP.to_json(document.as_bytes(), RESPONSE_LIMITS).is_ok(),
        "{document}"
    );
}

#[test]
fn unions_by_shape() {
    for (document, expected) in [
        // Text alone is the object with a text, if no other variant matches.
        ("<e><amount>12</amount></e>", r#"{"amount":{"value":12}}"#),
        ("<e><either>12</either></e>", r#"{"either":12}"#),
        ("<e><either>a</either></e>", r#"{"either":{"text":"a"}}"#),
        ("<e><either by='me'>a</either></e>", r#"{"either":{"by":"me","text":"a"}}"#),
        ("<e><words>a</words></e>", r#"{"words":"a"}"#),
        ("<e><words by='me'>a</words></e>", r#"{"words":{"by":"me","text":"a"}}"#),
        // A variant with additional fields loses nothing.
        ("<e><either><wide>1</wide><deep>2</deep></either></e>", r#"{"either":{"wide":1,"deep":2}}"#),
        ("<e><either><wide>1</wide><high>2</high></either></e>", r#"{"either":{"wide":1,"high":2}}"#),
        ("<e><either><high>2</high><deep>3</deep></either></e>", r#"{"either":{"high":2,"deep":3}}"#),
    ] {
        let read = UNIONS.to_json(document.as_bytes(), RESPONSE_LIMITS).unwrap();
        assert_eq!(String::from_utf8(read).unwrap(), expected, "{document}");
    }
    let document = UNIONS.to_xml(br#"{"either":{"wide":1,"deep":2}}"#).unwrap();
    assert!(String::from_utf8(document).unwrap().ends_with("<either><wide>1</wide><deep>2</deep></either></e>"));
}

#[test]
fn messages() {
    let shop = |document: &str| SHOP.to_json(document.as_bytes(), RESPONSE_LIMITS).unwrap_err().message;
    assert_eq!(
        shop("<shop xmlns='urn:other'/>"),
        "expected the root element `shop` in the namespace `https://example.com/shop`, found `shop` in the namespace `urn:other`"
    );
    assert_eq!(
        shop("<e/>"),
        "expected the root element `shop` in the namespace `https://example.com/shop`, found `e` without a namespace"
    );
    let message = |document: &str| json(document).unwrap_err().message;
    assert_eq!(message("<a/>"), "expected the root element `e`, found `a`");
    assert_eq!(message("<1tem/>"), "invalid name `1tem`");
    assert_eq!(message("<a:b:c/>"), "invalid name `a:b:c`");
    assert_eq!(message("<e>&nbsp;</e>"), "unknown entity `&nbsp;`: expected `lt`, `gt`, `amp`, `apos` or `quot`");
    assert_eq!(message("<e>&#1;</e>"), "invalid character reference `&#1;`");
    assert_eq!(message("<p:e/>"), "undeclared prefix `p`");
    // Line and column are positions in the document, not in the converted JSON.
    assert_eq!(ROOT.decode::<Vec<String>>(b"<e/>", None).unwrap_err().line, 0);
    assert_eq!(ROOT.decode::<Vec<String>>(b"<e>\n</a></e>", None).unwrap_err().line, 2);
}

/// Ranges of XML 1.0, fifth edition, section 2.3.
#[test]
fn names() {
    for name in [
        "_",
        "a-b.c1",
        "\u{c0}",
        "\u{2c00}x",
        "\u{200c}",
        "\u{203f}",
        "a\u{203f}",
        "a\u{b7}",
        "\u{3007}",
        "a\u{300}",
        "\u{10000}",
    ] {
        let starts = name != "\u{203f}";
        assert_eq!(json(&format!("<e><any><{name}/></any></e>")).is_ok(), starts, "{name:?}");
        let text = format!(r#"{{"map":{{"{name}":"1"}}}}"#);
        assert_eq!(xml(&text).is_ok(), starts, "{name:?}");
    }
    for name in [
        "\u{d7}",
        "a\u{f7}",
        "\u{37e}",
        "\u{aa}",
        "a\u{b2}",
        "\u{300}",
        "-a",
        ".a",
        "1",
        "\u{2190}",
        "\u{f0000}",
        "\u{3000}",
    ] {
        assert!(json(&format!("<e><any><{name}/></any></e>")).is_err(), "{name:?}");
        assert!(xml(&format!(r#"{{"map":{{"{name}":"1"}}}}"#)).is_err(), "{name:?}");
    }
}

#[test]
fn positions_of_errors() {
    for (document, line, column) in [
        ("<e>\n  <Title>a</Title>\n  <b></c>\n</e>", 3, 6),
        ("<e><!DOCTYPE x></e>", 1, 4),
        ("<e a='1' a='2'/>", 1, 1),
        ("<e>&x;</e>", 1, 4),
    ] {
        let error = json(document).unwrap_err();
        assert_eq!((error.line, error.column), (line, column), "{document}: {error}");
    }
    let long = format!("<{}/>", "x\u{7f}".repeat(10_000));
    let message = json(&long).unwrap_err().to_string();
    assert!(message.len() < 1000 && !message.contains(char::is_control), "{message}");
}

#[test]
fn unencodable_values() {
    for text in [
        r#"{"title":"\u0000"}"#,
        r#"{"title":"\uffff"}"#,
        r#"{"map":{"a b":"1"}}"#,
        r#"{"map":{"":"1"}}"#,
        r#"{"x:y":1}"#,
        "{",
    ] {
        assert!(xml(text).is_err(), "{text}");
    }
    assert_eq!(SMALL.media_type(), "application/a+xml");
    assert!(SMALL.is_xml(Some("TEXT/XML; charset=utf-8")) && !SMALL.is_xml(None) && ROOT.is_xml(None));
}
