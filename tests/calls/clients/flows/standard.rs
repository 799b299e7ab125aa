//! Standard parameters, which every operation takes.

use crate::calls::{Kind, failure};
use crate::clients::{Setup, TransportKind};
use crate::server::json;

#[tokio::test]
async fn standard_parameters_are_sent_once() {
    let harness = Setup::new(TransportKind::Sockets).start(|_| json(200, "{}")).await;
    let call = harness.clients.calendar.events().quick_add("primary", "Lunch").quota_user("first");
    call.quota_user("a&b é").pretty_print().parameter("userIp", "::1").send().await.expect("a response");
    let query = harness.log.only().query();
    let query: Vec<(&str, &str)> = query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(query, [("text", "Lunch"), ("quotaUser", "a&b é"), ("prettyPrint", "true"), ("userIp", "::1")]);
    // An operation without parameters of its own.
    let call = harness.clients.script.projects().deployments().delete("id", "deployment").quota_user("me");
    call.send().await.expect("a response");
    assert!(harness.log.only().target.ends_with("/deployments/deployment?quotaUser=me"));
    // A parameter name that must be encoded, and a path that ends with a custom verb.
    let body = script_client::types::ExecutionRequest::default();
    harness.clients.script.scripts().run("id", body).parameter("$.xgafv", "2").send().await.expect("a response");
    let request = harness.log.only();
    assert_eq!((request.path(), request.parameter("$.xgafv").as_deref()), ("/v1/scripts/id:run", Some("2")));
}

#[tokio::test]
async fn parameters_of_the_protocol_are_refused() {
    let harness = Setup::new(TransportKind::InProcess).start(|_| json(200, "{}")).await;
    let (get, list) = (
        harness.clients.calendar.events().get("primary", "abc"),
        harness.clients.mailbox.users().history().list("me", 1),
    );
    for name in ["alt", "key", "oauth_token", "access_token", "callback", "unheard_of", "pageToken", ""] {
        let failures = [
            failure(&get.clone().parameter(name, "x").send().await.expect_err("a refused parameter")),
            failure(&list.clone().parameter(name, "x").send().await.expect_err("a refused parameter")),
        ];
        for failed in failures {
            assert_eq!((failed.kind, failed.attempts), (Kind::Option, 0), "{failed:?}");
            assert!(failed.display.contains(&format!("`{name}`")), "{}", failed.display);
        }
        assert!(harness.log.take().is_empty(), "{name}");
    }
}
