//! XML documents that a server accepts and refuses, with the rules and paths of JSON.

use super::{HEAD, SHOP, add_xml, send_raw};

#[tokio::test]
async fn equivalent_documents_are_accepted() {
    let title = "<s:title>t</s:title>";
    for (inner, expected) in [
        // The document may use any prefix, and may omit the namespace.
        ("<x:title xmlns:x=\"https://example.com/shop\">t</x:title>", ""),
        ("<title>t</title>", ""),
        // Elements of another namespace are unknown, and therefore no duplicates.
        ("<s:title>t</s:title><price>1</price><x:price xmlns:x='urn:x'>2</x:price>", "<price>1.0</price>"),
        ("<s:title>t</s:title><note x:language='fr' language='de' xmlns:x='urn:x'>a</note>", "<note language=\"de\">a</note>"),
        ("<s:title>t</s:title><sold>1</sold>", "<sold>true</sold>"),
        ("<s:title>t</s:title><note language='de'/>", "<note language=\"de\"></note>"),
        ("<title xmlns=\"https://example.com/other\">no</title><s:title>t</s:title>", ""),
        ("<!-- a --><?pi b?><s:title><![CDATA[t]]></s:title>", ""),
        ("<s:title>&#116;</s:title><tag>&lt;&amp;&#x41;<![CDATA[<&]]>&quot;</tag>", "<tag>&lt;&amp;A&lt;&amp;\"</tag>"),
        ("<s:title>t</s:title><price>\n 1e2 </price><sold> true </sold><color> red\n</color>", "<price>100.0</price><sold>true</sold><color>red</color>"),
        ("<s:title>t</s:title><tag>a</tag><price>1</price><tag>b</tag>", "<price>1.0</price><tag>a</tag><tag>b</tag>"),
        ("<s:title>t</s:title><tag/>", "<tag></tag>"),
        ("<s:title>t</s:title><Sizes/>", "<Sizes></Sizes>"),
        ("<s:title>t</s:title><note/>", "<note></note>"),
        ("<s:title>t</s:title><note language='a\n&#10;b'>x\r\ny</note>", "<note language=\"a &#10;b\">x\ny</note>"),
        ("<s:title>t</s:title><offer><until>2026-01-01</until><kind>auction</kind></offer>", "<offer><kind>auction</kind><until>2026-01-01</until></offer>"),
        ("<s:title>t</s:title><extra><width>1</width><depth>2</depth></extra>", "<extra><width>1</width><depth>2</depth></extra>"),
        ("<s:title>t</s:title><extra>12</extra>", "<extra>12</extra>"),
        ("<s:title>t</s:title><unknown><a/></unknown><id>7</id>", ""),
        ("<s:title>t</s:title><secret>s</secret>", "<secret>"),
        ("<s:title>t</s:title><free><a x='1'>2</a><a/></free>", "<free><a><x>1</x></a><a></a></free>"),
    ] {
        let (status, text) = add_xml(&format!("\u{feff}{HEAD}\n<s:item {SHOP}>{inner}</s:item>\n<!-- end -->")).await;
        assert_eq!(status, 200, "{inner}: {text}");
        if expected == "<secret>" {
            assert!(!text.contains("secret"));
            continue;
        }
        assert_eq!(text, format!("{HEAD}<s:item {SHOP}>{title}{expected}</s:item>"), "{inner}");
    }
}

/// All violations are reported at once, with the same paths as for JSON.
#[tokio::test]
async fn violations_have_the_paths_of_json() {
    let document = format!(
        "<s:item {SHOP} lang=\"english\"><price>-1</price><sold>yes</sold><tag>a</tag><tag>b</tag><tag>c</tag><tag>d</tag>\
         <parts><parts><s:title>{}</s:title></parts></parts><note>{}</note><offer percent=\"99\"><kind>sale</kind></offer>\
         <count><deep/></count><sold>true</sold></s:item>",
        "x".repeat(21),
        "y".repeat(31)
    );
    let (status, text) = add_xml(&document).await;
    assert_eq!(status, 400);
    for path in ["@lang", "title", "price", "sold", "tags", "parts[0].title", "note.content", "offer.percent", "count"] {
        assert!(text.contains(path), "{path}: {text}");
    }
}

