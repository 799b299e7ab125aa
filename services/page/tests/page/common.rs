//! Sample page, and requests to it without sockets.

use std::net::SocketAddr;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt as _;
use tower_service::Service as _;
use wireform_page::{Api, Contents, Guard, Overview, OverviewError, PageSettings, router};

/// Ready token of the sample page.
pub const TOKEN: &str = "ready-token-of-the-tests";

/// Overview that returns the given contents, or an error. Mail and calendars are those of [`crate::services`].
pub struct Sample {
    pub contents: Option<Contents>,
    /// Text of every field of mail and calendars.
    pub text: String,
}

impl Overview for Sample {
    async fn overview(&self) -> Result<Contents, OverviewError> {
        self.contents.clone().ok_or_else(|| "the disk is on fire".into())
    }
}

/// Base URL of the sample page.
pub const BASE: &str = "http://127.0.0.1:8117";

pub fn apis() -> Vec<Api> {
    vec![
        Api { name: "mailbox", title: "Mailbox history", openapi: mailbox_server::OPENAPI },
        Api { name: "calendar", title: "Calendar events", openapi: calendar_server::OPENAPI },
        Api { name: "script", title: "Script projects", openapi: script_server::OPENAPI },
    ]
}

pub fn page(contents: Contents) -> PageSettings<Sample> {
    PageSettings {
        source: Sample { contents: Some(contents), text: "plain".to_owned() },
        base: BASE.to_owned(),
        overview_public: false,
        browse: true,
        user: None,
        apis: apis(),
        token: Some(TOKEN.to_owned()),
        guard: Guard::default(),
    }
}

pub fn sample() -> Router {
    router(page(Contents::default())).expect("descriptions of the generator")
}

/// Returns pages of mail and calendars in which every text is the given one.
pub fn router_with_text(text: &str) -> Router {
    let source = Sample { contents: None, text: text.to_owned() };
    router(PageSettings { source, apis: Vec::new(), ..page(Contents::default()) })
        .expect("descriptions of the generator")
}

/// Returns a request of this machine, with the given headers and `Host`.
pub fn local(target: &str, headers: &[(&str, &str)]) -> Request<Body> {
    from("127.0.0.1:40000", target, &[&[("host", "localhost:8080")], headers].concat())
}

pub fn from(peer: &str, target: &str, headers: &[(&str, &str)]) -> Request<Body> {
    let mut request = Request::builder().uri(target);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut request = request.body(Body::empty()).expect("a request");
    request.extensions_mut().insert(ConnectInfo(peer.parse::<SocketAddr>().expect("an address")));
    request
}

pub struct ApiResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

impl ApiResponse {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }
}

pub async fn send(router: &Router, request: Request<Body>) -> ApiResponse {
    let (head, body) = router.clone().call(request).await.expect("a response").into_parts();
    let body = body.collect().await.expect("a body").to_bytes();
    ApiResponse { status: head.status, headers: head.headers, body: String::from_utf8_lossy(&body).into_owned() }
}
