//! Roles of parameters on both sides: credentials, media, the format of responses, and errors.

use std::time::Duration;

use http_body_util::BodyExt as _;
use roles_client::Client;
use roles_client::runtime::transport::ServiceTransport;
use roles_client::runtime::{Credentials, Media, Protocol, RetryPolicy};
use roles_server::requests::{ItemsAdd, ItemsGet};
use roles_server::runtime::axum::{Router, body::Body, http};
use roles_server::runtime::{AuthError, AuthRequest, Credential, MemorySessions, Quota, Reply, UnknownParameters};
use roles_server::types::Item;
use roles_server::types::runtime::{Value, json};
use roles_server::{Authenticator, Context, Principal, Result, service};
use tower_service::Service as _;

struct Items;

impl service::Items for Items {
    async fn get(&self, request: ItemsGet, context: &Context) -> Result<Item> {
        match request.id.as_str() {
            "none" => Err(roles_server::Error::not_found("there is no such item")),
            "broken" => Err(roles_server::Error::internal("a fault")),
            _ if context.wants_media() => Ok(Reply::media("image/png", b"pixels".to_vec())),
            id => {
                let title = format!("{} of {:?}", context.principal().subject(), request.key);
                Ok(Item::default().with_id(id).with_title(title).into())
            }
        }
    }

    async fn add(&self, request: ItemsAdd, context: &Context) -> Result<Item> {
        let media = context.take_media().expect("media");
        let picture = String::from_utf8(media.bytes(100).await?.to_vec()).unwrap();
        let kind = request.upload_type.unwrap_or_default();
        let title = request.body.title.unwrap_or_default();
        Ok(Item::default().with_id(kind).with_title(format!("{title}: {picture}")).into())
    }
}

struct AllowAll;

impl Authenticator for AllowAll {
    async fn authenticate(
        &self,
        credential: Credential<'_>,
        _: &AuthRequest<'_>,
    ) -> std::result::Result<Principal, AuthError> {
        let scopes = |scopes: &[&str]| scopes.iter().map(|scope| (*scope).to_owned()).collect::<Vec<_>>();
        match credential {
            Credential::ApiKey("k") => Ok(Principal::new("program")),
            Credential::Bearer("t") => Ok(Principal::new("ana").with_scopes(scopes(&["items"]))),
            Credential::Bearer("little") => Ok(Principal::new("bob").with_scopes(scopes(&[]))),
            _ => Err(AuthError::Invalid),
        }
    }
}

fn router() -> Router {
    let server = roles_server::server(Items).authenticator(AllowAll).unknown_parameters(UnknownParameters::Refuse);
    server.upload_sessions(MemorySessions::new(1 << 20)).router()
}

fn client(router: Router, credentials: Credentials) -> Client {
    let retry = RetryPolicy::default().with_min_delay(Duration::ZERO).with_max_delay(Duration::ZERO);
    let client = Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router)).retry(retry);
    client.credentials(credentials).build().unwrap()
}

/// Sends a request and returns the status and body of the response.
async fn send_raw(query: &str) -> (u16, String) {
    let request = http::Request::get(format!("/store/v2/items/{query}")).body(Body::empty()).unwrap();
    let response = router().call(request).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn parameters_are_recognized_by_their_roles() {
    let all = r#"{"id":"1","title":"program of None"}"#.to_owned();
    assert_eq!(send_raw("1?apikey=k").await, (200, all.clone()));
    assert_eq!(send_raw("1?apikey=k&output=structured&tenant=a").await, (200, all));
    assert_eq!(send_raw("1?apikey=k&only=id").await, (200, r#"{"id":"1"}"#.to_owned()));
    assert_eq!(send_raw("1?apikey=k&members=id&indent=true").await, (200, "{\n  \"id\": \"1\"\n}\n".to_owned()));
    assert_eq!(send_raw("1?apikey=k&output=raw").await, (200, "pixels".to_owned()));
    let token = r#"{"title":"ana of Some(7)"}"#.to_owned();
    assert_eq!(send_raw("1?ticket=t&key=7&fields=true&only=title").await, (200, token));
}

#[tokio::test]
async fn errors_use_the_reasons_of_the_api() {
    let missing = "the request requires a token or an API key";
    let cases = [
        ("1", 401, "who_are_you", "Authorization", missing),
        ("1?key=k", 401, "who_are_you", "Authorization", missing),
        ("1?apikey=x", 401, "unknown_caller", "apikey", "invalid API key"),
        ("1?ticket=x", 401, "unknown_caller", "Authorization", "invalid token"),
        ("none?apikey=k", 404, "no_such_thing", "", "there is no such item"),
        ("broken?apikey=k", 500, "broken", "", "the request could not be processed"),
        ("1?apikey=k&key=0", 400, "bad_parameter", "key", "key: must be at least 1"),
        ("1?apikey=k&output=json", 400, "bad_parameter", "output", "output: must be `structured`"),
        ("1?apikey=k&only=nothing", 400, "bad_parameter", "only", "only: "),
    ];
    for (query, status, kind, location, text) in cases {
        let (found, body) = send_raw(query).await;
        let body: Value = json::from_str(&body).unwrap();
        assert_eq!((found, &body["area"], &body["kind"]), (status, &"store".into(), &kind.into()), "{query}: {body}");
        assert_eq!(body["where"].as_str().unwrap_or_default(), location, "{query}: {body}");
        assert!(body["text"].as_str().unwrap().starts_with(text), "{query}: {body}");
    }
    let (status, body) = send_raw("1?ticket=little").await;
    assert!(status == 403 && body.contains("not_yours"), "{body}");
    // The usual name of a role is unknown if the schema assigns the role to another parameter.
    let (status, body) = send_raw("1?apikey=k&prettyPrint=true").await;
    assert!(status == 400 && body.contains("prettyPrint"), "{body}");
}

#[tokio::test]
async fn media_are_uploaded_and_downloaded() {
    let client = client(router(), Credentials::api_key("k"));
    let picture = client.items().get("1").download().send().await.unwrap().bytes(10).await.unwrap();
    assert_eq!(&picture[..], b"pixels");
    for protocol in [Protocol::Simple, Protocol::Resumable] {
        let item = Item::default().with_title("Pear");
        let call = client.items().add(item).upload_type("photo").upload(Media::new("image/png", "pixels"));
        let added = call.protocol(protocol).send().await.unwrap();
        assert_eq!((added.id.as_deref(), added.title.as_deref()), (Some("photo"), Some("Pear: pixels")), "{protocol:?}");
    }
}

#[tokio::test]
async fn an_exhausted_quota_uses_the_reason_of_the_api() {
    let quota = Quota::new(1, Duration::from_secs(1000)).with_status(http::StatusCode::CONFLICT);
    let router = roles_server::server(Items).authenticator(AllowAll).quota(quota).router();
    let client = client(router, Credentials::token("t"));
    client.items().get("1").send().await.unwrap();
    let error = client.items().get("1").retry(RetryPolicy::off()).send().await.unwrap_err();
    assert_eq!((error.status(), error.reason(), error.is_rate_limited()), (Some(409), Some("slow_down"), true));
}
