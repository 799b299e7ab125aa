//! Lists with several pages.

use std::time::Duration;

use calendar_client::fields;
use futures_util::TryStreamExt as _;
use wireform_client::{Items, Pages, Paginated};

use super::{pages, parameters, texts};
use crate::calls::{Kind, failure};
use crate::clients::{Clients, Harness, Setup, TransportKind};
use crate::server::{RecordedRequest, error, json};

/// A token that breaks unless it is encoded.
const TOKEN: &str = "a&b=c+d/é%20";

/// Starts a server with three pages, the second without items.
async fn start(items: &'static str) -> Harness {
    let respond = move |request: &RecordedRequest| match request.parameter("pageToken").as_deref() {
        None => json(200, format!(r#"{{"{items}":[{{}},{{}}],"nextPageToken":"{TOKEN}"}}"#)),
        Some(TOKEN) => json(200, r#"{"nextPageToken":"last"}"#),
        Some("last") => json(200, format!(r#"{{"{items}":[{{}}],"nextPageToken":""}}"#)),
        Some(other) => json(400, format!("{{\"error\":{{\"message\":\"{other}\"}}}}")),
    };
    Setup::new(TransportKind::InProcess).start(respond).await
}

/// Reads a list to its end by items, by pages and as a stream, and checks the requests.
async fn walk<R: Paginated>(name: &str, items: impl Fn(&Clients) -> Items<R>, pages: impl Fn(&Clients) -> Pages<R>) {
    let harness = start(R::ITEMS_FIELD).await;
    let found = items(&harness.clients).collect().await;
    assert_eq!(found.map(|found| found.len()).map_err(|error| error.to_string()), Ok(3), "{name}");
    assert_requests(name, &harness.log.take());
    let found = pages(&harness.clients).collect().await;
    assert_eq!(found.map(|found| found.len()).map_err(|error| error.to_string()), Ok(3), "{name}");
    assert_requests(name, &harness.log.take());
    // The `Stream` implementation of the items.
    let found: Result<Vec<_>, _> = items(&harness.clients).try_collect().await;
    assert_eq!(found.map(|found| found.len()).map_err(|error| error.to_string()), Ok(3), "{name}");
    assert_eq!(R::OPERATION.name, name);
}

/// Checks that the pages were requested in order, with all other parameters unchanged.
fn assert_requests(name: &str, requests: &[RecordedRequest]) {
    assert_eq!(parameters(requests, "pageToken"), texts([None, Some(TOKEN), Some("last")]), "{name}");
    let others = |request: &RecordedRequest| -> Vec<(String, String)> {
        request.query().into_iter().filter(|(name, _)| name != "pageToken").collect()
    };
    assert!(!others(&requests[0]).is_empty(), "{name}");
    for request in requests {
        assert_eq!((request.path(), others(request)), (requests[0].path(), others(&requests[0])), "{name}");
    }
}

macro_rules! lists {
    ($($name:literal: |$clients:ident| $call:expr;)*) => {
        /// The lists in the table.
        const LISTS: &[&str] = &[$($name),*];

        #[tokio::test]
        async fn every_list_is_read_to_its_end() {
            $(walk($name, |$clients| $call.items(), |$clients| $call.pages()).await;)*
        }
    };
}

lists! {
    "calendarList.list": |api| api.calendar.calendar_list().list().max_results(2);
    "settings.list": |api| api.calendar.settings().list().max_results(2);
    "events.instances": |api| api.calendar.events().instances("primary", "abc").max_results(2);
    "events.list": |api| api.calendar.events().list("primary").q("a&b").single_events(true);
    "users.drafts.list": |api| api.mailbox.users().drafts().list("me").q("a&b").max_results(2);
    "users.threads.list": |api| api.mailbox.users().threads().list("me").label_ids(["INBOX"]).max_results(2);
    "users.history.list": |api| api.mailbox.users().history().list("me", 7).label_id("INBOX");
    "users.messages.list": |api| api.mailbox.users().messages().list("me").label_ids(["INBOX"]).max_results(2);
    "processes.list": |api| api.script.processes().list().page_size(2);
    "processes.listScriptProcesses": |api| api.script.processes().list_script_processes("id").page_size(2);
    "projects.deployments.list": |api| api.script.projects().deployments().list("id").page_size(2);
    "projects.versions.list": |api| api.script.projects().versions().list("id").page_size(2);
}

/// A list with pages has a page token parameter, so no list is missing from the table.
#[test]
fn no_list_is_missing() {
    let paged = crate::calls::ALL.iter().filter(|entry| {
        let takes = entry.facts().parameters.iter().any(|parameter| parameter.name.matches("pageToken"));
        takes && entry.facts().safe
    });
    let mut paged: Vec<&str> = paged.map(|entry| entry.operation).collect();
    let mut lists = LISTS.to_vec();
    paged.sort_unstable();
    lists.sort_unstable();
    assert_eq!(lists, paged);
}

#[tokio::test]
async fn a_list_resumes_from_its_page_token() {
    let harness = start("items").await;
    let list = || harness.clients.calendar.events().list("primary");
    let mut items = list().items();
    let mut tokens = vec![items.page_token().map(str::to_owned)];
    while let Some(item) = items.next().await {
        item.expect("an item");
        tokens.push(items.page_token().map(str::to_owned));
    }
    // The page token is that of the current item's page: resuming from it skips no item.
    assert_eq!((tokens, items.is_complete()), (texts([None, None, None, Some("last")]), true));
    harness.log.take();

    let mut some = list().items().max_pages(1);
    while let Some(item) = some.next().await {
        item.expect("an item");
    }
    assert_eq!((some.page_token(), some.is_complete()), (Some(TOKEN), false));
    let rest = list().items().from_token(TOKEN).collect().await.expect("the rest");
    assert_eq!(rest.len(), 1);
    assert_eq!(parameters(&harness.log.take(), "pageToken"), texts([None, Some(TOKEN), Some("last")]));
    assert_eq!(list().page_token(TOKEN).items().collect().await.expect("the rest").len(), 1);
}

#[tokio::test]
async fn max_pages_ends_a_list_without_an_error() {
    let harness = start("items").await;
    let mut pages = harness.clients.calendar.events().list("primary").pages().max_pages(2);
    assert!(pages.next().await.is_some_and(|page| page.is_ok()));
    assert!(pages.next().await.is_some_and(|page| page.is_ok()));
    assert!(pages.next().await.is_none());
    assert_eq!((pages.page_token(), pages.is_complete()), (Some("last"), false));
    assert_eq!(harness.log.take().len(), 2, "no page is requested in advance");
    let none = harness.clients.calendar.events().list("primary").items().max_pages(0).collect().await;
    assert_eq!((none.expect("no error").len(), harness.log.take().len()), (0, 0));
}

#[tokio::test]
async fn a_list_can_be_resumed_after_an_error() {
    let next = r#"{"items":[{}],"nextPageToken":"2"}"#;
    let responses = [json(200, next), error(500, None, None), json(200, r#"{"items":[{},{}]}"#)];
    let harness = Setup::new(TransportKind::InProcess).start(super::in_turn(responses)).await;
    let mut items = harness.clients.calendar.events().list("primary").items();
    assert!(items.next().await.is_some_and(|item| item.is_ok()));
    let failed = items.next().await.expect("an item").expect_err("an error");
    assert_eq!((failed.status(), items.page_token()), (Some(500), Some("2")));
    assert!(items.next().await.is_none() && !items.is_complete());
    let token = items.page_token().expect("the page that failed").to_owned();
    let rest = harness.clients.calendar.events().list("primary").items().from_token(token).collect().await;
    assert_eq!(rest.expect("the rest").len(), 2);
}

#[tokio::test]
async fn a_cycle_of_page_tokens_is_an_error() {
    for cycle in [["a", "a", "a"], ["a", "b", "a"]] {
        let bodies = cycle.map(|token| format!(r#"{{"nextPageToken":"{token}"}}"#));
        let harness = Setup::new(TransportKind::InProcess).start(pages(bodies.iter().map(String::as_str))).await;
        let failed = harness.clients.calendar.events().list("primary").items().collect().await;
        let failed = failure(&failed.expect_err("a cycle"));
        assert_eq!((failed.kind, failed.operation), (Kind::Protocol, "events.list"), "{failed:?}");
        assert!(harness.log.take().len() <= 3);
    }
}

/// A mask without the page token would end every list after its first page.
#[tokio::test]
async fn fields_for_paging_are_selected_too() {
    let harness = start("items").await;
    let list = || harness.clients.calendar.events().list("primary");
    let selections = [
        list().fields(fields::Events::ITEMS.select([fields::Event::ID])),
        list().fields([fields::Events::SUMMARY]),
        list().fields([fields::Events::NEXT_PAGE_TOKEN]),
    ];
    let masks = ["items/id,nextPageToken", "summary,nextPageToken,items", "nextPageToken,items"];
    for (call, mask) in selections.into_iter().zip(masks) {
        assert_eq!(call.items().collect().await.expect("all items").len(), 3);
        let requests = harness.log.take();
        assert_eq!(parameters(&requests, "fields"), texts([Some(mask), Some(mask), Some(mask)]));
    }
}

/// The timeout applies to each page, so a long list needs no long timeout.
#[tokio::test(start_paused = true)]
async fn the_timeout_applies_to_each_page() {
    let harness = start("items").await;
    let mut items = harness.clients.calendar.events().list("primary").timeout(Duration::from_secs(1)).items();
    while let Some(item) = items.next().await {
        item.expect("an item");
        tokio::time::sleep(Duration::from_secs(10)).await;
    }
    assert!(items.is_complete());
}
