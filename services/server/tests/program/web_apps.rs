//! Tests of web apps.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::program::Home;
use crate::scripts::deploy;

const APP: &str = "
    function doGet(e) {
      if (e.parameter.fail) throw new Error('<b>' + e.parameter.fail);
      if (e.pathInfo === 'data') return ContentService.createTextOutput('{}').setMimeType(ContentService.MimeType.JSON);
      return HtmlService.createHtmlOutput('<p>' + Session.getActiveUser().getEmail() + '|' +
        Session.getEffectiveUser().getEmail() + '|' + e.parameters.q).setTitle('App');
    }
    function doPost(e) { return ContentService.createTextOutput(e.postData.type + e.postData.contents + e.parameter.a); }";

async fn open(request: reqwest::RequestBuilder) -> (StatusCode, String) {
    let response = request.send().await.expect("a response");
    let headers = response.headers();
    assert_eq!(headers["content-security-policy"], "sandbox allow-scripts allow-forms allow-popups");
    assert_eq!(headers["x-content-type-options"], "nosniff");
    assert!(!headers.contains_key("set-cookie") && !headers.contains_key("access-control-allow-origin"));
    (response.status(), response.text().await.expect("a text"))
}

#[tokio::test]
async fn web_apps_are_served_to_permitted_visitors() {
    let home = Home::new();
    home.run(&["users", "add", "ana@example.com"]);
    home.run(&["users", "add", "ben@example.com"]);
    let server = home.serve(&["--user", "ana@example.com"]);
    let ben = home.run(&["tokens", "create", "--user", "ben@example.com", "--scope", "all"]);
    let app = |access: &str, user: &str| json!({ "webapp": { "access": access, "executeAs": user } });
    let (id, open_to_all) = deploy(&server, app("ANYONE_ANONYMOUS", "USER_DEPLOYING"), APP).await;
    let all = format!("/macros/s/{open_to_all}/exec");
    let get = |path: &str| server.request(Method::GET, path);

    let (status, page) = open(get(&format!("{all}?q=1&q=2"))).await;
    assert_eq!((status, page.as_str()), (StatusCode::OK, "<!DOCTYPE html><title>App</title><p>|ana@example.com|1,2"));
    let (status, page) = open(get(&format!("{all}?fail=x"))).await;
    assert!(status == StatusCode::INTERNAL_SERVER_ERROR && page.contains("&lt;b&gt;x"), "{page}");
    let (status, page) = open(get(&format!("{all}/data"))).await;
    assert_eq!((status, page.as_str()), (StatusCode::OK, "{}"));
    let form = server.request(Method::POST, &all).header("Content-Type", "application/x-www-form-urlencoded");
    assert_eq!(open(form.body("a=b")).await, (StatusCode::OK, "application/x-www-form-urlencodeda=bb".to_owned()));
    let long = server.request(Method::POST, &all).body(vec![b'x'; (2 << 20) + 1]);
    assert_eq!(open(long).await.0, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(open(get("/macros/s/none/exec")).await.0, StatusCode::NOT_FOUND);
    let (_, processes) = server.get(&format!("/v1/processes:listScriptProcesses?scriptId={id}")).await;
    let kinds: Vec<_> =
        processes["processes"].as_array().into_iter().flatten().map(|one| &one["processType"]).collect();
    assert!(kinds.len() == 4 && kinds.iter().all(|kind| *kind == "WEBAPP" || *kind == "WEB_APP"), "{processes}");

    let (_, own) = deploy(&server, app("MYSELF", "USER_ACCESSING"), APP).await;
    let own = format!("/macros/s/{own}/exec?q=1");
    assert_eq!(open(get(&own)).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(open(get(&own).bearer_auth("wrong")).await.0, StatusCode::UNAUTHORIZED);
    assert_eq!(open(get(&own).bearer_auth(&ben)).await.0, StatusCode::NOT_FOUND);
    assert_eq!(open(get(&own).bearer_auth(&server.token)).await.0, StatusCode::OK);
    // A person on this machine is the user of the ready token; a page of another origin, such as that of the app
    // itself, is not.
    let visit = |site: &str| {
        get(&own)
            .header("Sec-Fetch-Site", site)
            .header("Sec-Fetch-Mode", "navigate")
            .header("Sec-Fetch-Dest", "document")
    };
    assert_eq!(open(visit("none")).await.0, StatusCode::OK);
    assert_eq!(open(visit("cross-site").header("Origin", "null")).await.0, StatusCode::UNAUTHORIZED);
    let token = get("/session").header("Sec-Fetch-Site", "cross-site").header("Origin", "null");
    assert_eq!(token.send().await.expect("a response").status(), StatusCode::FORBIDDEN);

    let (_, any) = deploy(&server, app("DOMAIN", "USER_ACCESSING"), APP).await;
    let (status, page) = open(get(&format!("/macros/s/{any}/exec")).bearer_auth(&ben)).await;
    assert!(status == StatusCode::OK && page.contains("ben@example.com|ben@example.com"), "{page}");
    server.stop();
}

#[tokio::test]
async fn a_web_app_with_too_many_visitors_asks_them_to_come_back() {
    let home = Home::new();
    home.run(&["users", "add", "ana@example.com"]);
    let server = home.serve(&["--user", "ana@example.com", "--runs", "1"]);
    let app = json!({ "webapp": { "access": "ANYONE_ANONYMOUS", "executeAs": "USER_DEPLOYING" } });
    let (id, app) = deploy(&server, app, "function doGet() { Utilities.sleep(100000); }").await;
    let visit = || server.request(Method::GET, &format!("/macros/s/{app}/exec")).send();
    let waiting: Vec<_> = (0..4).map(|_| tokio::spawn(visit())).collect();
    let listed = format!("/v1/processes:listScriptProcesses?scriptId={id}");
    while server.get(&listed).await.1["processes"].as_array().map(Vec::len) != Some(4) {
        tokio::task::yield_now().await;
    }
    let response = visit().await.expect("a response");
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(response.headers()["retry-after"], "5");
    assert!(response.text().await.expect("a text").contains("too many concurrent requests"));
    // A stop would wait for the running executions.
    drop(server);
    for one in waiting {
        one.abort();
    }
}
