//! Hostile documents.

use wireform_runtime::xml::{RESPONSE_LIMITS, XmlLimits};

use super::tables::{ROOT, json};

fn rejection_of(document: &str, limits: XmlLimits) -> String {
    ROOT.to_json(document.as_bytes(), limits).unwrap_err().to_string()
}

#[test]
fn limits_hold_exactly() {
    let few = XmlLimits { depth: 3, nodes: 5 };
    let json = |document: &str| ROOT.to_json(document.as_bytes(), few);
    assert!(json("<e><a><b/></a></e>").is_ok() && json("<e a='' b='' c=''><a/></e>").is_ok());
    assert!(rejection_of("<e><a><b><c/></b></a></e>", few).contains("nested too deep"));
    assert!(rejection_of("<e a='' b='' c='' d=''><a/></e>", few).contains("too many elements"));
    let many = |count: usize| format!("<e{}/>", (0..count).map(|at| format!(" a{at}=''")).collect::<String>());
    assert!(super::json(&many(256)).is_ok() && super::json(&many(257)).is_err());
    let many = |count: usize| format!("<e{}/>", (0..count).map(|at| format!(" xmlns:a{at}='u'")).collect::<String>());
    assert!(super::json(&many(64)).is_ok() && super::json(&many(65)).is_err());
}

/// Every element and attribute refers to its namespace, whose length the sender controls.
#[test]
fn namespaces_are_limited() {
    let long = |length: usize| format!("<e xmlns:a='{}'/>", "u".repeat(length));
    assert!(json(&long(1024)).is_ok());
    assert!(json(&long(1025)).unwrap_err().message.contains("1024 bytes"));
    let escaped = format!("<e xmlns='{}'>{}</e>", "&amp;".repeat(200_000), "<a/>".repeat(100_000));
    assert!(json(&escaped).unwrap_err().message.contains("1024 bytes"));
}

/// Elements are processed recursively, so their depth is limited regardless of the limits of a service.
#[test]
fn deep_documents_are_always_rejected() {
    let deep = format!("<e>{}{}</e>", "<inner>".repeat(200_000), "</inner>".repeat(200_000));
    let deepest = XmlLimits { depth: usize::MAX, nodes: usize::MAX };
    assert!(rejection_of(&deep, deepest).contains("nested too deep"));
}

// The following documents have up to a million parts: in quadratic time, their tests would not end.

#[test]
fn many_names_take_linear_time() {
    let names: String = (0..200_000).map(|at| format!("<a{at}/>")).collect();
    assert!(json(&format!("<e>{names}</e>")).is_ok());
}

#[test]
fn many_entries_of_a_map_take_linear_time() {
    let entries: String = (0..200_000).map(|at| format!("<a{at}>1</a{at}>")).collect();
    assert!(json(&format!("<e><map>{entries}</map></e>")).is_ok());
}

#[test]
fn many_alternating_elements_take_linear_time() {
    let tags = "<tag>x</tag><Title>a</Title>".repeat(100_000);
    assert!(json(&format!("<e>{tags}</e>")).is_ok());
}

#[test]
fn many_scopes_of_namespaces_take_linear_time() {
    let scopes = "<a xmlns:b='u:b'><b:c/></a>".repeat(100_000);
    assert!(json(&format!("<e><any>{scopes}</any></e>")).is_ok());
}

#[test]
fn many_references_take_linear_time() {
    let references = "&amp;&#65;".repeat(500_000);
    assert!(json(&format!("<e><Title>{references}</Title></e>")).is_ok());
}

#[test]
fn many_pieces_of_a_text_take_linear_time() {
    let pieces = "<![CDATA[x]]><!-- -->".repeat(200_000);
    assert!(json(&format!("<e><Title>{pieces}</Title></e>")).is_ok());
}

