//! The parameters that every operation takes.

use crate::calls::{Kind, failure};
use crate::clients::{Setup, Way};
use crate::server::json;

#[tokio::test]
async fn they_are_sent_with_any_call_once() {
    let running = Setup::new(Way::Sockets).start(|_| json(200, "{}")).await;
    let call = running.clients.calendar.events().quick_add("primary", "Lunch").quota_user("first");
    call.quota_user("a&b é").pretty_print().parameter("userIp", "::1").send().await.expect("an answer");
    let query = running.log.only().query();
    let query: Vec<(&str, &str)> = query.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert_eq!(query, [("text", "Lunch"), ("quotaUser", "a&b é"), ("prettyPrint", "true"), ("userIp", "::1")]);
    // A call without parameters of its own.
    let call = running.clients.script.projects().deployments().delete("id", "deployment").quota_user("me");
    call.send().await.expect("an answer");
    assert!(running.log.only().target.ends_with("/deployments/deployment?quotaUser=me"));
    // A name with a character that is encoded, and the verb at the end of a path.
    let body = script_client::types::ExecutionRequest::default();
    running.clients.script.scripts().run("id", body).parameter("$.xgafv", "2").send().await.expect("an answer");
    let request = running.log.only();
    assert_eq!((request.path(), request.parameter("$.xgafv").as_deref()), ("/v1/scripts/id:run", Some("2")));
}

#[tokio::test]
async fn what_would_change_the_protocol_is_refused_and_nothing_is_sent() {
    let running = Setup::new(Way::InProcess).start(|_| json(200, "{}")).await;
    let (get, list) = (
        running.clients.calendar.events().get("primary", "abc"),
        running.clients.mailbox.users().history().list("me", 1),
    );
    for name in ["alt", "key", "oauth_token", "access_token", "callback", "unheard_of", "pageToken", ""] {
        let failures = [
            failure(&get.clone().parameter(name, "x").send().await.expect_err("it is refused")),
            failure(&list.clone().parameter(name, "x").send().await.expect_err("it is refused")),
        ];
        for failed in failures {
            assert_eq!((failed.kind, failed.attempts), (Kind::Option, 0), "{failed:?}");
            assert!(failed.display.contains(&format!("`{name}`")), "{}", failed.display);
        }
        assert!(running.log.take().is_empty(), "{name}");
    }
}
