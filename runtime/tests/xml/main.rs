//! Documents by tables: what is read, what is written, and what is refused.

#![cfg(feature = "xml")]
#![allow(clippy::unwrap_used)] // a test that fails says so by panicking

mod hostile;
mod properties;
mod tables;

use tables::{ROOT, SMALL, json, xml};

#[test]
fn both_ways() {
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
        ("<e>text<Title>a</Title></e>", r#"{"title":"a"}"#),
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
        // What is in another namespace is something else, and has the name of a member.
        ("<e xmlns:f='https://example.com/g'><f:far>1</f:far></e>".to_owned(), "{}"),
        (format!("<e {f}><f:Title>1</f:Title></e>"), r#"{"title":"1"}"#),
        ("<e xmlns='https://example.com/any'><Title>1</Title></e>".to_owned(), r#"{"title":"1"}"#),
    ] {
        assert_eq!(json(&document).unwrap(), expected, "{document}");
    }
}

#[test]
fn places_of_mistakes() {
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
fn what_cannot_be_written() {
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
