//! The media type selects the alternative of a request and a response body; other media types are refused.

use alternatives_client::Client;
use alternatives_client::runtime::transport::ServiceTransport;
use alternatives_server::requests::{
    FilesAdd, FilesAddBody, FormsAdd, FormsAddBody, FormsAddLink, IssuesEdit, IssuesGet, IssuesReplace,
    IssuesReplaceBody, IssuesUpdate, IssuesUpdateBody, ReportsGet, ReportsGetFormat, ReportsGetResponse,
};
use alternatives_server::runtime::axum::{Router, body::Body, http};
use alternatives_server::runtime::{Error, Reply};
use alternatives_server::types::runtime::{FilePart, JsonPatch, Patch, RawBody};
use alternatives_server::types::{File, Issue, IssuePatch, Link, NewFile, Report};
use alternatives_server::validation::Validate as _;
use alternatives_server::{Context, Result, WriteResult, service};
use http_body_util::BodyExt as _;
use tower_service::Service as _;

struct Tracker;

fn stored() -> Issue {
    Issue::default().with_id("1").with_title("Tea").with_project("p").with_labels(["a"])
}

/// Applies a JSON Patch and validates the result.
fn patched(patch: &JsonPatch) -> std::result::Result<Issue, Error> {
    let issue = patch.apply_to(&stored()).map_err(|error| Error::bad_request(error.to_string()))?;
    issue.validate()?;
    Ok(issue)
}

impl service::Issues for Tracker {
    async fn get(&self, _: IssuesGet, _: &Context) -> Result<Issue> {
        Ok(stored().into())
    }

    async fn update(&self, request: IssuesUpdate, context: &Context) -> WriteResult<IssuesUpdate> {
        let admission = context.admit(&request, &stored())?;
        let issue = match &request.body {
            IssuesUpdateBody::MergePatch(patch) => alternatives_server::types::runtime::apply_patch(patch, Some(&stored())),
            IssuesUpdateBody::JsonPatch(patch) => patched(patch)?,
        };
        Ok(admission.reply(issue))
    }

    async fn replace(&self, request: IssuesReplace, context: &Context) -> WriteResult<IssuesReplace> {
        let kind = match &request.body {
            None => "nothing",
            Some(IssuesReplaceBody::Whole(_)) => "whole",
            Some(IssuesReplaceBody::Patched(_)) => "patched",
        };
        let (issue, admission) = context.prepare(&request, Some(&stored()))?;
        Ok(admission.reply(issue.with_note(kind)))
    }

    async fn edit(&self, request: IssuesEdit, _: &Context) -> Result<Issue> {
        Ok(patched(&request.body)?.into())
    }
}

impl service::Files for Tracker {
    async fn add(&self, request: FilesAdd, _: &Context) -> Result<File> {
        let (title, kind) = match request.body {
            FilesAddBody::Link(Link { url, .. }) => (url, "link".to_owned()),
            FilesAddBody::Upload(NewFile { title, content, .. }) => {
                (title, format!("upload of {} bytes", content.map_or(0, |file| file.as_slice().len())))
            }
            FilesAddBody::Markdown(text) => (Some(text.content().clone()), format!("{:?}", text.content_type())),
            FilesAddBody::Image(image) => (None, format!("image {:?}", image.content_type())),
            FilesAddBody::Other(other) => (None, format!("other {:?}", other.content_type())),
        };
        Ok(File { title, way: Some(kind) }.into())
    }
}

impl service::Forms for Tracker {
    async fn add(&self, request: FormsAdd, _: &Context) -> Result<File> {
        let (link, kind) = match request.body {
            FormsAddBody::Json(link) => (link, "json"),
            FormsAddBody::Link(link) => (link, "form"),
        };
        Ok(File { title: link.url, way: Some(kind.to_owned()) }.into())
    }

    async fn add_link(&self, request: FormsAddLink, _: &Context) -> Result<File> {
        Ok(File { title: request.body.url, way: Some("alone".to_owned()) }.into())
    }
}

impl service::Reports for Tracker {
    async fn get(&self, request: ReportsGet, context: &Context) -> Result<ReportsGetResponse> {
        let report = Report::default().with_count(3).with_secret("s");
        if request.id == "stubborn" {
            return Ok(ReportsGetResponse::Json(report).into());
        }
        Ok(Reply::new(match context.format::<ReportsGetFormat>() {
            ReportsGetFormat::Json => ReportsGetResponse::Json(report),
            ReportsGetFormat::Plain => ReportsGetResponse::Plain(report),
            ReportsGetFormat::Csv => RawBody::<String>::new("count\n3\n").into(),
            ReportsGetFormat::Image => ReportsGetResponse::Image(RawBody::new(*b"\x89PNG").with_content_type("image/png")),
        }))
    }
}

