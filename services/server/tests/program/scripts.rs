//! Tests of scripts on the calendar and the mail of the server.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::mail;
use crate::program::{Home, Server};

/// Creates a project with one source file and one version; returns its identifier and that of its deployment.
pub async fn deploy(server: &Server, manifest: Value, code: &str) -> (String, String) {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let (_, project) = server.post("/v1/projects", &json!({ "title": "Tests" })).await;
    let id = text(&project["scriptId"]);
    let files = json!({ "files": [
        { "name": "manifest", "type": "JSON", "source": manifest.to_string() },
        { "name": "Code", "type": "SERVER_JS", "source": code },
    ] });
    let request = server.request(Method::PUT, &format!("/v1/projects/{id}/content")).bearer_auth(&server.token);
    let saved = request.json(&files).send().await.expect("a response");
    assert_eq!(saved.status(), StatusCode::OK, "{:?}", saved.text().await);
    let (_, version) = server.post(&format!("/v1/projects/{id}/versions"), &json!({})).await;
    let config = json!({ "versionNumber": version["versionNumber"] });
    let (status, deployment) = server.post(&format!("/v1/projects/{id}/deployments"), &config).await;
    assert_eq!(status, StatusCode::OK, "{deployment}");
    (id, text(&deployment["deploymentId"]))
}

async fn run(server: &Server, id: &str, function: &str) -> Value {
    let (status, done) = server.post(&format!("/v1/scripts/{id}:run"), &json!({ "function": function })).await;
    assert_eq!(status, StatusCode::OK, "{done}");
    done
}

const CODE: &str = "
    function create() {
      const start = new Date('2026-03-05T09:00:00Z'), end = new Date('2026-03-05T10:00:00Z');
      const event = CalendarApp.createEvent('Made by a script', start, end, { location: 'Here' });
      event.setTitle('Renamed by a script');
      return CalendarApp.getEvents(start, end).map((one) => one.getTitle());
    }
    function foreign() {
      return [CalendarApp.getCalendarById('ben@example.com'), CalendarApp.getAllCalendars().length];
    }
    function gone() { const calendar = CalendarApp.getDefaultCalendar(); return calendar.getEventById('none'); }
    function remove() {
      const event = CalendarApp.getEvents(new Date('2026-03-05T00:00:00Z'), new Date('2026-03-06T00:00:00Z'))[0];
      event.deleteEvent();
      event.deleteEvent();
    }
    function search() {
      const thread = GmailApp.search('subject:wanted')[0], message = thread.getMessages()[0];
      thread.markRead().addLabel(GmailApp.createLabel('Seen'));
      return [message.getSubject(), message.getPlainBody().trim(), thread.getLabels().map((label) => label.getName())];
    }
    function send() {
      const attachments = [Utilities.newBlob('x', 'text/plain', 'x.txt')];
      GmailApp.sendEmail('Ben <ben@example.com>, nobody@elsewhere.org', 'Größe', 'Text', { attachments });
      GmailApp.sendEmail('ben@example.com', 'Wrong', 'Text', { from: 'ben@example.com' });
    }
    function sendImage() {
      const inlineImages = { logo: Utilities.newBlob([1, 2, 3], 'image/png', 'logo.png') };
      const attachments = [Utilities.newBlob('x', 'text/plain', 'x.txt')];
      MailApp.sendEmail({ to: 'ana@example.com', subject: 'Image', body: 'Text', htmlBody: '<img src=\"cid:logo\">', inlineImages, attachments });
      const received = GmailApp.search('subject:Image in:inbox')[0].getMessages()[0];
      const names = (options) => received.getAttachments(options).map((one) => `${one.getName()} ${one.getBytes()}`);
      return [names({ includeAttachments: false }), names({ includeInlineImages: false }), received.getBody()];
    }
    function wrongKey() {
      const inlineImages = { 'a b': Utilities.newBlob([1], 'image/png') };
      GmailApp.sendEmail('ana@example.com', 'Key', 'Text', { htmlBody: '<b>', inlineImages });
    }
    function wrongDraft() { GmailApp.createDraft('ben@example.com', 'Wrong', 'Text', { from: 'ben@example.com' }); }";

