//! Code of the examples in `docs/server.md`.

use std::error::Error as StdError;

use calendar_server::ListResult;
use calendar_server::runtime::tokens::TokenSealer;
use futures_util::TryStreamExt as _;

// server
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use calendar_server::runtime::{AuthError, AuthRequest, Credential, serve};
use calendar_server::{Authenticator, Context, Error, Principal, Result, WriteResult, requests, service, types};
use tokio::net::TcpListener;

struct Calendar {
    events: Mutex<BTreeMap<String, types::Event>>,
}

impl service::Events for Calendar {
    async fn get(&self, request: requests::EventsGet, _: &Context) -> Result<types::Event> {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let event = events.get(&request.event_id).cloned();
        Ok(event.ok_or_else(|| Error::not_found("there is no such event"))?.into())
    }

    async fn update(&self, request: requests::EventsUpdate, context: &Context) -> WriteResult<requests::EventsUpdate> {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let stored = events.get_mut(&request.event_id).ok_or_else(|| Error::not_found("there is no such event"))?;
        // 412 if `If-Match` names another version, 400 if a rule forbids the change. `prepare` copies fields that only
        // the server writes from the stored event. Only its admission creates a reply.
        let (event, admission) = context.prepare(&request, Some(stored))?;
        *stored = event;
        Ok(admission.reply(stored.clone()))
    }
    // Operations without a function here return 501.
}

impl service::CalendarList for Calendar {}
impl service::Calendars for Calendar {}
impl service::Channels for Calendar {}
impl service::Colors for Calendar {}
impl service::Freebusy for Calendar {}
impl service::Settings for Calendar {}

struct Tokens;

impl Authenticator for Tokens {
    async fn authenticate(
        &self,
        credential: Credential<'_>,
        _: &AuthRequest<'_>,
    ) -> std::result::Result<Principal, AuthError> {
        match credential {
            Credential::Bearer("secret") => Ok(Principal::new("mara").with_scopes(["calendar.events"])),
            _ => Err(AuthError::Invalid),
        }
    }
}

async fn run(calendar: Calendar, listener: TcpListener, shutdown: impl Future<Output = ()> + Send + 'static) {
    let router = calendar_server::server(calendar).authenticator(Tokens).router();
    serve(listener, router).graceful_shutdown(shutdown).await;
}
// server

#[tokio::test]
async fn the_server_works_as_its_page_shows() -> std::result::Result<(), Box<dyn StdError>> {
    let stored = types::Event::default().with_id("abcde").with_etag("\"1\"").with_summary("Lunch");
    let calendar = Calendar { events: Mutex::new(BTreeMap::from([("abcde".to_owned(), stored)])) };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = tokio::spawn(run(calendar, listener, async { _ = stopped.await }));

    let client: calendar_client::Client = calendar_client::Client::builder()
        .base_url(&address)
        .credentials(wireform_client::Credentials::token("secret"))
        .retry(wireform_client::RetryPolicy::off())
        .build()?;
    let event = client.events().get("primary", "abcde").send().await?;
    assert_eq!(event.summary.as_deref(), Some("Lunch"));
    let error = client.events().get("primary", "nobody").send().await.unwrap_err();
    assert!(error.is_not_found());
    let error = client.events().delete("primary", "abcde").send().await.unwrap_err();
    assert_eq!(error.status(), Some(501));
    let error = client.events().update("primary", "abcde", types::Event::default()).send().await.unwrap_err();
    assert_eq!(error.status(), Some(400), "an event has a start");

    _ = stop.send(());
    server.await?;
    Ok(())
}

struct Pages {
    sealer: TokenSealer,
    events: Vec<types::Event>,
}

// pages
impl service::Events for Pages {
    async fn list(&self, request: requests::EventsList, context: &Context) -> ListResult<requests::EventsList> {
        // 304 if the client has the current version: the tag changes whenever the list does.
        let tag = context.list_tag(&request, self.events.len());
        if let Some(unchanged) = tag.not_modified() {
            return Ok(unchanged);
        }
        // The page token holds the position. It is sealed, and valid for this user, this calendar and these parameters.
        let from: usize = self.sealer.open_page(context, &request)?.unwrap_or(0);
        let size = usize::try_from(request.max_results.unwrap_or(250)).unwrap_or(1);
        let items: Vec<_> = self.events.iter().skip(from).take(size).cloned().collect();
        let next = from + items.len();
        let mut page = types::Events::default().with_items(items);
        if next < self.events.len() {
            page.next_page_token = Some(self.sealer.seal_page(context, &request, &next)?);
        }
        Ok(tag.reply(page))
    }
}
// pages

impl service::CalendarList for Pages {}
impl service::Calendars for Pages {}
impl service::Channels for Pages {}
impl service::Colors for Pages {}
impl service::Freebusy for Pages {}
impl service::Settings for Pages {}

#[tokio::test]
async fn pages_work_as_the_page_about_servers_says() -> std::result::Result<(), Box<dyn StdError>> {
    let events = (0..7).map(|number| types::Event::default().with_id(format!("event{number}"))).collect();
    let pages = Pages { sealer: TokenSealer::random()?.with_free_parameters(&["maxResults"]), events };
    let router = calendar_server::server(pages).authenticator(Tokens).router();
    let client: calendar_client::Client = calendar_client::Client::builder()
        .base_url("http://localhost")
        .credentials(wireform_client::Credentials::token("secret"))
        .transport(wireform_client::transport::in_process(router))
        .build()?;
    let items: Vec<_> = client.events().list("primary").max_results(3).items().try_collect().await?;
    assert_eq!(items.len(), 7);
    Ok(())
}

#[test]
fn the_page_shows_the_code_of_this_test() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(|line| line.trim().to_owned()).collect() };
    let root = wireform_tests::root();
    let here = fs_err::read_to_string(root.join("tests/calls/servers/readme.rs")).expect("this file");
    for (mark, page) in [("server", "docs/server.md"), ("pages", "docs/server.md")] {
        let shown = lines(here.split(&format!("// {mark}\n")).nth(1).expect("the marks are there"));
        let text = lines(&fs_err::read_to_string(root.join(page)).expect("the page"));
        assert!(text.windows(shown.len()).any(|window| window == shown), "{page} does not show this code");
    }
}
