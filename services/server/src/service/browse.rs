//! Data source of the pages: requests to the APIs as a user, without a socket.

use std::collections::HashMap;

use anyhow::Context as _;
use http::response::Parts;
use http::{HeaderValue, Request, header};
use jiff::Timestamp;
use tower_service::Service as _;
use wireform_page::{
    ApiResponse, CalendarLabel, Cancellation, Channel, ExecutionDetails, ExecutionList, LogLine, Person,
    RunningExecution, ServiceError, Services, VisibleCalendar, VisibleProject, WorkingHours,
};
use wireform_script::EXECUTION_HEADER;
use wireform_script::apis::Authority;
use wireform_server::axum::Router;
use wireform_server::axum::body::{Body, to_bytes};
use wireform_server::{AuthError, AuthRequest, Authenticator, Credential, Principal};
use wireform_store::{
    Accounts as _, CalendarNumber, Calendars as _, Channels as _, Error, ExecutionFilter, ExecutionNumber,
    ExecutionQuery, ExecutionScope, HistoryId, LogEntry, LogQuery, LogScope, Mailbox, Mailboxes as _, Millis,
    ScriptRole, Scripts as _, User,
};

use super::overview::PageSource;

mod executions;
mod running;

/// Maximum number of bytes of a response to a page or a script.
const MAX_RESPONSE_BYTES: usize = 16 << 20;

/// User and authority of a request from a page or a script, among the extensions of the request.
#[derive(Clone)]
pub struct InternalCaller(pub User, pub Authority);

/// Authenticator of requests that carry an [`InternalCaller`], with its authority.
pub struct InternalAuthenticator;

impl Authenticator for InternalAuthenticator {
    async fn authenticate(&self, _: Credential<'_>, request: &AuthRequest<'_>) -> Result<Principal, AuthError> {
        let InternalCaller(user, authority) =
            request.parts.extensions.get::<InternalCaller>().ok_or(AuthError::Invalid)?;
        Ok(match authority {
            Authority::Full => Principal::new(user.address.as_str()).with_all_scopes().with_data(user.clone()),
            Authority::Token(grant) => wireform_mailbox::principal(grant),
        })
    }
}

impl Services for PageSource {
    fn now(&self) -> Timestamp {
        Timestamp::from_millisecond(self.clock.now().0).unwrap_or(Timestamp::MAX)
    }

    async fn people(&self) -> Result<Vec<Person>, ServiceError> {
        let users = self.store.users().await?;
        Ok(users.into_iter().map(|user| Person { address: user.address, name: user.name }).collect())
    }

    async fn calendars(&self, user: &str) -> Result<Vec<VisibleCalendar>, ServiceError> {
        let visible = self.store.visible_calendars(self.store.user(user).await?.mailbox).await?;
        let users = self.store.users().await?;
        let addresses: HashMap<Mailbox, String> = users.into_iter().map(|user| (user.mailbox, user.address)).collect();
        let shown = visible.into_iter().map(|(calendar, role)| VisibleCalendar {
            id: calendar.id,
            summary: calendar.summary,
            time_zone: calendar.time_zone,
            owner: addresses.get(&calendar.owner).cloned().unwrap_or_default(),
            role: role.as_str().to_owned(),
            labels: calendar
                .settings
                .labels
                .into_iter()
                .map(|label| CalendarLabel { id: label.id, name: label.name, color: label.color })
                .collect(),
            working_hours: calendar
                .settings
                .working_hours
                .into_iter()
                .map(|hours| WorkingHours { day: hours.day, from: hours.from, until: hours.until })
                .collect(),
        });
        Ok(shown.collect())
    }

    async fn channels(&self, user: &str) -> Result<Vec<Channel>, ServiceError> {
        let user = self.store.user(user).await?;
        let calendars = self.store.visible_calendars(user.mailbox).await?;
        let names: HashMap<_, _> = calendars.into_iter().map(|(calendar, _)| (calendar.number, calendar.id)).collect();
        let (channels, now) = (self.store.channels(Some(user.mailbox)).await?, self.clock.now());
        let open = channels.into_iter().filter(|channel| channel.settings.expires > now);
        Ok(open.map(|channel| visible_channel(channel, &names)).collect())
    }

    async fn calendar_owner(&self, calendar: &str) -> Result<Option<String>, ServiceError> {
        // The permissions of the user do not matter here.
        let found = self.store.find_calendars(vec![calendar.to_owned()], Mailbox(0)).await?;
        let Some((calendar, _)) = found.into_iter().next().flatten() else { return Ok(None) };
        let users = self.store.users().await?;
        Ok(users.into_iter().find(|user| user.mailbox == calendar.owner).map(|user| user.address))
    }

    async fn history_start(&self, user: &str, until: Option<u64>, count: u32) -> Result<u64, ServiceError> {
        let user = self.store.user(user).await?;
        Ok(self.store.history_start(user.mailbox, until.map(HistoryId), count).await?.0)
    }