fn router() -> Router {
    alternatives_server::router(Tracker)
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

async fn send_body(method: &str, path: &str, content_type: &str, body: &str) -> (u16, String) {
    let response = send_raw(method, path, &[("content-type", content_type)], body.as_bytes()).await;
    (response.status, response.text)
}

#[tokio::test]
async fn each_alternative_is_decoded_as_itself() {
    let (client, issues) = (client(), client().issues());
    let patch = IssuePatch { title: Patch::Set("Coffee".into()), ..IssuePatch::default() };
    assert_eq!(issues.update("1", patch).await.unwrap().title.as_deref(), Some("Coffee"));
    let patch = JsonPatch::new().test("/title", "Tea").replace("/title", "Milk").add("/labels/-", "b");
    let issue = issues.update("1", patch.clone()).await.unwrap();
    assert_eq!((issue.title.as_deref(), issue.labels.len()), (Some("Milk"), 2));
    assert_eq!(issues.edit("1", patch).await.unwrap(), issue);
    let replaced = issues.replace("1").body(Issue::default().with_title("New").with_id("2")).await.unwrap();
    assert_eq!((replaced.id.as_deref(), replaced.note.as_deref()), (Some("1"), Some("whole")));
    let replaced = issues.replace("1").body(IssuePatch::default()).await.unwrap();
    assert_eq!((replaced.title.as_deref(), replaced.note.as_deref()), (Some("Tea"), Some("patched")));
    assert_eq!(issues.replace("1").await.unwrap().note.as_deref(), Some("nothing"));

    let kind = |body: FilesAddBody| {
        let call = client.files().add(body);
        async move { call.await.unwrap().way.unwrap() }
    };
    assert_eq!(kind(Link::default().with_url("https://a.example").into()).await, "link");
    let upload = NewFile::default().with_title("t").with_content(FilePart::new(*b"xyz"));
    assert_eq!(kind(upload.into()).await, "upload of 3 bytes");
    assert_eq!(kind(RawBody::<String>::new("# T").into()).await, "Some(\"text/markdown\")");
    assert_eq!(kind(FilesAddBody::Image(RawBody::new([1]))).await, "image Some(\"image/png\")");
    assert_eq!(kind(FilesAddBody::Image(RawBody::new([1]).with_content_type("image/gif"))).await, "image Some(\"image/gif\")");
    assert_eq!(kind(FilesAddBody::Other(RawBody::new([1]))).await, "other Some(\"application/octet-stream\")");
}

/// Read-modify-write uses the merge patch alternative.
#[tokio::test]
async fn a_change_is_written_as_a_merge_patch() {
    let written = client().issues().get("1").patch_with(|issue| issue.title = Some("Cocoa".into())).await.unwrap();
    assert_eq!(written.title.as_deref(), Some("Cocoa"));
}

#[tokio::test]
async fn media_types_are_distinguished() {
    let form = "application/x-www-form-urlencoded";
    for (content_type, body, expected) in [
        ("application/json", r#"{"url":"https://a.example"}"#, "link"),
        ("Application/JSON; charset=\"utf-8\"", r#"{"url":"https://a.example"}"#, "link"),
        (form, "url=https%3A%2F%2Fa.example", "link"),
        ("text/markdown;variant=x", "# T", "text/markdown;variant=x"),
        ("image/webp", "x", "image Some(\\\"image/webp\\\")"),
        ("text/plain", "x", "other"),
        ("application/merge-patch+json", "{", "other"),
    ] {
        let (status, text) = send_body("POST", "/files", content_type, body).await;
        assert!(status == 200 && text.contains(expected), "{content_type}: {status} {text}");
    }
    // Without a content type, the first alternative is used.
    let response = send_raw("POST", "/files", &[], br#"{"url":"https://a.example"}"#).await;
    assert!(response.text.contains("link"), "{}", response.text);
}

#[tokio::test]
async fn other_media_types_are_refused_with_the_accepted_ones() {
    for content_type in ["application/json", "text/plain", "application/xml", "application/merge-patch+json, a/b", "x"] {
        let response = send_raw("PATCH", "/issues/1", &[("content-type", content_type)], b"{}").await;
        assert_eq!(response.status, 415, "{content_type}");
        let accepted = "application/merge-patch+json, application/json-patch+json";
        assert_eq!(response.headers["accept"], accepted);
        assert!(response.text.contains(accepted), "{}", response.text);
    }
    let twice = [("content-type", "application/merge-patch+json"), ("content-type", "application/json-patch+json")];
    assert_eq!(send_raw("PATCH", "/issues/1", &twice, b"{}").await.status, 415);
}

#[tokio::test]
async fn each_alternative_has_its_own_rules() {
    let (merge, list) = ("application/merge-patch+json", "application/json-patch+json");
    let long = format!(r#"{{"title":"{}"}}"#, "x".repeat(21));
    let too_many = r#"{"title":"x","labels":["a","b","c","d"]}"#;
    for (method, path, content_type, body, expected) in [
        ("PATCH", "/issues/1", merge, &*long, "title"),
        ("PATCH", "/issues/1", merge, "[]", "body"),
        ("PATCH", "/issues/1", list, "{}", "body"),
        ("PATCH", "/issues/1", list, r#"[{"op":"fly","path":"/a"}]"#, "one of `add`"),
        ("PATCH", "/issues/1", list, r#"[{"op":"remove","path":"a"}]"#, "start with `/`"),
        ("PATCH", "/issues/1", list, r#"[{"op":"remove","path":"/x"}]"#, "the value does not exist"),
        ("PATCH", "/issues/1", list, r#"[{"op":"add","path":"/title","value":5}]"#, "invalid result"),
        ("PATCH", "/issues/1", list, &"[".repeat(100_000), "nested too deep"),
        ("PATCH", "/issues/1", list, r#"[{"op":"replace","path":"/title","value":""}]"#, "title"),
        ("PATCH", "/issues/1", merge, r#"{"project":"q"}"#, "project"),
        ("PATCH", "/issues/1", list, r#"[{"op":"replace","path":"/project","value":"q"}]"#, "project"),
        ("PATCH", "/issues/1", list, r#"[{"op":"remove","path":"/project"}]"#, "project"),
        ("PUT", "/issues/1", "application/json", "{}", "title"),
        ("PUT", "/issues/1", "application/json", too_many, "labels"),
        ("PUT", "/issues/1", merge, too_many, "labels"),
        ("POST", "/files", "application/json", r#"{"url":"no"}"#, "url"),
        ("POST", "/files", "application/x-www-form-urlencoded", "url=no", "url"),
        ("POST", "/files", "multipart/form-data; boundary=B", "--B--\r\n", "title"),
        ("POST", "/files", "multipart/form-data", "--B--\r\n", ""),
    ] {
        let (status, text) = send_body(method, path, content_type, body).await;
        assert!(status == 400 && text.contains(expected), "{content_type} {body:.60}: {status} {text}");
    }
    let response = send_raw("POST", "/files", &[("content-type", "text/markdown")], b"\xff").await;
    assert_eq!(response.status, 400);
    let response = send_raw("PATCH", "/issues/1", &[("content-type", merge)], b"").await;
    assert_eq!(response.status, 400);
}

#[tokio::test]
async fn a_client_chooses_the_alternative_of_a_response() {
    let reports = client().reports();
    let report = reports.get("1").as_json().await.unwrap();
    assert_eq!((report.count, report.secret), (Some(3), None));
    assert_eq!(reports.get("1").set_since(2).as_plain().await.unwrap().count, Some(3));
    assert_eq!(reports.get("1").as_csv().await.unwrap().content(), "count\n3\n");
    let image = reports.get("1").as_image().await.unwrap();
    assert_eq!((image.content_type(), image.content().as_slice()), (Some("image/png"), &b"\x89PNG"[..]));
    assert!(matches!(reports.get("1").await.unwrap(), ReportsGetResponse::Json(_)));
    let error = reports.get("stubborn").as_csv().await.unwrap_err();
    assert!(error.to_string().contains("the media type of the response is not `text/csv`"), "{error}");
}

#[tokio::test]
async fn accept_is_negotiated() {
    for (accept, content_type, text) in [
        ("*/*", "application/json; charset=UTF-8", "{\"count\":3}"),
        ("text/csv", "text/csv", "count\n3\n"),
        ("text/*;q=0.5, application/json;q=0.4", "text/csv", "count\n3\n"),
        ("application/json;q=0, application/*", "application/vnd.plain+json", "{\"count\":3}"),
        ("application/vnd.plain+json", "application/vnd.plain+json", "{\"count\":3}"),
        ("image/svg+xml", "image/png", "\u{fffd}PNG"),
        ("text/html, */*;q=0.1", "application/json; charset=UTF-8", "{\"count\":3}"),
    ] {
        let response = send_raw("GET", "/reports/1", &[("accept", accept)], b"").await;
        assert_eq!((response.status, &*response.text), (200, text), "{accept}");
        assert_eq!(response.headers["content-type"], content_type, "{accept}");
        assert!(response.headers.get_all("vary").iter().any(|vary| vary == "Accept"), "{accept}");
    }
    for accept in ["text/html", "*/*;q=0", "application/xml, text/plain"] {
        let response = send_raw("GET", "/reports/1", &[("accept", accept)], b"").await;
        assert_eq!(response.status, 406, "{accept}");
        assert!(response.text.contains("text/csv"), "{}", response.text);
    }
    // A response without alternatives does not vary by `Accept`.
    let response = send_raw("GET", "/issues/1", &[], b"").await;
    assert!(response.headers.get_all("vary").iter().all(|vary| vary != "Accept"));
}

#[tokio::test]
async fn ambiguous_type_names_are_distinct() {
    for (path, content_type, body, kind) in [
        ("/forms", "application/json", r#"{"url":"https://a.example"}"#, "json"),
        ("/forms", "application/x-www-form-urlencoded", "url=https://a.example", "form"),
        ("/forms/links", "application/x-www-form-urlencoded", "url=https://a.example", "alone"),
    ] {
        let expected = format!(r#"{{"title":"https://a.example","way":"{kind}"}}"#);
        assert_eq!(send_body("POST", path, content_type, body).await, (200, expected), "{path} {content_type}");
    }
}
