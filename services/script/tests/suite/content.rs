//! Tests of content: points 24 to 36 and 78.

use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};
use wireform_store::{FileKind, NewFile, ScriptRole, Scripts as _};

use crate::desk::{TestService, all, second};

fn file(name: &str, kind: &str, source: &str) -> Value {
    json!({ "name": name, "type": kind, "source": source })
}

fn manifest() -> Value {
    file("manifest", "JSON", "{}")
}

async fn put(desk: &TestService, id: &str, files: &[Value]) -> crate::desk::TestResponse {
    desk.put(&format!("/projects/{id}/content"), json!({ "files": files })).await
}

#[tokio::test]
async fn point_24_versions_show_content_as_it_was() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let first =
        put(&desk, &id, &[manifest(), file("a", "SERVER_JS", "function f(x) {}"), file("p", "HTML", "<p>")]).await;
    let first = first.ok().clone();
    assert_eq!(desk.version(&id).await, 1);
    desk.clock.advance(Duration::from_secs(60));
    put(&desk, &id, &[file("b", "SERVER_JS", "1"), manifest()]).await.ok();
    let content = format!("/projects/{id}/content");
    assert_eq!(desk.get(&format!("{content}?versionNumber=1")).await.ok(), &first);
    let now = desk.get(&content).await.ok().clone();
    assert_eq!(all(now["files"].as_array().unwrap(), "name"), ["b", "manifest"], "the order is kept");
    for number in [0, -1, 2] {
        desk.get(&format!("{content}?versionNumber={number}")).await.refuses(404);
    }
    desk.get(&format!("{content}?versionNumber=x")).await.refuses(400);
}

#[tokio::test]
async fn points_25_and_32_files_that_do_not_change_keep_their_times_and_users() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    desk.share(&id, "ben", Some(ScriptRole::Write)).await;
    put(&desk, &id, &[manifest(), file("a", "SERVER_JS", "1"), file("b", "SERVER_JS", "2")]).await.ok();
    desk.clock.advance(Duration::from_secs(60));
    let ben = desk.as_user("ben");
    let put = put(&ben, &id, &[file("b", "SERVER_JS", "2"), file("a", "SERVER_JS", "new"), manifest()]).await;
    let files = put.ok()["files"].as_array().unwrap().clone();
    let (then, now) = ("2026-03-04T12:00", "2026-03-04T12:01");
    let minutes = |member| all(&files, member).into_iter().map(|time| &time[..16]).collect::<Vec<_>>();
    assert_eq!(minutes("updateTime"), [then, now, then]);
    assert_eq!(minutes("createTime"), [then, then, then]);
    let users: Vec<_> = files.iter().map(|file| file["lastModifyUser"]["name"].as_str().unwrap()).collect();
    assert_eq!(users, ["Ana", "Ben", "Ana"]);
    let project = desk.get(&format!("/projects/{id}")).await.ok().clone();
    assert_eq!((&second(&project["updateTime"])[..16], &project["lastModifyUser"]["name"]), (now, &json!("Ben")));
    assert_eq!(put.ok(), desk.get(&format!("/projects/{id}/content")).await.ok(), "the stored content is returned");
}

#[tokio::test]
async fn points_26_and_28_one_file_is_the_manifest() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    for files in [
        vec![],
        vec![file("a", "SERVER_JS", "")],
        vec![manifest(), file("other", "JSON", "{}")],
        vec![manifest(), file("appsscript", "JSON", "{}")],
        vec![manifest(), file("a", "ENUM_TYPE_UNSPECIFIED", "")],
        vec![manifest(), json!({ "name": "a", "source": "" })],
        vec![manifest(), json!({ "type": "HTML", "source": "" })],
    ] {
        put(&desk, &id, &files).await.refuses(400);
    }
    put(&desk, &id, &[file("appsscript", "JSON", "{}")]).await.ok();
}

#[tokio::test]
async fn point_78_the_manifest_has_two_names() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let public = desk.public();
    let put = put(&public, &id, &[file("appsscript", "JSON", "{}")]).await;
    assert_eq!(put.ok()["files"][0]["name"], "appsscript");
    assert_eq!(desk.get(&format!("/projects/{id}/content")).await.ok()["files"][0]["name"], "manifest");
    let add_ons = json!({ "addOns": {
        "common": { "name": "N", "postInstallTipUrl": "https://example.com/tip" }, "gmail": {}, "dataStudio": {},
    } });
    public.save(&id, add_ons, &[]).await.ok();
    let head = public.list(&format!("/projects/{id}/deployments"), "deployments").await.remove(0);
    assert_eq!(head["deploymentConfig"]["manifestFileName"], "appsscript");
    let kinds: Vec<_> = head["entryPoints"].as_array().unwrap().iter().map(|one| &one["addOn"]["addOnType"]).collect();
    assert_eq!(kinds, ["GMAIL", "DATA_STUDIO"]);
}