#[tokio::test]
async fn scripts_act_on_calendar_and_mail_as_their_user() {
    let home = Home::new();
    home.run(&["users", "add", "ana@example.com"]);
    home.run(&["users", "add", "ben@example.com"]);
    let server = home.serve(&["--user", "ana@example.com"]);
    let (id, _) = deploy(&server, json!({ "executionApi": { "access": "MYSELF" } }), CODE).await;
    let result = |done: &Value| done["response"]["result"].clone();
    let message = |done: &Value| done["error"]["details"][0]["errorMessage"].clone();

    assert_eq!(result(&run(&server, &id, "create").await), json!(["Renamed by a script"]));
    let (_, events) = server.get("/calendar/v3/calendars/primary/events?q=renamed").await;
    assert_eq!(events["items"][0]["location"], "Here", "{events}");
    assert_eq!(result(&run(&server, &id, "foreign").await), json!([null, 1]));
    assert_eq!(result(&run(&server, &id, "gone").await), Value::Null);
    let twice = run(&server, &id, "remove").await;
    assert!(message(&twice).as_str().is_some_and(|text| !text.is_empty()), "{twice}");

    mail::insert(&server, "wanted").await;
    mail::insert(&server, "other").await;
    assert_eq!(result(&run(&server, &id, "search").await), json!(["wanted", "Text.", ["Seen"]]));
    let sent = run(&server, &id, "send").await;
    assert_eq!(message(&sent), "`from` must be the address of the user, `ana@example.com`", "{sent}");
    let ben = home.run(&["tokens", "create", "--user", "ben@example.com", "--scope", "all"]);
    let (_, inbox) = server.get_by(&ben, "/mail/v1/users/me/messages?q=in:inbox").await;
    let received = inbox["messages"][0]["id"].as_str().expect("a message");
    let (_, received) = server.get_by(&ben, &format!("/mail/v1/users/me/messages/{received}")).await;
    let subject = received["payload"]["headers"].as_array().into_iter().flatten().find(|one| one["name"] == "Subject");
    assert!(subject.is_some() && received.to_string().contains("x.txt"), "{received}");
    let (_, own) = server.get("/mail/v1/users/me/messages?q=in:sent").await;
    assert_eq!(own["messages"].as_array().map(Vec::len), Some(1), "{own}");
    server.stop();
}

#[tokio::test]
async fn images_of_a_message_are_parts_of_its_html() {
    let home = Home::new();
    home.run(&["users", "add", "ana@example.com"]);
    let server = home.serve(&["--user", "ana@example.com"]);
    let (id, _) = deploy(&server, json!({ "executionApi": { "access": "MYSELF" } }), CODE).await;
    let done = run(&server, &id, "sendImage").await;
    let seen = json!([["logo.png 1,2,3"], ["x.txt 120"], "<img src=\"cid:logo\">"]);
    assert_eq!(done["response"]["result"], seen, "{done}");
    let (_, inbox) = server.get("/mail/v1/users/me/messages?q=in:inbox").await;
    let received = inbox["messages"][0]["id"].as_str().expect("a message");
    let (_, received) = server.get(&format!("/mail/v1/users/me/messages/{received}")).await;
    let kinds = |part: &Value| -> Vec<Value> {
        part["parts"].as_array().into_iter().flatten().map(|part| part["mimeType"].clone()).collect()
    };
    let mixed = &received["payload"];
    assert_eq!(kinds(mixed), ["multipart/alternative", "text/plain"]);
    let alternative = &mixed["parts"][0];
    assert_eq!(kinds(alternative), ["text/plain", "multipart/related"]);
    assert_eq!(kinds(&alternative["parts"][1]), ["text/html", "image/png"]);
    let headers = alternative["parts"][1]["parts"][1]["headers"].to_string();
    assert!(headers.contains("<logo>") && headers.contains("inline; filename"), "{headers}");
    for (function, message) in [
        ("wrongKey", "`a b` is not a valid key of an inline image: expected at most 200 visible ASCII characters"),
        ("wrongDraft", "`from` must be the address of the user, `ana@example.com`"),
    ] {
        let refused = run(&server, &id, function).await;
        assert_eq!(refused["error"]["details"][0]["errorMessage"], message, "{refused}");
    }
    let (_, all) = server.get("/mail/v1/users/me/messages").await;
    assert_eq!(all["messages"].as_array().map(Vec::len), Some(2), "sent and received mail: {all}");
    server.stop();
}

