//! Tests of libraries: point 53.

use serde_json::{Value, json};
use wireform_store::ScriptRole;

use crate::desk::TestService;

#[tokio::test]
async fn point_53_libraries_are_read_with_what_they_use_themselves() {
    let desk = TestService::open().await;
    let (deep, library, id) = (desk.project("Deep").await, desk.project("Library").await, desk.project("One").await);
    let uses = |symbol: &str, id: &str, version: Value| {
        json!({ "executionApi": { "access": "ANYONE" }, "dependencies": { "libraries": [
            { "userSymbol": symbol, "libraryId": id, "version": version, "developmentMode": version.is_null() }] } })
    };
    desk.save(&deep, json!({}), &[("Code", "deep")]).await.ok();
    desk.save(&library, uses("Deep", &deep, Value::Null), &[("Code", "library 1")]).await.ok();
    desk.version(&library).await;
    desk.save(&library, json!({}), &[("Code", "library 2")]).await.ok();
    desk.save(&id, uses("Lib", &library, json!("1")), &[("Code", "own")]).await.ok();
    desk.deploy(&id, json!({})).await;
    let code = desk.as_user("cy").run(&id, "code").await.ok()["response"]["result"].clone();
    let library_code = &code["libraries"]["Lib"];
    assert_eq!(library_code["scripts"], json!([["Code", "library 1"]]));
    assert_eq!(library_code["libraries"]["Deep"]["scripts"], json!([["Code", "deep"]]));
    desk.save(&deep, uses("Self", &deep, Value::Null), &[]).await.ok();
    let done = desk.run(&id, "code").await.ok().clone();
    assert_eq!(done["error"]["details"][0]["errorType"], "ScriptError", "a library that includes itself is endless");
}

#[tokio::test]
async fn point_53_what_is_saved_in_a_library_that_is_not_shared_any_more_is_not_read() {
    let desk = TestService::open().await;
    let library = desk.project("Library").await;
    desk.save(&library, json!({}), &[("Code", "shared")]).await.ok();
    desk.version(&library).await;
    desk.share(&library, "ben", Some(ScriptRole::Read)).await;
    let ben = desk.as_user("ben");
    let mut scripts = Vec::new();
    for (name, value) in [("version", json!("1")), ("developmentMode", json!(true))] {
        let mut uses = json!({ "userSymbol": "Lib", "libraryId": library });
        uses[name] = value;
        let id = ben.project("His").await;
        let manifest = json!({ "executionApi": { "access": "ANYONE" }, "dependencies": { "libraries": [uses] } });
        ben.save(&id, manifest, &[]).await.ok();
        let version = ben.version(&id).await;
        ben.deploy(&id, json!({ "versionNumber": version })).await;
        scripts.push(id);
    }
    let read = async |id: &str| ben.run(id, "code").await.ok().clone();
    let source = |done: &Value| done["response"]["result"]["libraries"]["Lib"]["scripts"][0][1].clone();
    assert_eq!(
        (source(&read(&scripts[0]).await), source(&read(&scripts[1]).await)),
        (json!("shared"), json!("shared"))
    );
    desk.share(&library, "ben", None).await;
    desk.save(&library, json!({}), &[("Code", "secret")]).await.ok();
    assert_eq!(source(&read(&scripts[0]).await), "shared", "a version does not change");
    let done = read(&scripts[1]).await;
    assert_eq!(done["error"]["details"][0]["errorMessage"], "the library `Lib` can no longer be read", "{done}");
}
