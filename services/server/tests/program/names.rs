//! The two vocabularies.

use reqwest::StatusCode;
use serde_json::Value;

use crate::program::{Home, Server};

/// All texts of an answer.
fn texts(value: &Value) -> String {
    value.to_string()
}

async fn refused(server: &Server) -> Value {
    let (status, body) = server.get("/calendar/v3/calendars/primary/events?maxResults=many").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    body
}

#[tokio::test]
async fn both_vocabularies_are_read_and_the_chosen_one_is_written() {
    let spec = Home::new();
    let spec = spec.serve(&[]);
    let public = Home::new();
    let public = public.serve(&["--names", "public"]);
    for server in [&spec, &public] {
        for base in ["/mail/v1", "/gmail/v1"] {
            let (status, profile) = server.get(&format!("{base}/users/me/profile")).await;
            assert_eq!((status, &profile["emailAddress"]), (StatusCode::OK, &"me@localhost".into()), "{base}");
        }
        // Errors are in the shape of the API in both.
        assert!(texts(&refused(server).await).contains("maxResults"));
    }
    // What is written differs where the specification and the public service do: the domain of fields' errors.
    let body = r#"{"raw":7}"#;
    let mut told = Vec::new();
    for server in [&spec, &public] {
        let request = server.request(reqwest::Method::POST, "/gmail/v1/users/me/messages").bearer_auth(&server.token);
        let request = request.header("content-type", "application/json").body(body);
        told.push(request.send().await.expect("it answers").text().await.expect("a body"));
    }
    assert_ne!(told[0], told[1], "the vocabularies write the same");
    assert!(told[1].contains("google"), "{}", told[1]);
}
