//! XML has the same fields, rules and paths as JSON, and hostile documents are refused.

use http_body_util::BodyExt as _;
use tower_service::Service as _;
use xml_client::Client;
use xml_client::runtime::transport::ServiceTransport;
use xml_server::requests::{
    ItemsAdd, ItemsGet, ItemsList, ItemsReplace, ReportsGet, ReportsGetBox, ReportsGetFormat, ReportsGetResponse, ReportsSend,
    ReportsSendBody,
};
use xml_server::runtime::axum::{Router, body::Body, http};
use xml_server::runtime::Reply;
use xml_server::types::runtime::{Date, Decimal, Nullable, RawBody};
use xml_server::types::{Auction, Box as Size, Color, Extra, Item, Note, Offer, Report, Sale};
use xml_server::{Context, Result, service};

struct Shop;

/// Returns an item with a value in every field.
fn item() -> Item {
    let part = Item::default().with_title("Lid").with_extra(Extra::Number(5));
    Item {
        id: Some("1".into()),
        lang: Some("en".into()),
        title: Some("Tea & <pot> \"x\"".into()),
        price: Some(2.5),
        count: Some(Decimal(9_007_199_254_740_993)),
        sold: Some(true),
        color: Some(Color::Blue),
        since: Some("2026-01-01T10:00:00.50Z".parse().unwrap()),
        picture: Some(vec![1, 2, 255].into()),
        tags: vec!["a".into(), " b\r\n".into()],
        sizes: Some(vec![1, -2]),
        parts: vec![part, Item::default().with_title("Pot").with_sizes(Vec::<i32>::new())],
        note: Some(Note::default().with_language("de").with_content(" Hallo ")),
        offer: Some(Sale::default().with_percent(10).into()),
        extra: Some(Extra::Words("12a".into())),
        labels: [("one".to_owned(), "1".to_owned()), ("zwei_ü".to_owned(), String::new())].into(),
        rating: Nullable::Null,
        free: Some(free_value()),
        ..Item::default()
    }
}

fn free_value() -> xml_server::types::runtime::Value {
    xml_server::types::runtime::Value::from("any <text>")
}

impl service::Items for Shop {
    async fn get(&self, request: ItemsGet, _: &Context) -> Result<Item> {
        let stored = item().with_secret("s");
        Ok(if request.id == "control" { stored.with_title("a\u{1}b") } else { stored }.into())
    }

    async fn add(&self, request: ItemsAdd, _: &Context) -> Result<Item> {
        Ok(request.body.into())
    }

    async fn list(&self, _: ItemsList, _: &Context) -> Result<Vec<Item>> {
        Ok(vec![Item::default().with_title("a"), Item::default().with_title("b")].into())
    }

    async fn replace(
        &self,
        request: ItemsReplace,
        _: &Context,
    ) -> Result<std::collections::BTreeMap<String, i32>> {
        let titles = request.body.into_iter().flatten().map(|item| item.title.unwrap_or_default());
        Ok(titles.zip(1..).collect::<std::collections::BTreeMap<String, i32>>().into())
    }
}

impl service::Reports for Shop {
    async fn get(&self, _: ReportsGet, context: &Context) -> Result<ReportsGetResponse> {
        Ok(Reply::new(match context.format::<ReportsGetFormat>() {
            ReportsGetFormat::Report => ReportsGetResponse::Report(Report::default().with_count(3)),
            ReportsGetFormat::Box => Size::default().with_width(4).into(),
            ReportsGetFormat::Csv => RawBody::<String>::new("count\n3\n").into(),
            ReportsGetFormat::Drawing => RawBody::<Vec<u8>>::new(*b"<svg/>").into(),
        }))
    }

    async fn get_box(&self, request: ReportsGetBox, _: &Context) -> Result<Size> {
        Ok(request.body.into())
    }

    async fn send(&self, request: ReportsSend, _: &Context) -> Result<Report> {
        let count = match request.body {
            ReportsSendBody::Report(report) => report.count,
            ReportsSendBody::Note(note) => Some(note.content.map_or(0, |text| text.len() as i32)),
            ReportsSendBody::Text(text) => Some(-(text.content().len() as i32)),
        };
        Ok(Report { count, ..Report::default() }.into())
    }
}

fn router() -> Router {
    xml_server::router(Shop)
}

fn client() -> Client {
    Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap()
}

struct TestResponse {
    status: u16,
    headers: http::HeaderMap,
    text: String,
}

