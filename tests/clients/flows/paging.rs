//! Listings that come in pages.

use std::time::Duration;

use calendar_client::fields;
use futures_util::TryStreamExt as _;
use wireform_client::{Items, Pages, Paginated};

use super::{pages, parameters, texts};
use crate::calls::{Kind, failure};
use crate::clients::{Clients, Running, Setup, Way};
use crate::server::{Recorded, error, json};

/// A token that a careless client would break.
const TOKEN: &str = "a&b=c+d/é%20";

/// Three pages, the middle one without items.
async fn start(items: &'static str) -> Running {
    let respond = move |request: &Recorded| match request.parameter("pageToken").as_deref() {
        None => json(200, format!(r#"{{"{items}":[{{}},{{}}],"nextPageToken":"{TOKEN}"}}"#)),
        Some(TOKEN) => json(200, r#"{"nextPageToken":"last"}"#),
        Some("last") => json(200, format!(r#"{{"{items}":[{{}}],"nextPageToken":""}}"#)),
        Some(other) => json(400, format!("{{\"error\":{{\"message\":\"{other}\"}}}}")),
    };
    Setup::new(Way::InProcess).start(respond).await
}

/// Reads a listing to its end in both ways, and checks what was asked for.
async fn walk<R: Paginated>(name: &str, items: impl Fn(&Clients) -> Items<R>, pages: impl Fn(&Clients) -> Pages<R>) {
    let running = start(R::ITEMS_FIELD).await;
    let found = items(&running.clients).collect().await;
    assert_eq!(found.map(|found| found.len()).map_err(|error| error.to_string()), Ok(3), "{name}");
    check(name, &running.log.take());
    let found = pages(&running.clients).collect().await;
    assert_eq!(found.map(|found| found.len()).map_err(|error| error.to_string()), Ok(3), "{name}");
    check(name, &running.log.take());
    // As streams of the ecosystem.
    let found: Result<Vec<_>, _> = items(&running.clients).try_collect().await;
    assert_eq!(found.map(|found| found.len()).map_err(|error| error.to_string()), Ok(3), "{name}");
    assert_eq!(R::OPERATION.name, name);
}

/// The pages are asked for one after the other, with everything else as it was.
fn check(name: &str, requests: &[Recorded]) {
    assert_eq!(parameters(requests, "pageToken"), texts([None, Some(TOKEN), Some("last")]), "{name}");
    let others = |request: &Recorded| -> Vec<(String, String)> {
        request.query().into_iter().filter(|(name, _)| name != "pageToken").collect()
    };
    assert!(!others(&requests[0]).is_empty(), "{name}");
    for request in requests {
        assert_eq!((request.path(), others(request)), (requests[0].path(), others(&requests[0])), "{name}");
    }
}

macro_rules! listings {
    ($($name:literal: |$clients:ident| $call:expr;)*) => {
        /// The listings that the table has.
        const LISTINGS: &[&str] = &[$($name),*];

        #[tokio::test]
        async fn every_listing_is_read_to_its_end() {
            $(walk($name, |$clients| $call.items(), |$clients| $call.pages()).await;)*
        }
    };
}

listings! {
    "events.instances": |it| it.calendar.events().instances("primary", "abc").max_results(2);
    "events.list": |it| it.calendar.events().list("primary").q("a&b").single_events(true);
    "users.history.list": |it| it.mailbox.users().history().list("me", 7).label_id("INBOX");
    "users.messages.list": |it| it.mailbox.users().messages().list("me").label_ids(["INBOX"]).max_results(2);
    "processes.list": |it| it.script.processes().list().page_size(2);
    "processes.listScriptProcesses": |it| it.script.processes().list_script_processes("id").page_size(2);
    "projects.deployments.list": |it| it.script.projects().deployments().list("id").page_size(2);
    "projects.versions.list": |it| it.script.projects().versions().list("id").page_size(2);
}

/// An operation that comes in pages has a parameter for them, so none is missing from the table.
#[test]
fn no_listing_is_forgotten() {
    let paged = crate::calls::ALL.iter().filter(|entry| {
        let takes = entry.facts().parameters.iter().any(|parameter| parameter.name.matches("pageToken"));
        takes && entry.facts().safe
    });
    let mut paged: Vec<&str> = paged.map(|entry| entry.operation).collect();
    let mut listings = LISTINGS.to_vec();
    paged.sort_unstable();
    listings.sort_unstable();
    assert_eq!(listings, paged);
}

#[tokio::test]
async fn a_listing_goes_on_where_it_was_left() {
    let running = start("items").await;
    let list = || running.clients.calendar.events().list("primary");
    let mut items = list().items();
    let mut tokens = vec![items.page_token().map(str::to_owned)];
    while let Some(item) = items.next().await {
        item.expect("an item");
        tokens.push(items.page_token().map(str::to_owned));
    }
    // The token is that of the page which the item is on: going on from it misses nothing.
    assert_eq!((tokens, items.is_complete()), (texts([None, None, None, Some("last")]), true));
    running.log.take();

    let mut some = list().items().max_pages(1);
    while let Some(item) = some.next().await {
        item.expect("an item");
    }
    assert_eq!((some.page_token(), some.is_complete()), (Some(TOKEN), false));
    let rest = list().items().from_token(TOKEN).collect().await.expect("the rest");
    assert_eq!(rest.len(), 1);
    assert_eq!(parameters(&running.log.take(), "pageToken"), texts([None, Some(TOKEN), Some("last")]));
    assert_eq!(list().page_token(TOKEN).items().collect().await.expect("the rest").len(), 1);
}

#[tokio::test]
async fn a_bound_ends_a_listing_without_an_error() {
    let running = start("items").await;
    let mut pages = running.clients.calendar.events().list("primary").pages().max_pages(2);
    assert!(pages.next().await.is_some_and(|page| page.is_ok()));
    assert!(pages.next().await.is_some_and(|page| page.is_ok()));
    assert!(pages.next().await.is_none());
    assert_eq!((pages.page_token(), pages.is_complete()), (Some("last"), false));
    assert_eq!(running.log.take().len(), 2, "nothing is asked for in advance");
    let none = running.clients.calendar.events().list("primary").items().max_pages(0).collect().await;
    assert_eq!((none.expect("no error").len(), running.log.take().len()), (0, 0));
}

#[tokio::test]
async fn an_error_ends_a_listing_which_can_go_on_later() {
    let next = r#"{"items":[{}],"nextPageToken":"2"}"#;
    let responses = [json(200, next), error(500, None, None), json(200, r#"{"items":[{},{}]}"#)];
    let running = Setup::new(Way::InProcess).start(super::in_turn(responses)).await;
    let mut items = running.clients.calendar.events().list("primary").items();
    assert!(items.next().await.is_some_and(|item| item.is_ok()));
    let failed = items.next().await.expect("an item").expect_err("an error");
    assert_eq!((failed.status(), items.page_token()), (Some(500), Some("2")));
    assert!(items.next().await.is_none() && !items.is_complete());
    let token = items.page_token().expect("the page that failed").to_owned();
    let rest = running.clients.calendar.events().list("primary").items().from_token(token).collect().await;
    assert_eq!(rest.expect("the rest").len(), 2);
}

#[tokio::test]
async fn a_server_that_leads_in_a_circle_is_an_error() {
    for circle in [["a", "a", "a"], ["a", "b", "a"]] {
        let bodies = circle.map(|token| format!(r#"{{"nextPageToken":"{token}"}}"#));
        let running = Setup::new(Way::InProcess).start(pages(bodies.iter().map(String::as_str))).await;
        let failed = running.clients.calendar.events().list("primary").items().collect().await;
        let failed = failure(&failed.expect_err("there is no end"));
        assert_eq!((failed.kind, failed.operation), (Kind::Protocol, "events.list"), "{failed:?}");
        assert!(running.log.take().len() <= 3);
    }
}

/// A selection that leaves out the token would end every listing after its first page.
#[tokio::test]
async fn what_paging_needs_is_selected_too() {
    let running = start("items").await;
    let list = || running.clients.calendar.events().list("primary");
    let selections = [
        list().fields(fields::Events::ITEMS.select([fields::Event::ID])),
        list().fields([fields::Events::SUMMARY]),
        list().fields([fields::Events::NEXT_PAGE_TOKEN]),
    ];
    let asked = ["items/id,nextPageToken", "summary,nextPageToken,items", "nextPageToken,items"];
    for (call, asked) in selections.into_iter().zip(asked) {
        assert_eq!(call.items().collect().await.expect("all of them").len(), 3);
        let requests = running.log.take();
        assert_eq!(parameters(&requests, "fields"), texts([Some(asked), Some(asked), Some(asked)]));
    }
}

/// Each page is an attempt of its own, so a long listing needs no long time-out.
#[tokio::test(start_paused = true)]
async fn the_time_out_is_that_of_a_page() {
    let running = start("items").await;
    let mut items = running.clients.calendar.events().list("primary").timeout(Duration::from_secs(1)).items();
    while let Some(item) = items.next().await {
        item.expect("an item");
        tokio::time::sleep(Duration::from_secs(10)).await;
    }
    assert!(items.is_complete());
}