#[tokio::test]
async fn runs_have_the_scopes_of_their_token() {
    let home = Home::new();
    home.run(&["users", "add", "ana@example.com"]);
    let server = home.serve(&["--user", "ana@example.com"]);
    let code = "
        function read() { return GmailApp.search('subject:wanted').length; }
        function list() { return CalendarApp.getAllCalendars().length; }
        function send() { GmailApp.sendEmail('ana@example.com', 'Sent', 'Text'); return 'sent'; }
        function doGet() { return ContentService.createTextOutput(read() + ''); }";
    let web = json!({ "access": "ANYONE", "executeAs": "USER_ACCESSING" });
    let manifest = json!({ "executionApi": { "access": "MYSELF" }, "webapp": web });
    let (id, app) = deploy(&server, manifest, code).await;
    mail::insert(&server, "wanted").await;
    let token = |scopes: &[&str]| {
        let scopes = scopes.iter().flat_map(|scope| ["--scope", scope]);
        let create = ["tokens", "create", "--user", "ana@example.com"];
        home.run(&create.into_iter().chain(scopes).collect::<Vec<_>>())
    };
    let run = async |token: &str, function: &str| {
        let request = server.request(Method::POST, &format!("/v1/scripts/{id}:run")).bearer_auth(token);
        let response = request.json(&json!({ "function": function })).send().await.expect("a response");
        response.json::<Value>().await.expect("JSON")
    };
    let open = async |token: &str| {
        let request = server.request(Method::GET, &format!("/macros/s/{app}/exec")).bearer_auth(token);
        request.send().await.expect("a response").status()
    };
    let scripts = token(&["script.projects", "userinfo.email"]);
    for function in ["read", "list", "send"] {
        let done = run(&scripts, function).await;
        let message = done["error"]["details"][0]["errorMessage"].as_str();
        assert!(message.is_some_and(|message| message.contains("scope")), "{function}: {done}");
    }
    assert_eq!(open(&scripts).await, StatusCode::INTERNAL_SERVER_ERROR);
    let more = token(&["script.projects", "userinfo.email", "mail.readonly", "mail.compose", "calendar.readonly"]);
    for (function, result) in [("read", json!(1)), ("list", json!(1)), ("send", json!("sent"))] {
        let done = run(&more, function).await;
        assert_eq!(done["response"]["result"], result, "{function}: {done}");
    }
    assert_eq!(open(&more).await, StatusCode::OK);
    server.stop();
}

#[tokio::test]
async fn what_the_platform_throws_is_an_execution_error() {
    let home = Home::new();
    home.run(&["users", "add", "ana@example.com"]);
    let server = home.serve(&["--user", "ana@example.com"]);
    let code = "
        function nothing() {}
        function date() { return new Date(0); }
        function callback() { return [() => 1]; }
        function cycle() { const all = {}; all.all = all; return all; }
        function page() { return HtmlService.createHtmlOutput('x'); }
        function memory() { const all = []; while (true) all.push(new Array(1000).fill(1)); }
        function forever() { while (true); }";
    let (id, _) = deploy(&server, json!({ "executionApi": { "access": "MYSELF" } }), code).await;
    let nothing = run(&server, &id, "nothing").await;
    assert!(nothing["response"].is_object() && nothing["response"].get("result").is_none(), "{nothing}");
    for (function, part) in [
        ("missing", "Script function not found: missing"),
        ("date", "a Date at result"),
        ("callback", "a function at result[0]"),
        ("cycle", "a cycle at result.all"),
        ("page", "a platform object at result"),
        ("memory", "exceeded its memory limit"),
    ] {
        let done = run(&server, &id, function).await;
        let error = &done["error"]["details"][0];
        assert!(error["errorMessage"].as_str().is_some_and(|text| text.contains(part)), "{function}: {done}");
        assert_eq!((&done["done"], &error["errorType"]), (&json!(true), &json!("ScriptError")), "{done}");
    }
    server.stop();
    let server = home.serve(&["--user", "ana@example.com", "--run-limit", "1s"]);
    let done = run(&server, &id, "forever").await;
    assert_eq!(done["error"]["details"][0]["errorMessage"], "Exceeded maximum execution time");
    let (_, processes) = server.get("/v1/processes?userProcessFilter.functionName=forever").await;
    assert_eq!(processes["processes"][0]["processStatus"], "TIMED_OUT");
    server.stop();
}