#[tokio::test]
async fn point_27_all_violations_of_a_manifest_are_reported() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let wrong = r#"{
        "timeZone": "Nowhere/Land",
        "runtimeVersion": "V9",
        "exceptionLogging": "LOUD",
        "addOns": { "mail": { "name": "", "helpUrl": "nowhere" } },
        "webapp": { "access": "EVERYBODY" },
        "executionApi": { "access": "UNKNOWN_ACCESS" },
        "oauthScopes": "none",
        "dependencies": { "libraries": [
            { "userSymbol": "A", "libraryId": "x", "version": "1" }, { "userSymbol": "A", "libraryId": "x" }
        ] },
        "somebody's": { "else": true }
    }"#;
    let files = [file("a", "SERVER_JS", ""), file("manifest", "JSON", wrong)];
    let error = put(&desk, &id, &files).await.refuses(400).clone();
    let items = error["errors"].as_array().unwrap();
    assert!(items.iter().all(|item| item["location"] == "files[1].source"), "{error:#}");
    let messages: Vec<_> = items.iter().map(|item| item["message"].as_str().unwrap()).collect();
    for part in [
        "timeZone",
        "runtimeVersion",
        "exceptionLogging",
        "addOns.mail.name",
        "addOns.mail.helpUrl",
        "webapp.access",
        "webapp.executeAs",
        "executionApi.access",
        "oauthScopes",
        "dependencies.libraries",
        "libraries[1].version",
    ] {
        assert!(messages.iter().any(|messages| messages.contains(part)), "{part}: {messages:#?}");
    }
    assert!(messages.iter().any(|messages| messages.contains("line 2")), "{messages:#?}");
    for (text, message) in [
        ("", "the manifest: invalid JSON: EOF"),
        ("[]", "the manifest must be"),
        ("null", "the manifest must"),
        ("{", "the manifest: invalid JSON: EOF"),
        ("{\"a\":1,}", "the manifest: invalid JSON: "),
        ("{\"timeZone\": x}", "`timeZone`: invalid JSON: "),
    ] {
        let error = put(&desk, &id, &[file("manifest", "JSON", text)]).await.refuses(400).clone();
        let item = &error["errors"][0];
        assert_eq!(item["location"], "files[0].source", "{text}: {error}");
        assert!(item["message"].as_str().unwrap().starts_with(message), "{text}: {error}");
    }
    let kept = r#"{"somebody's": {"else": true}}"#;
    let put = put(&desk, &id, &[file("manifest", "JSON", kept)]).await;
    assert_eq!(put.ok()["files"][0]["source"], kept);
}

#[tokio::test]
async fn point_29_names_are_unique_and_without_control_characters() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let fine = [manifest(), file("folder/a.gs", "SERVER_JS", ""), file(&"ä".repeat(255), "HTML", "")];
    put(&desk, &id, &fine).await.ok();
    for name in ["", "a\u{7}b", "a\nb", &"x".repeat(256)] {
        let error = put(&desk, &id, &[manifest(), file(name, "HTML", "")]).await.refuses(400).clone();
        assert_eq!(error["errors"][0]["location"], "files[1].name", "{error}");
    }
    for twice in [
        [manifest(), file("a", "HTML", ""), file("a", "SERVER_JS", "")],
        [manifest(), file("a", "HTML", ""), file("a", "HTML", "")],
        [manifest(), file("a", "HTML", ""), file("manifest", "HTML", "")],
        [manifest(), file("a", "HTML", ""), file("appsscript", "SERVER_JS", "")],
        [file("appsscript", "JSON", "{}"), file("a", "HTML", ""), file("manifest", "HTML", "")],
    ] {
        let error = put(&desk, &id, &twice).await.refuses(400).clone();
        let item = &error["errors"][0];
        assert_eq!((&item["location"], &item["reason"]), (&json!("files"), &json!("invalid")), "{error}");
        assert!(item["message"].as_str().unwrap().contains("different names"), "{error}");
    }
}

#[tokio::test]
async fn points_30_and_31_sets_of_functions_are_the_server_s() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let mut code = file("a", "SERVER_JS", "function f(x, y) {}\nfunction g() {}");
    code["functionSet"] = json!({ "values": [{ "name": "made up" }, { "name": "made up" }] });
    let mut page = file("p", "HTML", "function h() {}");
    page["functionSet"] = code["functionSet"].clone();
    let put = put(&desk, &id, &[manifest(), code, page]).await;
    let files = put.ok()["files"].as_array().unwrap();
    let set = json!({ "values": [{ "name": "f", "parameters": ["x", "y"] }, { "name": "g" }] });
    assert_eq!(files[1]["functionSet"], set);
    assert_eq!(files[2]["functionSet"], Value::Null);
}

