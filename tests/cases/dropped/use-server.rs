//! Output-only fields are dropped from requests without validation, so that a service never sees them and no client is
//! refused for them.

use dropped_client::Client;
use dropped_client::runtime::{Tier, transport::ServiceTransport};
use dropped_client::validation::Rules;
use dropped_server::requests::{ItemsAdd, ItemsAll, ItemsImport, ItemsPatch};
use dropped_server::runtime::axum::{Router, body::Body, http};
use dropped_server::service::Items;
use dropped_server::types::runtime::{Merge as _, json};
use dropped_server::types::{Item, Person};
use dropped_server::{Context, Result};
use http_body_util::BodyExt as _;
use tower_service::Service as _;

struct Echo;

impl Items for Echo {
    async fn add(&self, request: ItemsAdd, _: &Context) -> Result<Item> {
        Ok(request.body.into())
    }

    async fn import(&self, request: ItemsImport, _: &Context) -> Result<Item> {
        Ok(request.body.into())
    }

    async fn all(&self, request: ItemsAll, _: &Context) -> Result<Vec<Item>> {
        Ok(request.body.into())
    }

    async fn patch(&self, request: ItemsPatch, context: &Context) -> Result<Item> {
        let stored = Item::default().with_locked(true).with_version(3);
        let _ = context.admit(&request, &stored)?;
        let mut item = stored;
        item.apply(request.body);
        Ok(item.into())
    }
}

fn router() -> Router {
    dropped_server::router(Echo)
}

async fn send_raw(method: &str, path: &str, content_type: &str, body: &str) -> (u16, String) {
    let request = http::Request::builder().method(method).uri(path).header("content-type", content_type);
    let response = router().call(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
    let status = response.status().as_u16();
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(bytes.to_vec()).unwrap())
}

const JSON: &str = "application/json";