    async fn projects(&self, user: &str) -> Result<Vec<VisibleProject>, ServiceError> {
        let user = self.store.user(user).await?;
        let visible = self.store.visible_projects(user.mailbox).await?;
        let mut shown: Vec<VisibleProject> = visible
            .into_iter()
            .map(|(project, role)| VisibleProject {
                id: project.id,
                title: project.title,
                role: role_name(role).to_owned(),
                updated: Timestamp::from_millisecond(project.updated.0).unwrap_or(Timestamp::MAX),
            })
            .collect();
        shown.sort_by_cached_key(|project| (project.title.to_lowercase(), project.id.clone()));
        Ok(shown)
    }

    async fn script_log(&self, user: &str, project: &str, count: u32) -> Result<Vec<LogLine>, ServiceError> {
        let user = self.store.user(user).await?;
        let Some((project, Some(_))) = self.store.find_project(project, user.mailbox).await? else {
            return Ok(Vec::new());
        };
        let project = project.number;
        let entries = self.store.log(LogQuery { project, scope: LogScope::Latest, limit: count }).await?;
        let scope = ExecutionScope::Project(project);
        let filter = ExecutionFilter::default();
        let executions = self.store.executions(ExecutionQuery { scope, filter, after: None, limit: count }).await?;
        let functions: HashMap<_, _> =
            executions.executions.into_iter().map(|one| (one.number, one.function)).collect();
        let line = |entry: LogEntry| {
            let function = functions.get(&entry.execution).map_or("", String::as_str);
            executions::log_line(entry, function)
        };
        Ok(entries.into_iter().map(line).collect())
    }

    async fn executions(
        &self,
        user: &str,
        project: Option<&str>,
        before: Option<i64>,
        count: u32,
    ) -> Result<Option<ExecutionList>, ServiceError> {
        executions::list(&self.store, user, project, before, count).await
    }

    async fn execution(&self, user: &str, number: i64, count: u32) -> Result<Option<ExecutionDetails>, ServiceError> {
        executions::find(&self.store, user, number, count).await
    }

    async fn running_executions(
        &self,
        user: &str,
        project: Option<&str>,
    ) -> Result<Vec<RunningExecution>, ServiceError> {
        running::list(&self.store, user, project).await
    }

    async fn cancel_execution(&self, user: &str, number: i64) -> Result<Cancellation, ServiceError> {
        running::cancel(&self.store, &self.clock, user, ExecutionNumber(number)).await
    }

    async fn get(&self, user: &str, target: &str) -> Result<ApiResponse, ServiceError> {
        self.request(user, Request::get(target).body(Body::empty())?).await
    }

    async fn post(&self, user: &str, target: &str, body: Vec<u8>) -> Result<ApiResponse, ServiceError> {
        let request = Request::post(target).header(header::CONTENT_TYPE, "application/json").body(Body::from(body))?;
        self.request(user, request).await
    }
}

/// Returns the name of a role as people see it.
const fn role_name(role: ScriptRole) -> &'static str {
    match role {
        ScriptRole::Read => "reader",
        ScriptRole::Write => "writer",
        ScriptRole::Owner => "owner",
    }
}

/// Sends a request to the APIs as a user, with an authority.
pub async fn send(
    apis: &Router,
    caller: InternalCaller,
    mut request: Request<Body>,
) -> anyhow::Result<(Parts, Vec<u8>)> {
    // The token is not checked, but a request without one would not reach the authenticator.
    request.headers_mut().insert(header::AUTHORIZATION, HeaderValue::from_static("Bearer page"));
    request.extensions_mut().insert(caller);
    let response = apis.clone().call(request).await?;
    let (head, body) = response.into_parts();
    let body = to_bytes(body, MAX_RESPONSE_BYTES).await.context("a response of the APIs cannot be read")?;
    Ok((head, body.into()))
}

impl PageSource {
    /// Sends a request to the APIs as a user.
    async fn request(&self, user: &str, request: Request<Body>) -> Result<ApiResponse, ServiceError> {
        let user = match self.store.user(user).await {
            Ok(user) => user,
            Err(Error::NotFound { .. }) => return Err(anyhow::anyhow!("the user no longer exists").into()),
            Err(error) => return Err(error.into()),
        };
        let (head, body) = send(&self.apis, InternalCaller(user, Authority::Full), request).await?;
        let execution = head.headers.get(EXECUTION_HEADER).and_then(|number| number.to_str().ok()?.parse().ok());
        Ok(ApiResponse { status: head.status, execution, body })
    }
}

/// Returns a channel as the pages show it, without its secrets.
fn visible_channel(channel: wireform_store::Channel, names: &HashMap<CalendarNumber, String>) -> Channel {
    let time = |at: Millis| Timestamp::from_millisecond(at.0).unwrap_or_default();
    let settings = channel.settings;
    let host = settings.url.parse::<http::Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
    Channel {
        id: settings.id,
        calendar: names.get(&settings.calendar).cloned().unwrap_or_default(),
        host: host.unwrap_or_default(),
        resource_id: settings.resource_id,
        opened: time(channel.opened),
        expires: time(settings.expires),
        message: channel.message,
        is_sending: channel.is_sending,
        attempts: channel.attempts,
        last: channel.last_attempt.map(|last| (time(last.at), last.message, last.outcome)),
        next: channel.due.map(time),
    }
}
