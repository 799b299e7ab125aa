//! Enums with fractional numbers and with values of several JSON types are decoded, and unknown values are preserved.

use http_body_util::BodyExt as _;
use mixed_enums_client::Client;
use mixed_enums_client::runtime::transport::ServiceTransport;
use mixed_enums_server::requests::{ViewsImport, ViewsInsert, ViewsList};
use mixed_enums_server::runtime::axum::{Router, body::Body, http};
use mixed_enums_server::types::runtime::{Nullable, OpenEnum as _, json};
use mixed_enums_server::types::{Limit, Size, Echo, View, Zoom};
use mixed_enums_server::{Context, Result, service};
use tower_service::Service as _;

struct Views;

impl service::Views for Views {
    async fn list(&self, request: ViewsList, _: &Context) -> Result<Echo> {
        let limits = request.limits.iter().map(|limit| limit.as_str().to_owned());
        Ok(Echo::default().with_texts([request.zoom.as_str().to_owned()].into_iter().chain(limits)).into())
    }

    async fn insert(&self, request: ViewsInsert, _: &Context) -> Result<View> {
        Ok(request.body.into())
    }

    async fn import(&self, request: ViewsImport, _: &Context) -> Result<View> {
        Ok(request.body.into())
    }
}

fn router() -> Router {
    mixed_enums_server::router(Views)
}

async fn respond(request: http::Request<Body>) -> (u16, String) {
    let response = router().call(request).await.unwrap();
    let status = response.status().as_u16();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

async fn post(path: &str, media: &str, body: &str) -> (u16, String) {
    let request = http::Request::post(path).header("content-type", media);
    respond(request.body(Body::from(body.to_owned())).unwrap()).await
}

#[test]
fn values_keep_their_json_type() {
    let text = r#"{"zoom":5e-1,"limit":true,"limits":["auto","automatic","1",1,1.0,2.5,false,"later",7,0.1],"zooms":{"a":1e300,"b":null,"c":0.1,"d":12345678901234567890},"size":-1.5,"fixed":2.5}"#;
    let view: View = json::from_str(text).expect("a view");
    let written = r#"{"zoom":0.5,"limit":true,"limits":["auto","auto","1",1,1,2.5,false,"later",7,0.1],"zooms":{"a":1e300,"b":null,"c":0.1,"d":12345678901234567890},"size":-1.5,"fixed":2.5}"#;
    let json = json::to_string(&view).expect("JSON");
    assert_eq!(json.replace("1e+300", "1e300"), written);
    assert_eq!(view.zoom, Some(Zoom::Half));
    assert_eq!(view.limit, Nullable::Value(Limit::True));
    let [auto, _, word, one, _, half, no, later, seven, _] = view.limits.as_slice() else { panic!("ten limits") };
    assert_eq!((auto, word, one, half), (&Limit::Auto, &Limit::OneInWords, &Limit::One, &Limit::TwoAndAHalf));
    assert_eq!((no, later.as_str(), seven.as_str()), (&Limit::False, "\"later\"", "7"));
    assert!(!later.is_known() && !seven.is_known());
    assert_eq!(view.zooms["a"], Some(Zoom::Huge));
    assert!(matches!(view.size, Some(Size::Zoom(Zoom::UpsideDown))));
    assert_eq!((Zoom::default(), Limit::default()), (Zoom::Whole, Limit::Auto));
    assert_eq!(View::default().zoom_or_default(), &Zoom::Half);
    assert_eq!(View::default().limit_or_default(), &Limit::True);
    for invalid in [r#"{"zoom":"0.5"}"#, r#"{"zoom":true}"#, r#"{"limits":[[1]]}"#, r#"{"limits":[{"a":1}]}"#, r#"{"limits":[null]}"#] {
        assert!(json::from_str::<View>(invalid).is_err(), "{invalid}");
    }
    // A string is parsed as JSON, or taken as the content of a JSON string.
    for (text, value) in [("auto", Limit::Auto), ("\"auto\"", Limit::Auto), ("1", Limit::OneInWords), ("true", Limit::True)] {
        assert_eq!(Limit::from(text), value, "{text}");
    }
    assert_eq!((Limit::from("x").as_str(), Limit::from("3").as_str()), ("\"x\"", "3"));
}

#[tokio::test]
async fn parameters_are_written_without_quotes() {
    let client = Client::builder().base_url("http://localhost").transport(ServiceTransport::new(router())).build().unwrap();
    let reply = client.views().list(Zoom::Half).limits([Limit::Auto, Limit::TwoAndAHalf, Limit::True]).send().await.unwrap();
    assert_eq!(reply.texts, ["0.5", "\"auto\"", "2.5", "true"]);
    let request = http::Request::get("/views/0.5?fixed=auto&limits=automatic&limits=2.5").body(Body::empty()).unwrap();
    assert_eq!(respond(request).await, (200, r#"{"texts":["0.5","\"auto\"","2.5"]}"#.to_owned()));
    for (target, location) in [("/views/0.5?fixed=automat", "fixed"), ("/views/0.7?fixed=auto", "zoom")] {
        let (status, body) = respond(http::Request::get(target).body(Body::empty()).unwrap()).await;
        assert!(status == 400 && body.contains(location), "{target}: {status} {body}");
    }
}

#[tokio::test]
async fn a_server_refuses_unknown_values() {
    for (body, location) in [
        (r#"{"zoom":0.7}"#, "zoom"),
        (r#"{"zoom":-1.5}"#, "zoom"),
        (r#"{"limit":"1.0"}"#, "limit"),
        (r#"{"limits":["auto",false]}"#, "limits[1]"),
        (r#"{"limits":[3]}"#, "limits[0]"),
        (r#"{"fixed":1}"#, "fixed"),
        (r#"{"zoom":"0.5"}"#, "zoom"),
    ] {
        let (status, reply) = post("/views", "application/json", body).await;
        assert!(status == 400 && reply.contains(location), "{body}: {status} {reply}");
    }
    let form = "zoom=0.5&limit=true&limits=1&limits=auto&limits=2.5";
    let (status, reply) = post("/views:import", "application/x-www-form-urlencoded", form).await;
    assert_eq!((status, reply.as_str()), (200, r#"{"zoom":0.5,"limit":true,"limits":[1,"auto",2.5]}"#));
}