#[tokio::test]
async fn dropped_fields_are_not_validated() {
    for member in [
        r#""kind":"shop#other""#,
        r#""kind":7"#,
        r#""id":"NOT A NAME""#,
        r#""id":{"a":[1]}"#,
        r#""id":null"#,
        r#""version":0"#,
        r#""version":"three""#,
        r#""version":1e99"#,
        r#""revision":"three""#,
        r#""version":1,"version":2"#,
        r#""version":1,"revision":2"#,
        r#""form":"round""#,
        r#""form":false"#,
        r#""state":"lost""#,
        r#""state":3"#,
        r#""made":"yesterday""#,
        r#""made":"\ud800""#,
        r#""owner":{"name":"much too long","mark":"x"}"#,
        r#""owner":[]"#,
        r#""locked":true"#,
        r#""locked":"yes""#,
    ] {
        for text in [
            format!(r#"{{{member},"title":"a"}}"#),
            format!(r#"{{"title":"a",{member}}}"#),
            format!(r#"{{ {member} , "title":"a", {member} }}"#),
        ] {
            assert_eq!(send_raw("POST", "/items", JSON, &text).await, (200, r#"{"title":"a"}"#.to_owned()), "{text}");
        }
    }
    let all = r#"{"kind":1,"id":2,"version":"x","form":3,"state":4,"made":5,"owner":6,"locked":7}"#;
    assert_eq!(send_raw("POST", "/items", JSON, all).await, (200, "{}".to_owned()));
}

#[tokio::test]
async fn fields_are_dropped_at_every_depth() {
    let text = r#"{"people":[{"verified":1,"name":"a"},{"kind":null,"name":"b","verified":{}}],
                   "byRole":{"kind":{"kind":3,"name":"c","verified":[]}}}"#;
    let seen = r#"{"people":[{"name":"a"},{"name":"b"}],"byRole":{"kind":{"name":"c"}}}"#;
    assert_eq!(send_raw("POST", "/items", JSON, text).await, (200, seen.to_owned()));
    let (status, reply) = send_raw("POST", "/items/all", JSON, &format!("[{text},{text}]")).await;
    assert_eq!((status, reply), (200, format!("[{seen},{seen}]")));
    // An operation that takes the field validates it.
    let text = r#"{"id":1,"owner":{"verified":2,"name":"a"}}"#;
    assert_eq!(send_raw("POST", "/items/import", JSON, text).await, (200, r#"{"owner":{"name":"a"}}"#.to_owned()));
    for owner in ["1", r#"{"name":"much too long"}"#, r#"{"name":1,"verified":2}"#] {
        let (status, reply) = send_raw("POST", "/items/import", JSON, &format!(r#"{{"id":1,"owner":{owner}}}"#)).await;
        assert!(status == 400 && reply.contains(r#""location":"owner"#), "{owner}: {reply}");
    }
}

#[tokio::test]
async fn fields_are_dropped_from_patches_and_forms() {
    for body in [r#"{"version":"x","title":null,"id":null,"kind":3}"#, r#"{"people":[],"owner":7,"locked":false}"#] {
        let (status, reply) = send_raw("PATCH", "/items/1", JSON, body).await;
        assert_eq!(
            (status, reply.contains(r#""version":3"#), reply.contains(r#""locked":true"#)),
            (200, true, true),
            "{reply}"
        );
    }
    // Rules are evaluated with the stored value.
    let (status, reply) = send_raw("PATCH", "/items/1", JSON, r#"{"locked":false,"title":"a"}"#).await;
    assert!(status == 400 && reply.contains("what is locked gets no title"), "{reply}");
    let form = "title=a&version=x&kind=other&made=never&locked=maybe&id=1&id=2&owner=%7B";
    let seen = (200, r#"{"title":"a"}"#.to_owned());
    assert_eq!(send_raw("POST", "/items", "application/x-www-form-urlencoded", form).await, seen);
    let part =
        |name: &str, value: &str| format!("--b\r\ncontent-disposition: form-data; name={name}\r\n\r\n{value}\r\n");
    let form = part("version", "x") + &part("title", "a") + &part("made", "never") + "--b--\r\n";
    assert_eq!(send_raw("POST", "/items", "multipart/form-data; boundary=b", &form).await, seen);
}

#[tokio::test]
async fn other_violations_are_reported() {
    for (text, paths) in [
        (r#"{"id":1,"title":2}"#, &["title"] as &[&str]),
        (
            r#"{"id":1,"title":"much too long","people":[{"verified":1},{"verified":2,"name":""}]}"#,
            &["title", "people[1].name"],
        ),
        (r#"{"version":"x","name":2}"#, &["name"]),
        (r#"{"version":"x","name":"much too long"}"#, &["name"]),
        (r#"{"seal":"x"}"#, &["seal"]),
        (r#"{"seal":1,"id":1}"#, &["seal"]),
        (r#"{"people":[{"mark":"x","kind":"x"}],"locked":true}"#, &["people[0].mark"]),
    ] {
        let (status, reply) = send_raw("POST", "/items", JSON, text).await;
        let response: dropped_server::types::runtime::Value = json::from_str(&reply).unwrap();
        let errors = response["error"]["errors"].as_array().unwrap();
        let locations: Vec<&str> = errors.iter().map(|error| error["location"].as_str().unwrap()).collect();
        assert_eq!((status, &*locations), (400, paths), "{text}");
    }
    // The whole body must be JSON, including dropped fields.
    assert_eq!(send_raw("POST", "/items", JSON, r#"{"id":tru,"title":"a"}"#).await.0, 400);
}

/// A resource that was read can be sent back.
#[tokio::test]
async fn a_client_may_send_dropped_fields() {
    let client = |keeps: bool| -> Client {
        let builder = Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router()));
        builder.validation(Rules, Tier::Deny).keep_output_only(keeps).build().unwrap()
    };
    let person = Person::default().with_name("a").with_kind("shop#else").with_verified(true);
    let item = Item::default().with_kind("shop#else").with_id("A B").with_version(0).with_form("round");
    let item = item.with_locked(true).with_title("a").with_people([person]);
    let seen = Item::default().with_title("a").with_people([Person::default().with_name("a")]);
    assert_eq!(client(false).items().add(item.clone().with_seal("x")).send().await.unwrap(), seen);
    let kept = Item { locked: None, ..item };
    assert_eq!(client(true).items().add(kept).send().await.unwrap(), seen);
}
