//! Common parts of the pages of mail, calendars and scripts.

use std::sync::Arc;

use axum::extract::Request;
use axum::response::{IntoResponse as _, Response};
use http::request::Parts;
use http::{StatusCode, header};
use jiff::tz::TimeZone;
use mailbox_types::runtime::FromWire;
use mailbox_types::runtime::json as wire;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::assets;
use crate::guard::{Guard, Refusal};
use crate::html::{AllowedResources, Escaped, Section, page};
use crate::link::Link;
use crate::parameters::Parameters;
use crate::services::{ApiResponse, Person, ServiceError, Services};
use crate::settings::PageSettings;

/// Maximum number of pages that are rendered at a time: each may hold a few megabytes of events or of a message. Others
/// wait.
const MAX_RENDERING: usize = 4;
/// Maximum number of concurrent requests for new records of a history. Further ones are refused and repeated later.
const MAX_FEEDS: usize = 16;

/// Pages of mail, calendars and scripts, with their settings and the limits on concurrent requests.
pub(crate) struct BrowsePages<O> {
    pub(crate) page: Arc<PageSettings<O>>,
    pages: Semaphore,
    feeds: Semaphore,
}

impl<O: Services> BrowsePages<O> {
    /// Creates the pages of mail, calendars and scripts with their settings.
    pub(crate) fn new(page: Arc<PageSettings<O>>) -> Self {
        Self { page, pages: Semaphore::new(MAX_RENDERING), feeds: Semaphore::new(MAX_FEEDS) }
    }

    /// Admits the visit of a page and returns its parameters.
    ///
    /// # Errors
    /// Returns an error if the request does not come from the person at this machine.
    pub(crate) fn admit(&self, request: Request) -> Result<Parameters, Failure> {
        self.admit_by(request, |guard, request| guard.admit_visit(request))
    }

    /// Admits a request of a page of this server or of a program, and returns its parameters.
    ///
    /// # Errors
    /// Returns an error if the request comes from elsewhere.
    pub(crate) fn admit_page(&self, request: Request) -> Result<Parameters, Failure> {
        self.admit_by(request, |guard, request| guard.admit(request))
    }

    /// Checks a request with `admit`, and that the pages are enabled. Returns the parameters of the URL.
    fn admit_by(
        &self,
        request: Request,
        admit: impl FnOnce(&Guard, &Parts) -> Result<(), Refusal>,
    ) -> Result<Parameters, Failure> {
        let (request, _) = request.into_parts();
        admit(&self.page.guard, &request).map_err(Failure::Refused)?;
        if !self.page.browse {
            return Err(Failure::Disabled);
        }
        Ok(Parameters::parse(request.uri.query()))
    }

    /// Waits for a permit to render a page.
    pub(crate) async fn render_permit(&self) -> Option<SemaphorePermit<'_>> {
        self.pages.acquire().await.ok()
    }

    /// Returns a permit to read new records, if one is free.
    pub(crate) fn feed_permit(&self) -> Option<SemaphorePermit<'_>> {
        self.feeds.try_acquire().ok()
    }

    /// Returns all users and the index of the selected one: the named user, or that of the settings, or the first.
    pub(crate) async fn people(&self, named: Option<&str>) -> Result<(Vec<Person>, usize), Failure> {
        let people = self.page.source.people().await.map_err(Failure::Unavailable)?;
        let find = |address: &str| {
            let wanted = address.to_lowercase();
            people.iter().position(|person| person.address.to_lowercase() == wanted)
        };
        let place = match named {
            Some(address) => find(address).ok_or_else(|| Failure::NotFound(format!("User `{address}` not found.")))?,
            None => self.page.user.as_deref().and_then(find).unwrap_or_default(),
        };
        if people.is_empty() {
            return Err(Failure::NotFound("There are no users in this store: add one first.".to_owned()));
        }
        Ok((people, place))
    }

    /// Sends a GET request to an API and decodes the response.
    pub(crate) async fn get<T: for<'a> FromWire<'a>>(&self, user: &str, link: &Link) -> Result<T, Failure> {
        decode(&self.get_text(user, link).await?)
    }

    /// Sends a GET request to an API and returns the response body.
    pub(crate) async fn get_text(&self, user: &str, link: &Link) -> Result<Vec<u8>, Failure> {
        let response = self.page.source.get(user, link.as_str()).await.map_err(Failure::Unavailable)?;
        if response.status.is_success() { Ok(response.body) } else { Err(Failure::from_response(&response)) }
    }
}