#[tokio::test]
async fn point_30_syntax_errors_are_reported_with_locations() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let files = [manifest(), file("a", "SERVER_JS", "ok\n!!"), file("b", "SERVER_JS", "!!"), file("c", "HTML", "!!")];
    let error = put(&desk, &id, &files).await.refuses(400).clone();
    let items = error["errors"].as_array().unwrap();
    assert_eq!(all(items, "location"), ["files[1].source", "files[2].source"]);
    assert_eq!(items[0]["message"], "Syntax error: unexpected token line: 2 column: 3 file: a");
    let content = desk.get(&format!("/projects/{id}/content")).await.ok().clone();
    assert_eq!(content["files"].as_array().unwrap().len(), 1, "nothing was stored");
}

#[tokio::test]
async fn points_34_and_35_content_has_limits() {
    let desk = TestService::open().await;
    let (id, other) = (desk.project("One").await, desk.project("Two").await);
    let path = format!("/projects/{id}/content");
    let error = desk.put(&path, json!({ "scriptId": other, "files": [manifest()] })).await.refuses(400).clone();
    assert_eq!(error["errors"][0]["location"], "scriptId");
    desk.put(&path, json!({ "scriptId": id, "files": [manifest()] })).await.ok();
    let mut many: Vec<Value> = (0..999).map(|number| file(&number.to_string(), "HTML", "")).collect();
    many.push(manifest());
    put(&desk, &id, &many).await.ok();
    many.push(file("one more", "HTML", ""));
    put(&desk, &id, &many).await.refuses(400);
    let half = "x".repeat(5 << 20);
    let large = |rest: usize| [manifest(), file("a", "HTML", &half), file("b", "HTML", &half[..half.len() - rest])];
    put(&desk, &id, &large(2)).await.ok();
    put(&desk, &id, &large(1)).await.refuses(400);
}

#[tokio::test]
async fn point_53_libraries_that_are_not_here_are_refused() {
    let desk = TestService::open().await;
    let (id, library) = (desk.project("One").await, desk.project("Library").await);
    let uses = |id: &str, more: Value| {
        let mut library = json!({ "userSymbol": "Lib", "libraryId": id });
        library.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "dependencies": { "libraries": [library] } })
    };
    desk.save(&id, uses(&library, json!({ "version": "1" })), &[]).await.refuses(400);
    desk.save(&id, uses("none", json!({ "developmentMode": true })), &[]).await.refuses(400);
    desk.save(&id, uses(&library, json!({ "developmentMode": true })), &[]).await.ok();
    desk.version(&library).await;
    desk.save(&id, uses(&library, json!({ "version": "1" })), &[]).await.ok();
    let ben = desk.as_user("ben");
    let own = ben.project("His").await;
    ben.save(&own, uses(&library, json!({ "version": "1" })), &[]).await.refuses(400);
}

#[tokio::test]
async fn point_30_only_files_that_have_changed_are_looked_at() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let files = |text: &str| vec![manifest(), file("a", "SERVER_JS", "function f() {}"), file("b", "SERVER_JS", text)];
    put(&desk, &id, &files("function g() {}")).await.ok();
    let changed = put(&desk, &id, &files("function h() {}")).await;
    let analyzed = desk.engine.analyzed.load(std::sync::atomic::Ordering::SeqCst);
    assert_eq!(analyzed, 3);
    let names: Vec<_> = [1, 2].map(|at| changed.ok()["files"][at]["functionSet"]["values"][0]["name"].clone()).into();
    assert_eq!(names, ["f", "h"]);
}

#[tokio::test]
async fn functions_of_files_that_were_stored_without_them_are_found_when_they_are_read() {
    let desk = TestService::open().await;
    let id = desk.project("One").await;
    let file = |name: &str, source: &str, kind| NewFile {
        name: name.to_owned(),
        kind,
        source: source.to_owned(),
        functions: None,
    };
    let files = vec![
        file("manifest", "{}", FileKind::Manifest),
        file("a", "function add(a, b) {}", FileKind::Script),
        file("wrong", "function add( !!", FileKind::Script),
        file("none", "1", FileKind::Script),
    ];
    let user = desk.user("ana").mailbox;
    let (project, _) = desk.store.find_project(&id, user).await.unwrap().unwrap();
    desk.store.replace_content(project.number, files, user, desk.clock.now()).await.unwrap();
    let version = desk.version(&id).await;
    let before = desk.engine.analyzed.load(Ordering::SeqCst);
    let content = desk.get(&format!("/projects/{id}/content")).await.ok().clone();
    let set = json!({ "values": [{ "name": "add", "parameters": ["a", "b"] }] });
    assert_eq!(content["files"][1]["functionSet"], set);
    assert_eq!(
        (&content["files"][2]["functionSet"], &content["files"][3]["functionSet"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(desk.engine.analyzed.load(Ordering::SeqCst), before + 3);
    let old = desk.get(&format!("/projects/{id}/content?versionNumber={version}")).await.ok().clone();
    assert_eq!(old["files"][1]["functionSet"], set);
    let once_more = "only the file whose functions could not be found is looked at again";
    assert_eq!(desk.engine.analyzed.load(Ordering::SeqCst), before + 4, "{once_more}");
    assert_eq!(desk.get(&format!("/projects/{id}")).await.ok()["updateTime"], content["files"][1]["updateTime"]);
}
