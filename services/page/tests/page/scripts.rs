//! Tests of script projects, executions, and functions that are run from the page.

use axum::body::Body;
use http::{Method, Request, StatusCode};
use serde_json::{Value, json};

use crate::common::{ApiResponse, local, sample, send};
use crate::services::ADA;

async fn get_html(target: &str) -> String {
    let response = send(&sample(), local(target, &[("x-wireform-program", "1")])).await;
    assert_eq!(response.status, 200, "{target}: {}", response.body);
    response.body
}

fn assert_has(html: &str, pieces: &[&str]) {
    for piece in pieces {
        assert!(html.contains(piece), "{piece} is not in {html}");
    }
}

#[tokio::test]
async fn projects_are_listed_with_what_the_user_may_do() {
    let html = get_html("/scripts").await;
    let link = "<a href=\"/scripts/project?user=ada%40example.com&amp;id=plain\"><bdi>plain</bdi></a>";
    assert_has(&html, &[link, "<small>owner, changed 4 Mar 2026, 09:20</small>", "<code>plain</code>"]);
}

#[tokio::test]
async fn a_project_has_its_files_versions_and_deployments() {
    let html = get_html("/scripts/project?id=one").await;
    assert_has(
        &html,
        &[
            "<details class=\"file\" open><summary><bdi>plain.js</bdi> <small>1 line</small>",
            "<span class=\"keyword\">function</span> f() { <span class=\"keyword\">return</span> \
             <span class=\"string\">&#39;x&#39;</span>; }",
            "<bdi>plain.html</bdi>",
            "<bdi>plain.json</bdi>",
            "<option value=\"fplainf\">fplainf(plain)</option>",
            "<li><b>1</b> <bdi>plain</bdi>",
            "<p role=\"note\">There are older ones.</p>",
            "<small>version 1, </small><br><code>plain</code>",
            "<tr><td>2026-03-04</td><td>3</td><td>3</td><td>3</td></tr>",
        ],
    );
    assert!(!html.contains("href=\"xplain\""), "only web URLs become links");
}

#[tokio::test]
async fn readers_see_a_project_without_what_is_for_others() {
    let html = get_html("/scripts/project?id=one&user=ben%40example.com").await;
    assert!(html.contains("<bdi>plain.js</bdi>"), "{html}");
    assert!(!html.contains("id=\"runner\"") && !html.contains("class=\"plot\""), "{html}");
}

#[tokio::test]
async fn executions_are_updated_while_the_page_is_open() {
    let html = get_html("/scripts/executions?id=one").await;
    assert_has(
        &html,
        &[
            "<tbody id=\"executions\" data-feed=\"/scripts/executions/rows?user=ada%40example.com&amp;id=one\">",
            "<tr><td><a href=\"/scripts/execution?user=ada%40example.com&amp;number=7\">\
             <time datetime=\"2026-03-04T09:00:00Z\">4 Mar 2026, 09:00:00</time></a></td>",
            "<td>1.500 s</td>",
            "page=7\" rel=\"next\">Older",
        ],
    );
    let submit = "</select></label><noscript><button>Show</button></noscript></form>";
    assert!(get_html("/scripts/executions").await.contains(submit), "the user is chosen without scripts, too");
    let older = get_html("/scripts/executions?page=2").await;
    assert!(!older.contains("data-feed"), "an older page does not change");
    let rows: Value = serde_json::from_str(&get_html("/scripts/executions/rows?id=one").await).expect("JSON");
    assert!(rows["rows"].as_str().is_some_and(|rows| rows.starts_with("<tr><td><a href")), "{rows}");
}