/// Returns the time zone of a user's primary calendar.
pub(crate) async fn primary_time_zone<O: Services>(pages: &BrowsePages<O>, user: &str) -> Result<TimeZone, Failure> {
    let calendars = pages.page.source.calendars(user).await.map_err(Failure::Unavailable)?;
    let own = calendars.iter().find(|calendar| calendar.id == user).and_then(|own| TimeZone::get(&own.time_zone).ok());
    Ok(own.unwrap_or(TimeZone::UTC))
}

/// Decodes a response.
pub(crate) fn decode<T: for<'a> FromWire<'a>>(body: &[u8]) -> Result<T, Failure> {
    wire::from_slice(body).map_err(|error| Failure::Unavailable(error.into()))
}

/// Returns JSON for the script of a page, or the error.
pub(crate) fn json_response(result: Result<Value, Failure>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/json; charset=UTF-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    let (status, body) = match result {
        Ok(body) => (StatusCode::OK, body),
        Err(failure) => {
            let (status, message) = failure.status_and_message();
            (status, json!({ "error": { "code": status.as_u16(), "message": message } }))
        }
    };
    (status, headers, body.to_string()).into_response()
}

/// Reason why a page is not shown.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request comes from elsewhere.
    Refused(Refusal),
    /// The pages are disabled.
    Disabled,
    /// The requested item does not exist.
    NotFound(String),
    /// A parameter is invalid.
    BadRequest(String),
    /// The user may not do this.
    Forbidden(String),
    /// The state of the item does not permit it.
    Conflict(String),
    /// The item is too large to be shown or downloaded.
    TooLarge(String),
    /// An API returned an error.
    Api {
        /// Status of the response.
        status: StatusCode,
        /// Message of the error.
        message: String,
    },
    /// The data source failed.
    Unavailable(ServiceError),
}

impl Failure {
    fn from_response(response: &ApiResponse) -> Self {
        let body: serde_json::Value = serde_json::from_slice(&response.body).unwrap_or_default();
        let message = body["error"]["message"].as_str().unwrap_or("no reason given");
        Self::Api { status: response.status, message: message.to_owned() }
    }

    /// Creates the error of too many open pages that poll.
    pub(crate) fn too_many_feeds() -> Self {
        let message = "too many pages poll for changes; retry later".to_owned();
        Self::Api { status: StatusCode::SERVICE_UNAVAILABLE, message }
    }

    /// Returns the status and the message.
    pub(crate) fn status_and_message(self) -> (StatusCode, String) {
        match self {
            Self::Refused(refusal) => (StatusCode::FORBIDDEN, format!("This page is not shown: {refusal}.")),
            Self::Disabled => {
                let message = "Mail, calendars and scripts are not shown because this server has no ready token.";
                (StatusCode::FORBIDDEN, message.to_owned())
            }
            Self::NotFound(message) => (StatusCode::NOT_FOUND, message),
            Self::BadRequest(message) => (StatusCode::BAD_REQUEST, message),
            Self::Forbidden(message) => (StatusCode::FORBIDDEN, message),
            Self::Conflict(message) => (StatusCode::CONFLICT, message),
            Self::TooLarge(message) => (StatusCode::PAYLOAD_TOO_LARGE, message),
            Self::Api { status, message } => (status, format!("The service returned {}: {message}", status.as_u16())),
            Self::Unavailable(cause) => {
                tracing::error!(target: "wireform_page", cause = &*cause, "a page cannot be created");
                let message =
                    "The data cannot be read at the moment; see the log of the server. Load the page again later.";
                (StatusCode::SERVICE_UNAVAILABLE, message.to_owned())
            }
        }
    }

    /// Returns an error page of a section, with a link to the section.
    pub(crate) fn into_page(self, section: Section, title: &str) -> Response {
        let (status, message) = self.status_and_message();
        let main = format!(
            "{}<h1>{}</h1>\n<p role=\"alert\"><bdi>{}</bdi></p>\n",
            section.way_back(),
            Escaped(title),
            Escaped(message)
        );
        page(status, Some(section), title, AllowedResources::Style, &assets::common_style(), &main)
    }
}

/// Returns the user selection of a form; selecting a user submits only that.
pub(crate) fn user_select(people: &[Person], chosen: usize) -> String {
    let mut html = String::from("<label>User <select name=\"user\" data-submits>");
    for (place, person) in people.iter().enumerate() {
        let selected = if place == chosen { " selected" } else { "" };
        let address = Escaped(&person.address);
        let name = if person.name.is_empty() { &person.address } else { &person.name };
        html.push_str(&format!("<option value=\"{address}\"{selected}>{}</option>", Escaped(name)));
    }
    html.push_str("</select></label>");
    html
}
