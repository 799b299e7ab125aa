//! The status of a response selects its type in the client and in the server.

use responses_by_status_client::Client;
use responses_by_status_client::requests::{
    ReportsAnythingResponse, ReportsFileResponse, ReportsGetHeaders, ReportsGetResponse, ReportsMoveHeaders,
    ReportsMoveResponse,
};
use responses_by_status_client::runtime::transport::ServiceTransport;
use responses_by_status_server::requests::{ReportsAnything, ReportsFile, ReportsGet, ReportsMove, ReportsWrite};
use responses_by_status_server::runtime::Reply;
use responses_by_status_server::runtime::axum::http::StatusCode;
use responses_by_status_server::runtime::axum::response::IntoResponse as _;
use responses_by_status_server::runtime::axum::{Router, routing};
use responses_by_status_server::types::runtime::RawBody;
use responses_by_status_server::types::{Job, Report};
use responses_by_status_server::{Context, Result, service};

struct Reports;

fn cookies() -> Vec<String> {
    ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"].map(str::to_owned).to_vec()
}

fn job() -> Job {
    Job { id: Some("j".to_owned()) }
}

impl service::Reports for Reports {
    async fn get(&self, request: ReportsGet, _: &Context) -> Result<ReportsGetResponse> {
        let later = ReportsGetHeaders { retry_after: Some(5), ..ReportsGetHeaders::default() };
        let moved = ReportsGetHeaders { location: Some("/reports/here".to_owned()), ..ReportsGetHeaders::default() };
        match request.id.as_str() {
            "here" => Ok(Reply::new(ReportsGetResponse::Ok(Report::default().with_count(3).with_secret("s")))),
            "later" => Reply::new(ReportsGetResponse::Accepted(job())).with_headers(&later),
            "moved" => Reply::new(ReportsGetResponse::Found(RawBody::new("<p>moved</p>"))).with_headers(&moved),
            "other" => Ok(Reply::new(ReportsGetResponse::Status299(Report::default()))),
            // The variant has a status, which the reply cannot replace.
            _ => Ok(Reply::new(ReportsGetResponse::NoContent).with_status(StatusCode::OK)),
        }
    }

    async fn file(&self, request: ReportsFile, _: &Context) -> Result<ReportsFileResponse> {
        Ok(Reply::new(match request.id.as_str() {
            "here" => ReportsFileResponse::Ok(RawBody::new(*b"%PDF")),
            "later" => ReportsFileResponse::Accepted(job()),
            _ => ReportsFileResponse::SeeOther,
        }))
    }

    async fn anything(&self, request: ReportsAnything, _: &Context) -> Result<ReportsAnythingResponse> {
        Ok(Reply::new(match request.id.as_str() {
            "null" => ReportsAnythingResponse::Ok(responses_by_status_server::types::runtime::Value::Null),
            _ => ReportsAnythingResponse::NoContent,
        }))
    }

    async fn write(&self, request: ReportsWrite, _: &Context) -> Result<Report> {
        let status = if request.id == "new" { StatusCode::CREATED } else { StatusCode::OK };
        Ok(Reply::new(request.body).with_status(status))
    }

    async fn r#move(&self, _: ReportsMove, _: &Context) -> Result<ReportsMoveResponse> {
        Reply::new(ReportsMoveResponse::SeeOther(job())).with_headers(&ReportsMoveHeaders { set_cookie: cookies() })
    }
}

fn client_of(router: Router) -> Client {
    Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router)).build().unwrap()
}

fn client() -> Client {
    client_of(responses_by_status_server::router(Reports))
}

#[tokio::test]
async fn each_status_has_its_type() {
    let reports = client().reports();
    let found = reports.get("here").await.unwrap();
    assert_eq!(found, ReportsGetResponse::Ok(Report::default().with_count(3)));
    let (later, headers) = reports.get("later").send_with_headers().await.unwrap();
    assert_eq!((later, headers.retry_after), (ReportsGetResponse::Accepted(job()), Some(5)));
    assert_eq!(reports.get("empty").await.unwrap(), ReportsGetResponse::NoContent);
    assert_eq!(reports.get("other").await.unwrap(), ReportsGetResponse::Status299(Report::default()));
}

#[tokio::test]
async fn a_redirection_keeps_its_body_and_headers() {
    let (moved, headers) = client().reports().get("moved").send_with_headers().await.unwrap();
    let ReportsGetResponse::Found(text) = moved else { panic!("{moved:?}") };
    assert_eq!((text.content().as_str(), headers.location.as_deref()), ("<p>moved</p>", Some("/reports/here")));
    assert_eq!(client().reports().r#move("1").await.unwrap(), ReportsMoveResponse::SeeOther(job()));
    let raw = client().reports().get("moved").send_raw().await.unwrap();
    assert_eq!((raw.status, &*raw.body), (302, b"<p>moved</p>".as_slice()));
}

#[tokio::test]
async fn each_cookie_has_a_line() {
    let (_, headers) = client().reports().r#move("1").send_with_headers().await.unwrap();
    assert_eq!(headers.set_cookie, cookies());
    let raw = client().reports().r#move("1").send_raw().await.unwrap();
    assert_eq!(raw.headers.get_all("set-cookie").iter().count(), 2);
}

#[tokio::test]
async fn files_stand_next_to_json() {
    let reports = client().reports();
    let ReportsFileResponse::Ok(file) = reports.file("here").await.unwrap() else { panic!() };
    assert_eq!((file.content_type(), file.content().as_slice()), (Some("application/pdf"), b"%PDF".as_slice()));
    assert_eq!(reports.file("later").await.unwrap(), ReportsFileResponse::Accepted(job()));
    assert_eq!(reports.file("elsewhere").await.unwrap(), ReportsFileResponse::SeeOther);
    let raw = client().reports().file("later").send_raw().await.unwrap();
    assert_eq!(raw.headers["content-type"], "application/vnd.job+json");
}

#[tokio::test]
async fn the_media_type_of_json_depends_on_the_status_and_not_on_the_request() {
    let reports = client().reports();
    for (id, status, media_type) in
        [("old", 200, "application/vnd.report+json"), ("new", 201, "application/vnd.new-report+json")]
    {
        let raw = reports.write(id, Report::default()).send_raw().await.unwrap();
        assert_eq!((raw.status, raw.headers["content-type"].to_str().unwrap()), (status, media_type));
        assert_eq!(reports.write(id, Report::default().with_count(2)).await.unwrap().count, Some(2));
    }
    for id in ["here", "later"] {
        let raw = reports.file(id).send_raw().await.unwrap();
        let varies = raw.headers.get("vary").is_some_and(|vary| vary.to_str().unwrap().contains("Accept,"));
        assert!(!varies && raw.headers.get_all("vary").iter().all(|vary| vary != "Accept"), "{:?}", raw.headers);
    }
}

#[tokio::test]
async fn null_differs_from_no_body() {
    let reports = client().reports();
    assert_eq!(
        reports.anything("null").await.unwrap(),
        ReportsAnythingResponse::Ok(responses_by_status_server::types::runtime::Value::Null)
    );
    assert_eq!(reports.anything("none").await.unwrap(), ReportsAnythingResponse::NoContent);
}

#[tokio::test]
async fn an_undeclared_status_is_an_error() {
    let other = || async { (StatusCode::CREATED, "{}").into_response() };
    let client = client_of(Router::new().route("/reports/{id}", routing::get(other)));
    let error = client.reports().get("x").await.unwrap_err();
    assert!(error.to_string().contains("has a status that the schema does not declare"), "{error}");
    assert_eq!(client.reports().get("x").send_raw().await.unwrap().status, 201);
}