#[tokio::test]
async fn executions_of_a_project_show_what_they_log_as_it_comes() {
    let html = get_html("/scripts/executions?id=one").await;
    let group = "<details data-key=\"8\" open><summary>8 <bdi>plain</bdi> <small><time";
    assert_has(&html, &[group, "<li data-severity=\"warning\"><small>warning</small> <bdi>plain\nmore</bdi></li>"]);
    assert!(html.find("data-key=\"8\"") < html.find("data-key=\"7\""), "the latest execution is the first: {html}");
    let changes: Value = serde_json::from_str(&get_html("/scripts/executions/rows?id=one").await).expect("JSON");
    assert!(changes["log"].as_str().is_some_and(|log| html.contains(log)), "{changes}");
    assert!(!get_html("/scripts/executions").await.contains("id=\"log\""), "those of a user are of many projects");
}

#[tokio::test]
async fn an_execution_has_a_page_with_its_log_error_and_stack() {
    let html = get_html("/scripts/execution?number=8").await;
    assert_has(
        &html,
        &[
            "<a href=\"/scripts/executions?user=ada%40example.com&amp;id=one\">‹ The executions</a>",
            "<dt>Status</dt><dd class=\"status\" data-status=\"FAILED\">failed</dd>",
            "<a href=\"/scripts/project?user=ada%40example.com&amp;id=one\"><bdi>plain</bdi></a>",
            "<dt>Duration</dt><dd>1.500 s</dd>",
            "<h2>Error</h2>\n<div class=\"code\"><button type=\"button\" data-copies hidden>Copy</button>\
             <pre tabindex=\"0\">plain\n    at f (line 8)</pre>",
            "<li data-severity=\"info\"><small>info</small> <bdi>plain\n    at f (line 8)</bdi></li>",
        ],
    );
    let html = get_html("/scripts/execution?number=7").await;
    assert!(html.contains("data-status=\"COMPLETED\"") && !html.contains("<h2>Error</h2>"), "{html}");
}

#[tokio::test]
async fn the_page_of_a_running_execution_is_updated_until_it_ends() {
    let html = get_html("/scripts/execution?number=6").await;
    let feed = "<div id=\"execution\" data-feed=\"/scripts/execution/details?user=ada%40example.com&amp;number=6\">";
    assert_has(&html, &[feed, "<dt>Duration</dt><dd>has not ended</dd>"]);
    assert!(!get_html("/scripts/execution?number=8").await.contains("data-feed"), "an ended execution does not change");
    let details = async |number: u32| {
        let text = get_html(&format!("/scripts/execution/details?number={number}")).await;
        serde_json::from_str::<Value>(&text).expect("JSON")
    };
    let running = details(6).await;
    assert_eq!(running["ended"], false);
    assert!(running["details"].as_str().is_some_and(|details| html.contains(details)), "{running}");
    assert_eq!(details(8).await["ended"], true);
}

#[tokio::test]
async fn the_code_of_a_project_is_opened_first() {
    let html = get_html("/scripts/project?id=manifest-first").await;
    let files: Vec<&str> = html.split("<details class=\"file\"").skip(1).collect();
    assert!(files[0].contains("<bdi>plain.json</bdi>") && !files[0].starts_with(" open"), "{html}");
    assert!(files[2].contains("<bdi>plain.js</bdi>") && files[2].starts_with(" open"), "{html}");
}