#[tokio::test]
async fn duplicate_elements_are_refused() {
    for inner in [
        "<price>1</price><price>1</price>",
        "<Sizes/><Sizes/>",
        "<note><content>a</content></note><note/>",
        "<labels><a>1</a><a>2</a></labels>",
        // Text is not allowed in elements that contain only elements.
        "<Sizes>text</Sizes>",
        "<labels>text<a>1</a></labels>",
        "<parts><parts>text<title>t</title></parts></parts>",
    ] {
        let (status, text) = add_xml(&format!("<item><title>t</title>{inner}</item>")).await;
        assert_eq!(status, 400, "{inner}: {text}");
    }
    assert_eq!(add_xml("<item lang='de' lang='en'><title>t</title></item>").await.0, 400);
}

#[tokio::test]
async fn hostile_documents_are_refused() {
    let laughs = "<!DOCTYPE l [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]><item><title>&b;</title></item>";
    let outside = "<!DOCTYPE i [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><item><title>&x;</title></item>";
    let deep = format!("<item><title>t</title><free>{}{}</free></item>", "<a>".repeat(200), "</a>".repeat(200));
    let wide = format!("<item><title>t</title>{}</item>", "<a/>".repeat(100_001));
    let attributes: String = (0..300).map(|at| format!(" a{at}=''")).collect();
    let namespaces: String = (0..70).map(|at| format!(" xmlns:a{at}='u:{at}'")).collect();
    for (document, expected) in [
        (laughs, "document type"),
        (outside, "document type"),
        ("<item><title>&nbsp;</title></item>", "&nbsp;"),
        ("<item><title>&#0;</title></item>", "invalid character reference"),
        ("<item><title>&#x1;</title></item>", "invalid character reference"),
        ("<item><title>a\u{1}</title></item>", "character"),
        ("<item><title a='<'>a</title></item>", "character"),
        ("<item><title a='&x;'>a</title></item>", "attribute"),
        (&deep, "nested too deep"),
        (&wide, "too many elements"),
        (&format!("<item{attributes}/>"), "too many attributes"),
        (&format!("<item{namespaces}/>"), "too many namespaces"),
        ("<item><title>a</item>", "malformed XML"),
        ("<item><title>a</title>", "not closed"),
        ("<item/><item/>", "second root"),
        ("text<item/>", "outside"),
        ("<item/>text", "outside"),
        (" ", "missing root element"),
        ("{\"title\":\"a\"}", "outside"),
        ("<p:item/>", "undeclared prefix"),
        ("<1tem/>", "invalid name `1tem`"),
        ("<:item/>", "invalid name `:item`"),
        ("<item xmlns='urn:other'/>", "`item` in the namespace `urn:other`"),
        ("<Report/>", "found `Report` without a namespace"),
        ("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><item/>", "UTF-8"),
        ("<?xml version=\"1.0\" encoding=\"UTF-16\"?><item/>", "UTF-8"),
        ("<?xml version=\"1.1\"?><item/>", "XML version"),
        (" <?xml version=\"1.0\"?><item/>", "beginning"),
    ] {
        let (status, text) = add_xml(document).await;
        assert_eq!(status, 400, "{document:.80}: {text}");
        assert!(text.contains(expected), "{document:.80}: {text}");
    }
    let head = [("content-type", "application/xml")];
    assert_eq!(send_raw("POST", "/items", &head, b"<item>\xff</item>").await.status, 400);
    assert_eq!(send_raw("POST", "/items", &head, b"\xfe\xff\0<\0i\0t\0e\0m\0/\0>").await.status, 400);
    let latin = [("content-type", "application/xml; charset=ISO-8859-1")];
    assert_eq!(send_raw("POST", "/items", &latin, b"<item><title>t</title></item>").await.status, 415);
    let quoted = [("content-type", "text/xml;charset=\"UTF-8\"")];
    assert_eq!(send_raw("POST", "/items", &quoted, b"<item><title>t</title></item>").await.status, 200);
    assert_eq!(send_raw("POST", "/items", &[("content-type", "application/soap+xml")], b"<item/>").await.status, 415);
}
