//! Pagination and synchronization with sealed tokens: generated clients read numbered items from services to the end,
//! and invalid or foreign tokens are rejected.

mod sync;

use std::sync::{Arc, Mutex, PoisonError};

use calendar_server::types as calendar;
use http::StatusCode;
use mailbox_client::requests::UsersHistoryList;
use mailbox_server::types as mailbox;
use script_server::types as script;
use wireform_client::transport::in_process;
use wireform_client::{Credentials, RetryPolicy};
use wireform_runtime::operation::Api;
use wireform_runtime::{Decimal, Paginated, Syncable};
use wireform_server::axum::Router;
use wireform_server::tokens::TokenSealer;
use wireform_server::{Context, Error, ErrorLocation, ListResult};

use crate::desk::{SCOPED, TOKEN, Tokens};
use crate::valid::{self, Valid};
use crate::wire::{TestResponse, send, with};

/// Service with items numbered from 1, which are never removed.
#[derive(Clone)]
struct Book {
    sealer: TokenSealer,
    things: Arc<Mutex<u64>>,
}

/// Page of items.
struct Part {
    numbers: Vec<u64>,
    next: Option<String>,
    /// Last number of the whole listing.
    end: u64,
}

impl Book {
    fn of(things: u64) -> Self {
        let sealer = TokenSealer::new([7; 32]).with_free_parameters(&["maxResults", "pageSize"]);
        Self { sealer, things: Arc::new(Mutex::new(things)) }
    }

    /// Returns a value that differs after each change.
    fn changes(&self) -> u64 {
        *self.things.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn grow(&self, more: u64) {
        *self.things.lock().unwrap_or_else(PoisonError::into_inner) += more;
    }

    /// Returns the requested page of the items after `since`. A page token contains the start of the page and the end
    /// of the listing, so that items added meanwhile belong to the next sync.
    fn page<R: Paginated>(&self, request: &R, context: &Context, size: i64, since: u64) -> Result<Part, Error> {
        let all = *self.things.lock().unwrap_or_else(PoisonError::into_inner);
        let (from, end): (u64, u64) = self.sealer.open_page(context, request)?.unwrap_or((since, all));
        let to = end.min(from + u64::try_from(size).unwrap_or(1));
        let next = if to < end { Some(self.sealer.seal_page(context, request, &(to, end))?) } else { None };
        Ok(Part { numbers: (from + 1..=to).collect(), next, end })
    }

    fn router(&self) -> Router {
        let calendar = calendar_server::server(self.clone()).authenticator(Tokens).router();
        let mailbox = mailbox_server::server(self.clone()).authenticator(Tokens).router();
        calendar.merge(mailbox).merge(script_server::server(self.clone()).authenticator(Tokens).router())
    }

    fn client(&self, api: &'static Api) -> wireform_client::Client {
        wireform_client::Client::builder(api)
            .base_url("http://localhost")
            .credentials(Credentials::token(TOKEN))
            .retry(RetryPolicy::off())
            .transport(in_process(self.router()))
            .build()
            .expect("a client")
    }

    fn calendar(&self) -> calendar_client::Client {
        self.client(&calendar_server::requests::API).into()
    }

    fn mailbox(&self) -> mailbox_client::Client {
        self.client(&mailbox_server::requests::API).into()
    }
}

impl calendar_server::service::CalendarList for Book {}
impl calendar_server::service::Calendars for Book {}
impl calendar_server::service::Channels for Book {}
impl calendar_server::service::Colors for Book {}
impl calendar_server::service::Freebusy for Book {}
impl calendar_server::service::Settings for Book {}

impl calendar_server::service::Events for Book {
    async fn list(
        &self,
        request: calendar_server::requests::EventsList,
        context: &Context,
    ) -> ListResult<calendar_server::requests::EventsList> {
        let (request, since) = self.sealer.open_sync(context, request)?;
        let tag = context.list_tag(&request, self.changes());
        if let Some(unchanged) = tag.not_modified() {
            return Ok(unchanged);
        }
        let part = self.page(&request, context, request.max_results.unwrap_or(250).into(), since.unwrap_or(0))?;
        let cursor = match part.next {
            Some(_) => None,
            None => self.sealer.seal_sync(context, &request, &part.end)?,
        };
        let items = part.numbers.iter().map(|number| calendar::Event::default().with_id(format!("event{number}")));
        let mut events = calendar::Events::default().with_items(items.collect::<Vec<_>>());
        (events.next_page_token, events.next_sync_token) = (part.next, cursor);
        Ok(tag.reply(events))
    }