#[tokio::test]
async fn executions_that_run_can_be_canceled_on_the_page() {
    let html = get_html("/scripts/executions?id=one").await;
    let button = format!("<button type=\"button\" data-cancels=\"8\" data-user=\"{ADA}\">Cancel</button>");
    assert_has(&html, &["<ul id=\"running\" hidden>", "<li>8 <bdi>plain</bdi>", &button]);
    assert!(get_html("/scripts/executions").await.contains("data-cancels=\"9\""), "those of a user");
    assert!(!get_html("/scripts/executions?page=2").await.contains("id=\"running\""), "an older page does not change");
    let other = get_html("/scripts/executions?id=one&user=ben%40example.com").await;
    assert!(other.contains("id=\"running\"") && !other.contains("data-cancels"), "{other}");
    let changes: Value = serde_json::from_str(&get_html("/scripts/executions/rows?id=one").await).expect("JSON");
    assert!(changes["running"].as_str().is_some_and(|running| html.contains(running)), "{changes}");
    let program = [("x-wireform-program", "1")];
    let request = |user: &str, execution: Value| json!({ "user": user, "execution": execution }).to_string();
    assert_eq!(post("/scripts/cancel", &program, &request(ADA, json!(8))).await.status, StatusCode::OK);
    for (body, status, message) in [
        (request(ADA, json!(7)), StatusCode::CONFLICT, "The execution 7 has ended: timed out."),
        (request(ADA, json!(6)), StatusCode::NOT_FOUND, "There is no execution 6 that this user can see."),
        (request("ben@example.com", json!(8)), StatusCode::FORBIDDEN, "This user may not cancel the execution 8."),
        (request("nobody@example.com", json!(8)), StatusCode::NOT_FOUND, ""),
        (request(ADA, json!("8")), StatusCode::BAD_REQUEST, "`execution` must be a number."),
        (json!({ "execution": 8 }).to_string(), StatusCode::BAD_REQUEST, "`user` must be a text."),
        ("{".to_owned(), StatusCode::BAD_REQUEST, ""),
    ] {
        let response = post("/scripts/cancel", &program, &body).await;
        assert_eq!(response.status, status, "{body}: {}", response.body);
        assert!(response.body.contains(message), "{body}: {}", response.body);
    }
}

async fn run(headers: &[(&str, &str)], body: &str) -> ApiResponse {
    post("/scripts/run", headers, body).await
}

async fn post(target: &str, headers: &[(&str, &str)], body: &str) -> ApiResponse {
    let mut request: Request<Body> = local(target, headers);
    *request.method_mut() = Method::POST;
    *request.body_mut() = Body::from(body.to_owned());
    send(&sample(), request).await
}

#[tokio::test]
async fn functions_can_be_run_on_the_page() {
    let program = [("x-wireform-program", "1")];
    let request = json!({ "user": ADA, "id": "a/b", "function": "plain", "parameters": [1, "x"] });
    let response = run(&program, &request.to_string()).await;
    let body = json!({ "function": "plain", "parameters": [1, "x"], "devMode": true });
    let operation = json!({ "done": true, "response": { "result": [ADA, "/v1/scripts/a%2Fb:run", body] } });
    let line = |severity: &str| json!({ "severity": severity, "text": "plain\n    at f (line 8)" });
    let expected = json!({ "operation": operation, "execution": 8, "log": [line("info"), line("error")] });
    assert_eq!(serde_json::from_str::<Value>(&response.body).expect("JSON"), expected);
    // A run without a number, because executions are disabled, has no log.
    let other = json!({ "user": ADA, "id": "a/b", "function": "f" }).to_string();
    let response: Value = serde_json::from_str(&run(&program, &other).await.body).expect("JSON");
    assert_eq!((&response["execution"], &response["log"]), (&Value::Null, &json!([])));
    for bad in [
        "",
        "{",
        "[]",
        "{\"user\":1}",
        &json!({ "user": ADA, "id": "a", "function": "f", "parameters": 1 }).to_string(),
    ] {
        let response = run(&program, bad).await;
        assert_eq!(response.status, StatusCode::BAD_REQUEST, "{bad}: {}", response.body);
    }
    assert_eq!(run(&program, &"x".repeat(2 << 20)).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn pages_of_other_origins_run_nothing() {
    let request = json!({ "user": ADA, "id": "a", "function": "f" }).to_string();
    for headers in [
        &[][..],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "same-origin"), ("origin", "http://evil.example")],
        &[("x-wireform-program", "1"), ("x-forwarded-for", "192.0.2.7")],
    ] {
        let response = run(headers, &request).await;
        assert_eq!(response.status, StatusCode::FORBIDDEN, "{headers:?}: {}", response.body);
        let response = post("/scripts/cancel", headers, &json!({ "user": ADA, "execution": 8 }).to_string()).await;
        assert_eq!(response.status, StatusCode::FORBIDDEN, "{headers:?}: {}", response.body);
    }
}