async fn send_raw(method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> TestResponse {
    let mut request = http::Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = router().call(request.body(Body::from(body.to_vec())).unwrap()).await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = response.into_body().collect().await.unwrap().to_bytes();
    TestResponse { status, headers, text: String::from_utf8_lossy(&body).into_owned() }
}

/// Sends an item as XML.
async fn add_xml(body: &str) -> (u16, String) {
    let response = send_raw("POST", "/items", &[("content-type", "application/xml")], body.as_bytes()).await;
    (response.status, response.text)
}

const SHOP: &str = "xmlns:s=\"https://example.com/shop\"";
const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";

#[tokio::test]
async fn a_value_is_equal_in_json_and_xml() {
    let (client, items) = (client(), client().items());
    let expected = item();
    assert_eq!(items.get("1").await.unwrap(), expected);
    assert_eq!(items.get("1").as_xml().await.unwrap(), expected);
    // An operation that only responds with XML works without a choice; requests are sent as JSON if there is a choice.
    let sent = Item { id: None, ..item() };
    assert_eq!(client.items().add(item()).await.unwrap(), sent);
    // An empty string is not absent.
    let empty = Item::default().with_title("t").with_note(Note::default().with_content(""));
    assert_eq!(client.items().add(empty.clone()).await.unwrap(), empty);
    let document = send_raw("POST", "/items", &[("content-type", "application/json")], br#"{"title":"t","note":{"content":""}}"#).await.text;
    assert_eq!(add_xml(&document).await, (200, document));
    let listed = items.list().await.unwrap();
    assert_eq!(listed.iter().map(|item| item.title.as_deref().unwrap()).collect::<Vec<_>>(), ["a", "b"]);
    let counted = items.replace().body(vec![Item::default().with_title("x")]).await.unwrap();
    assert_eq!(counted, [("x".to_owned(), 1)].into());
    assert!(items.replace().await.unwrap().is_empty());
}

#[tokio::test]
async fn documents_are_written_as_declared() {
    let response = send_raw("GET", "/items/1", &[("accept", "application/xml")], b"").await;
    assert_eq!((response.status, &response.headers["content-type"]), (200, &http::HeaderValue::from_static("application/xml")));
    let expected = [
        "<s:item ", SHOP, " id=\"1\" lang=\"en\">",
        "<s:title>Tea &amp; &lt;pot&gt; \"x\"</s:title><price>2.5</price><count>9007199254740993</count><sold>true</sold>",
        "<color>blue</color><since>2026-01-01T10:00:00.50Z</since><picture>AQL_</picture><tag>a</tag><tag> b&#13;\n</tag>",
        "<Sizes><size>1</size><size>-2</size></Sizes>",
        "<parts><parts><s:title>Lid</s:title><extra>5</extra></parts><parts><s:title>Pot</s:title><Sizes></Sizes></parts></parts>",
        "<note language=\"de\"> Hallo </note><offer percent=\"10\"><kind>sale</kind></offer><extra>12a</extra>",
        "<labels><one>1</one><zwei_ü></zwei_ü></labels>",
        "<rating xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:nil=\"true\"/><free>any &lt;text&gt;</free></s:item>",
    ];
    assert_eq!(response.text, format!("{HEAD}{}", expected.concat()));
    let response = send_raw("GET", "/items", &[], b"").await;
    let of = |title: &str| format!("<s:item {SHOP}><s:title>{title}</s:title></s:item>");
    assert_eq!(response.text, format!("{HEAD}<items>{}{}</items>", of("a"), of("b")));
}

#[tokio::test]
async fn the_header_accept_chooses() {
    for (accept, expected) in [
        (None, "application/json; charset=UTF-8"),
        (Some("*/*"), "application/json; charset=UTF-8"),
        (Some("application/xml, */*;q=0.5"), "application/xml"),
        (Some("application/json;q=0.5, application/xml"), "application/xml"),
        (Some("application/json, application/xml"), "application/json; charset=UTF-8"),
        (Some("application/*"), "application/json; charset=UTF-8"),
    ] {
        let headers: Vec<_> = accept.map(|accept| ("accept", accept)).into_iter().collect();
        let response = send_raw("GET", "/items/1", &headers, b"").await;
        assert_eq!((response.status, response.headers["content-type"].to_str().unwrap()), (200, expected), "{accept:?}");
        assert!(response.headers.get_all("vary").iter().any(|value| value == "Accept"));
        assert!(!response.text.contains("secret"));
    }
    assert_eq!(send_raw("GET", "/items/1", &[("accept", "text/html")], b"").await.status, 406);
    assert_eq!(send_raw("POST", "/items", &[("accept", "application/json")], b"<item/>").await.status, 406);
    // The entity tag is that of the JSON representation, so it must not match the XML one.
    let json = send_raw("GET", "/items/1", &[], b"").await.headers["etag"].clone();
    let tag = ("if-none-match", json.to_str().unwrap());
    let response = send_raw("GET", "/items/1", &[tag], b"").await;
    assert_eq!((response.status, response.text.as_str(), response.headers.get("content-type")), (304, "", None));
    assert!(response.headers.get_all("vary").iter().any(|value| value == "Accept"));
    for tag in [tag, ("if-none-match", "*")] {
        let response = send_raw("GET", "/items/1", &[("accept", "application/xml"), tag], b"").await;
        assert_eq!((response.status, response.headers.get("etag")), (200, None));
        assert!(response.text.contains("<s:title>") && response.headers.get_all("vary").iter().any(|value| value == "Accept"));
    }
}

#[tokio::test]
async fn alternatives_can_be_json_or_xml() {
    let (client, reports) = (client(), client().reports());
    for (accept, content_type, text) in [
        ("application/json", "application/json; charset=UTF-8", "{\"count\":3}".to_owned()),
        ("application/xml", "application/xml", format!("{HEAD}<Report><count>3</count></Report>")),
        ("application/box+xml", "application/box+xml", format!("{HEAD}<Box><width>4</width></Box>")),
        ("image/svg+xml", "image/svg+xml", "<svg/>".to_owned()),
        ("text/*", "text/csv", "count\n3\n".to_owned()),
    ] {
        let response = send_raw("GET", "/reports/1", &[("accept", accept)], b"").await;
        assert_eq!((response.status, response.headers["content-type"].to_str().unwrap()), (200, content_type), "{accept}");
        assert_eq!(response.text, text);
    }
    assert_eq!(reports.get("1").as_box().await.unwrap().width, Some(4));
    assert_eq!(reports.get_box(Size::default().with_width(5)).await.unwrap().width, Some(5));
    assert_eq!(reports.get("1").as_report().await.unwrap().count, Some(3));
    let mut call = client.runtime().call(ReportsGet::new("1"));
    call.options_mut().accept = Some("application/xml".into());
    assert_eq!(call.await.unwrap(), ReportsGetResponse::Report(Report::default().with_count(3)));

    assert_eq!(reports.send(Report::default().with_count(7)).await.unwrap().count, Some(7));
    assert_eq!(reports.send(Note::default().with_content("four")).await.unwrap().count, Some(4));
    assert_eq!(reports.send(RawBody::<String>::new("<a/>")).await.unwrap().count, Some(-4));
    let body = b"<Report><count>8</count><more><a>1</a><a>2</a></more></Report>";
    let response = send_raw("POST", "/reports", &[("content-type", "application/xml")], body).await;
    assert_eq!((response.status, response.text.as_str()), (200, r#"{"count":8}"#));
}

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

/// A value that XML cannot represent is an internal error of the service.
#[tokio::test]
async fn a_value_that_xml_cannot_represent_is_not_sent() {
    assert_eq!(send_raw("GET", "/items/control", &[("accept", "application/xml")], b"").await.status, 500);
    assert_eq!(send_raw("GET", "/items/control", &[], b"").await.status, 200);
    let labels = [("not a name".to_owned(), "1".to_owned())];
    let item = Item { labels: labels.into(), ..Item::default().with_title("t") };
    let body = ReportsSendBody::Note(Note::default().with_content("a\u{0}"));
    assert!(client().reports().send(body).await.is_err());
    let error = client().items().replace().body(vec![item]).await.unwrap_err();
    assert!(error.to_string().contains("not a name") || format!("{:?}", error.kind()).contains("not a name"), "{error:?}");
}

#[tokio::test]
async fn every_variant_is_encoded_and_decoded() {
    for offer in [Offer::from(Sale::default().with_percent(1)), Auction::default().with_until("2026-01-01".parse::<Date>().unwrap()).into()] {
        let item = Item { offer: Some(offer), ..Item::default().with_title("t") };
        assert_eq!(client().items().add(item.clone()).await.unwrap(), item);
    }
    let size = Size { rest: [("depth".to_owned(), 3)].into_iter().collect(), ..Size::default().with_width(2) };
    for extra in [Extra::Words("a".into()), Extra::Words(String::new()), Extra::Number(-3), size.into()] {
        let item = Item { extra: Some(extra), ..Item::default().with_title("t") };
        assert_eq!(client().items().add(item.clone()).await.unwrap(), item);
    }
}