#[test]
fn deep_documents_end() {
    let deep = |count: usize| format!("<e><any>{}{}</any></e>", "<a>".repeat(count), "</a>".repeat(count));
    assert!(json(&deep(125)).is_ok());
    assert!(json(&deep(126)).unwrap_err().to_string().contains("nested too deep"));
    assert!(json(&"<a>".repeat(1_000_000)).is_err());
    let inner = format!("<e>{}{}</e>", "<inner>".repeat(126), "</inner>".repeat(126));
    assert!(json(&inner).is_ok());
}

/// Documents that are not well-formed, or have a construct that is not supported.
const REJECTED: [&str; 48] = [
    "<!DOCTYPE e><e/>",
    "<!DOCTYPE e SYSTEM \"http://localhost/x.dtd\"><e/>",
    "<!DOCTYPE e [<!ENTITY a 'b'>]><e>&a;</e>",
    "<?xml version='1.0'?><!DOCTYPE e [<!ENTITY % p SYSTEM 'x'> %p;]><e/>",
    "<e><Title>&e;</Title></e>",
    "<e><Title>&AMP;</Title></e>",
    "<e><Title>& b</Title></e>",
    "<e><Title>&#xD800;</Title></e>",
    "<e><Title>&#x110000;</Title></e>",
    "<e><Title>&#99999999999999999999;</Title></e>",
    "<e><Title>&#;</Title></e>",
    "<e id='&e;'/>",
    "<e id='&#2;'/>",
    "<e id=1/>",
    "<e id/>",
    "<e id='1'id='2'/>",
    "<?xml version='1.0' encoding='utf-7'?><e/>",
    "<?xml version='2.0'?><e/>",
    "<?xml encoding='utf-8'?><e/>",
    "<e/><?xml version='1.0'?>",
    "<e xmlns:xml='u'><xml:a/></e>",
    "<e xmlns:xml='http://www.w3.org/2000/xmlns/'/>",
    "<e xmlns:xmlns='u'/>",
    "<e xmlns:xmlns='http://www.w3.org/2000/xmlns/'/>",
    "<e xmlns:a='http://www.w3.org/2000/xmlns/'/>",
    "<e xmlns='http://www.w3.org/2000/xmlns/'/>",
    "<e xmlns:a='http://www.w3.org/XML/1998/namespace'/>",
    "<e xmlns='http://www.w3.org/XML/1998/namespace'/>",
    "<e xmlns:a=''/>",
    "<e xmlns:=''/>",
    "<e xmlns:='u'/>",
    "<e xmlns:a='u' xmlns:a='u'/>",
    "<e xmlns='u' xmlns='u'/>",
    "<e xmlns:a='u' xmlns:b='u' a:c='' b:c=''/>",
    "<e xmlns:a='u' xmlns:b='&#117;' a:c='' b:c=''/>",
    "<e><xmlns:a/></e>",
    "<e>]]></e>",
    "<e><Title>a]]>b</Title></e>",
    "<e><!-- a -- b --></e>",
    "<e><![CDATA[</e>",
    "<e><?pi</e>",
    "<e></e",
    "</e>",
    "<",
    "",
    "\0",
    "<e>\u{fffe}</e>",
    "<e>\u{8}</e>",
];

#[test]
fn entities_and_encodings() {
    for document in REJECTED {
        assert!(json(document).is_err(), "{document}");
    }
    for bytes in [&b"<e>\xff</e>"[..], b"\xff\xfe<\0e\0/\0>\0", b"<\0e\0/\0>\0", b"\xef\xbb\xbf\xef\xbb\xbf<e/>"] {
        assert!(ROOT.to_json(bytes, RESPONSE_LIMITS).is_err(), "{bytes:?}");
    }
    for document in [
        "<e xmlns:xml='http://www.w3.org/XML/1998/namespace' xml:lang='de'/>",
        "<e xmlns='u' xmlns:a='u'><title xmlns:a='v' xmlns=''>]]&gt;<!-- -->]]<!-- -->></title></e>",
        "\u{feff}<e/>",
        "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n<e/>",
        "<e/>\n<!-- --><?p q?>\n",
    ] {
        assert_eq!(json(document).unwrap(), "{}", "{document}");
    }
}