    async fn instances(
        &self,
        request: calendar_server::requests::EventsInstances,
        context: &Context,
    ) -> wireform_server::Result<calendar::Events> {
        let part = self.page(&request, context, request.max_results.unwrap_or(250).into(), 0)?;
        let items = part.numbers.iter().map(|number| calendar::Event::default().with_id(format!("event{number}")));
        let mut events = calendar::Events::default().with_items(items.collect::<Vec<_>>());
        events.next_page_token = part.next;
        Ok(events.into())
    }
}

/// Oldest known history record.
const OLDEST: u64 = 10;

// The mailbox service implements only its history.
impl mailbox_server::service::Users for Book {}
impl mailbox_server::service::UsersLabels for Book {}
impl mailbox_server::service::UsersMessages for Book {}
impl mailbox_server::service::UsersDrafts for Book {}
impl mailbox_server::service::UsersMessagesAttachments for Book {}
impl mailbox_server::service::UsersThreads for Book {}

impl mailbox_server::service::UsersHistory for Book {
    async fn list(
        &self,
        request: mailbox_server::requests::UsersHistoryList,
        context: &Context,
    ) -> wireform_server::Result<mailbox::ListHistoryResponse> {
        let since = request.start_history_id.0;
        if since < OLDEST {
            let expired = <UsersHistoryList as Syncable>::EXPIRED_TOKEN;
            let status = StatusCode::from_u16(expired.status).expect("a status");
            let error = Error::new(status, "the start is too old").with_reason(expired.reason.expect("a reason"));
            return Err(error.with_location(ErrorLocation::Parameter(expired.location.expect("a parameter").into())));
        }
        let part = self.page(&request, context, request.max_results.unwrap_or(100).into(), since)?;
        let history = part.numbers.iter().map(|number| {
            let message = mailbox::Message::default().with_id(format!("message{number}"));
            let added = mailbox::MessageAdded::default().with_message(message);
            mailbox::History::default().with_id(Decimal(*number)).with_messages_added(vec![added])
        });
        let mut reply = mailbox::ListHistoryResponse::default().with_history(history.collect::<Vec<_>>());
        (reply.next_page_token, reply.history_id) = (part.next, Some(Decimal(part.end)));
        Ok(reply.into())
    }
}

impl script_server::service::Scripts for Book {}
impl script_server::service::Processes for Book {}
impl script_server::service::Projects for Book {}
impl script_server::service::ProjectsDeployments for Book {}

impl script_server::service::ProjectsVersions for Book {
    async fn list(
        &self,
        request: script_server::requests::ProjectsVersionsList,
        context: &Context,
    ) -> ListResult<script_server::requests::ProjectsVersionsList> {
        let tag = context.list_tag(&request, self.changes());
        let part = self.page(&request, context, request.page_size.unwrap_or(50), 0)?;
        let versions = part.numbers.iter().map(|number| {
            script::Version::default().with_version_number(i64::try_from(*number).expect("a small number"))
        });
        let mut reply = script::ListVersionsResponse::default().with_versions(versions.collect::<Vec<_>>());
        reply.next_page_token = part.next;
        Ok(tag.reply(reply))
    }
}

fn ids(events: &[calendar::Event]) -> Vec<String> {
    events.iter().map(|event| event.id.clone().expect("each has one")).collect()
}

fn numbered(name: &str, numbers: impl Iterator<Item = u64>) -> Vec<String> {
    numbers.map(|number| format!("{name}{number}")).collect()
}

#[tokio::test]
async fn each_thing_comes_once_whatever_the_size_of_a_page() {
    for (things, size) in [(0, 5), (1, 1), (5, 5), (6, 5), (23, 5), (40, 1)] {
        let book = Book::of(things);
        let expected = numbered("event", 1..=things);
        let client = book.calendar();
        let items = client.events().list("primary").max_results(size).items().collect().await.expect("all");
        assert_eq!(ids(&items), expected, "{things} by {size}");
        let items = client.events().instances("primary", "abcde").max_results(size).items().collect().await;
        assert_eq!(ids(&items.expect("all")), expected, "{things} by {size}");
        let pages = client.events().list("primary").max_results(size).pages().collect().await.expect("all");
        let pieces = pages.len() as u64;
        assert_eq!(pieces, things.div_ceil(u64::try_from(size).expect("a size")).max(1), "{things} by {size}");
        let script: script_client::Client = book.client(&script_server::requests::API).into();
        let versions = script.projects().versions().list("a").page_size(i64::from(size)).items().collect().await;
        let numbers: Vec<i64> = versions.expect("all").iter().filter_map(|one| one.version_number).collect();
        assert_eq!(numbers, (1..=i64::try_from(things).expect("few")).collect::<Vec<_>>(), "{things} by {size}");
    }
}

const LIST: &str = "/calendar/v3/calendars/primary/events";

/// Sends a request with the given token.
async fn get(book: &Book, target: &str, token: &str) -> TestResponse {
    let of = valid::of("calendar", "events.list");
    let one = Valid { target: Box::leak(target.to_owned().into_boxed_str()), ..of };
    send(&book.router(), with(one, &[("authorization", &format!("Bearer {token}"))])).await
}

async fn token_of(book: &Book, target: &str, member: &str) -> String {
    let got = get(book, target, TOKEN).await;
    assert_eq!(got.status, StatusCode::OK, "{got:?}");
    got.json()[member].as_str().unwrap_or_else(|| panic!("no {member}: {got:?}")).to_owned()
}

#[tokio::test]
async fn the_size_may_change_between_pages() {
    let book = Book::of(10);
    let (mut seen, mut token) = (Vec::new(), String::new());
    for size in [1, 4, 2, 250] {
        let next = if token.is_empty() { String::new() } else { format!("&pageToken={token}") };
        let page = get(&book, &format!("{LIST}?q=tea&maxResults={size}{next}"), TOKEN).await.json();
        seen.extend(
            page["items"].as_array().into_iter().flatten().filter_map(|item| item["id"].as_str().map(str::to_owned)),
        );
        token = page["nextPageToken"].as_str().unwrap_or_default().to_owned();
    }
    assert_eq!((seen, token.as_str()), (numbered("event", 1..=10), ""));
}

/// Asserts that the page token is rejected.
fn assert_refused(got: &TestResponse, what: &str) {
    assert_eq!(got.status, StatusCode::BAD_REQUEST, "{what}: {got:?}");
    let item = &got.json()["error"]["errors"][0];
    assert_eq!(
        (item["location"].as_str(), item["locationType"].as_str()),
        (Some("pageToken"), Some("parameter")),
        "{what}"
    );
    assert!(got.json().get("items").is_none(), "{what}");
}

#[tokio::test]
async fn a_token_is_for_one_listing_of_one_person() {
    let book = Book::of(10);
    let token = token_of(&book, &format!("{LIST}?q=tea&maxResults=3"), "nextPageToken").await;
    let same = get(&book, &format!("{LIST}?maxResults=2&pageToken={token}&q=tea"), TOKEN).await;
    assert_eq!(same.status, StatusCode::OK, "parameters have no order: {same:?}");
    let plain = get(&book, &format!("{LIST}?q=tea&pageToken={token}&prettyPrint=true&fields=items"), TOKEN).await;
    assert_eq!(plain.status, StatusCode::OK, "the output format does not affect the listing: {plain:?}");
    for query in ["q=coffee", "q=tea&timeZone=UTC", "", "q=tea&showDeleted=true", "q=te&q=a"] {
        let got = get(&book, &format!("{LIST}?{query}&pageToken={token}"), TOKEN).await;
        if query == "q=te&q=a" {
            assert_eq!(got.status, StatusCode::BAD_REQUEST);
            continue;
        }
        assert_refused(&got, query);
    }
    let elsewhere = get(&book, &format!("/calendar/v3/calendars/other/events?q=tea&pageToken={token}"), TOKEN).await;
    assert_refused(&elsewhere, "another calendar");
    let else_ = format!("{SCOPED}calendar.readonly");
    assert_refused(&get(&book, &format!("{LIST}?q=tea&pageToken={token}"), &else_).await, "another person");
    let target = format!("/calendar/v3/calendars/primary/events/abcde/instances?pageToken={token}");
    assert_refused(&get(&book, &target, TOKEN).await, "another operation");
    let target = format!("/v1/projects/a/versions?pageToken={token}");
    assert_refused(&get(&book, &target, TOKEN).await, "another API");
    let cursor = token_of(&book, LIST, "nextSyncToken").await;
    assert_refused(&get(&book, &format!("{LIST}?pageToken={cursor}"), TOKEN).await, "a sync token");
    let other_sealer = Book { sealer: TokenSealer::new([8; 32]), ..book.clone() };
    assert_refused(&get(&other_sealer, &format!("{LIST}?q=tea&pageToken={token}"), TOKEN).await, "another key");
}

#[tokio::test]
async fn a_token_that_was_changed_is_refused() {
    let book = Book::of(10);
    let token = token_of(&book, &format!("{LIST}?maxResults=3"), "nextPageToken").await;
    let mut mutated: Vec<String> = (0..token.len())
        .map(|at| {
            let mut bytes = token.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            String::from_utf8(bytes).expect("ASCII")
        })
        .collect();
    mutated.extend((0..token.len()).step_by(7).map(|end| token[..end].to_owned()).filter(|text| !text.is_empty()));
    mutated.extend(["1", "%00", "%F0%9F%A6%80", "null", "a%2Fb"].map(str::to_owned));
    mutated.extend([format!("{token}A"), format!("{token}="), token.to_lowercase(), format!("%20{token}")]);
    for text in mutated {
        assert_refused(&get(&book, &format!("{LIST}?pageToken={text}"), TOKEN).await, &text);
    }
}
