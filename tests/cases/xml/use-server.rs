//! XML has the same fields as JSON.

mod documents;

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
