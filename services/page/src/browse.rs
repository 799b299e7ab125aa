//! What the pages of mail, calendars and scripts have in common.

use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;
use http::StatusCode;
use http::request::Parts;
use jiff::tz::TimeZone;
use mailbox_types::runtime::{FromWire, json};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::guard::{Guard, Refusal};
use crate::html::{Escaped, Loads, page};
use crate::link::Link;
use crate::parameters::Parameters;
use crate::services::{Answer, Person, ServiceError, Services};
use crate::settings::Page;

/// So many pages are made at a time: each may hold a few megabytes of events or of a message. Others wait.
const PAGES: usize = 4;
/// So many pages ask at a time what is new in a history. More are sent away, and come again.
const FEEDS: usize = 16;

/// The pages and what they are read from.
pub(crate) struct Browser<O> {
    pub(crate) page: Arc<Page<O>>,
    pages: Semaphore,
    feeds: Semaphore,
}

impl<O: Services> Browser<O> {
    pub(crate) fn new(page: Arc<Page<O>>) -> Self {
        Self { page, pages: Semaphore::new(PAGES), feeds: Semaphore::new(FEEDS) }
    }

    /// Admits the visit of a page, and returns its parameters.
    ///
    /// # Errors
    /// When somebody else than the person at this machine asks.
    pub(crate) fn admit(&self, request: Request) -> Result<Parameters, Failure> {
        self.admit_by(request, |guard, request| guard.admit_visit(request))
    }

    /// Admits what a page of this server or a program asks, and returns its parameters.
    ///
    /// # Errors
    /// When somebody else asks.
    pub(crate) fn admit_page(&self, request: Request) -> Result<Parameters, Failure> {
        self.admit_by(request, |guard, request| guard.admit(request))
    }

    fn admit_by(
        &self,
        request: Request,
        admit: impl FnOnce(&Guard, &Parts) -> Result<(), Refusal>,
    ) -> Result<Parameters, Failure> {
        let (request, _) = request.into_parts();
        admit(&self.page.guard, &request).map_err(Failure::Refused)?;
        if !self.page.browse {
            return Err(Failure::Off);
        }
        Ok(Parameters::of(request.uri.query()))
    }

    /// Waits until there is room for another page.
    pub(crate) async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        self.pages.acquire().await.ok()
    }

    /// Takes a place among those who ask what is new, if one is free.
    pub(crate) fn feed(&self) -> Option<SemaphorePermit<'_>> {
        self.feeds.try_acquire().ok()
    }

    /// Returns all users, and which of them is meant: the one that is named, or that of the settings, or the first.
    pub(crate) async fn people(&self, named: Option<&str>) -> Result<(Vec<Person>, usize), Failure> {
        let people = self.page.source.people().await.map_err(Failure::Unavailable)?;
        let find = |address: &str| {
            let wanted = address.to_lowercase();
            people.iter().position(|person| person.address.to_lowercase() == wanted)
        };
        let place = match named {
            Some(address) => find(address).ok_or_else(|| Failure::Absent(format!("There is no user `{address}`.")))?,
            None => self.page.user.as_deref().and_then(find).unwrap_or_default(),
        };
        if people.is_empty() {
            return Err(Failure::Absent("There is nobody in this store: add a user first.".to_owned()));
        }
        Ok((people, place))
    }

    /// Asks an API for something.
    pub(crate) async fn get<T: for<'a> FromWire<'a>>(&self, user: &str, link: &Link) -> Result<T, Failure> {
        decode(&self.get_text(user, link).await?)
    }

    /// Asks an API for something as it is written.
    pub(crate) async fn get_text(&self, user: &str, link: &Link) -> Result<Vec<u8>, Failure> {
        let answer = self.page.source.get(user, link.as_str()).await.map_err(Failure::Unavailable)?;
        if answer.status.is_success() { Ok(answer.body) } else { Err(Failure::of_api(&answer)) }
    }
}

/// Returns the zone of the calendar of a user.
pub(crate) async fn zone_of<O: Services>(browser: &Browser<O>, user: &str) -> Result<TimeZone, Failure> {
    let calendars = browser.page.source.calendars(user).await.map_err(Failure::Unavailable)?;
    let own = calendars.iter().find(|calendar| calendar.id == user).and_then(|own| TimeZone::get(&own.time_zone).ok());
    Ok(own.unwrap_or(TimeZone::UTC))
}

/// Reads a response.
pub(crate) fn decode<T: for<'a> FromWire<'a>>(body: &[u8]) -> Result<T, Failure> {
    json::from_slice(body).map_err(|error| Failure::Unavailable(error.into()))
}

/// Why a page is not shown.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Somebody else asks.
    Refused(Refusal),
    /// There are no such pages here.
    Off,
    /// What is asked for is not there.
    Absent(String),
    /// A parameter is not as it should be.
    Bad(String),
    /// An API refuses.
    Api {
        /// Its status.
        status: StatusCode,
        /// What it says.
        message: String,
    },
    /// Something cannot be read.
    Unavailable(ServiceError),
}

impl Failure {
    fn of_api(answer: &Answer) -> Self {
        let body: serde_json::Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let message = body["error"]["message"].as_str().unwrap_or("the service does not say why");
        Self::Api { status: answer.status, message: message.to_owned() }
    }

    /// Returns the status and what to say.
    pub(crate) fn told(self) -> (StatusCode, String) {
        match self {
            Self::Refused(refusal) => (StatusCode::FORBIDDEN, format!("This is not shown: {refusal}.")),
            Self::Off => {
                let message = "Mail, calendars and scripts are not shown here: the server hands out no ready token.";
                (StatusCode::FORBIDDEN, message.to_owned())
            }
            Self::Absent(message) => (StatusCode::NOT_FOUND, message),
            Self::Bad(message) => (StatusCode::BAD_REQUEST, message),
            Self::Api { status, message } => (status, format!("The service answers {}: {message}", status.as_u16())),
            Self::Unavailable(cause) => {
                tracing::error!(target: "wireform_page", cause = &*cause, "a page cannot be made");
                let message =
                    "This cannot be read at the moment; the log of the server says why. Load the page again later.";
                (StatusCode::SERVICE_UNAVAILABLE, message.to_owned())
            }
        }
    }

    /// Returns a page that says so.
    pub(crate) fn into_page(self, title: &str) -> Response {
        let (status, message) = self.told();
        let main = format!("<h1>{}</h1>\n<p role=\"alert\"><bdi>{}</bdi></p>\n", Escaped(title), Escaped(message));
        page(status, title, Loads::Style, "", &main)
    }
}

/// The choice of a user in a form; every other value of the form is given up with it.
pub(crate) fn user_choice(people: &[Person], chosen: usize) -> String {
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
