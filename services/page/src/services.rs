//! Where the pages of mail, calendars and scripts read from.

use std::future::Future;

use http::StatusCode;
use jiff::Timestamp;

/// What a service failed for. It goes to the log, and not into the page.
pub type ServiceError = Box<dyn std::error::Error + Send + Sync>;

/// A user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The mail address.
    pub address: String,
    /// What people call them; may be empty.
    pub name: String,
}

/// A calendar that a user sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleCalendar {
    /// What it is asked for by.
    pub id: String,
    /// Its title.
    pub summary: String,
    /// Its time zone by its IANA name.
    pub time_zone: String,
    /// The address of its owner.
    pub owner: String,
    /// The role of the user, as the API spells it: `reader`.
    pub role: String,
    /// The labels that its events can have.
    pub labels: Vec<CalendarLabel>,
    /// When its owner works, by days of the week; none where nothing is said.
    pub working_hours: Vec<WorkingHours>,
}

/// Hours of a day of the week in which the owner of a calendar works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkingHours {
    /// The day, from 1 for Monday to 7 for Sunday.
    pub day: u8,
    /// Minute of the day at which they begin.
    pub from: u16,
    /// Minute of the day at which they end.
    pub until: u16,
}

/// A channel on which changes of a calendar are announced, and how its messages stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its identifier.
    pub id: String,
    /// The calendar that is watched, as it is asked for.
    pub calendar: String,
    /// Where messages are sent: the host alone, because the rest of the address may be a secret.
    pub host: String,
    /// What is watched.
    pub resource_id: String,
    /// When it was opened.
    pub opened: Timestamp,
    /// When it closes.
    pub expires: Timestamp,
    /// Number of the last message.
    pub message: u64,
    /// Whether that message is on its way.
    pub is_sending: bool,
    /// How often it was tried.
    pub attempts: u32,
    /// The last attempt: when it ended, which message it was of, and what came of it.
    pub last: Option<(Timestamp, u64, String)>,
    /// When something is sent next.
    pub next: Option<Timestamp>,
}

/// A label of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarLabel {
    /// What events name it by.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// Its colour, such as `#16a765`.
    pub color: String,
}

/// A script project that a user may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleProject {
    /// What it is asked for by.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What the user may do with it, for people: `owner`.
    pub role: String,
    /// When its content, title or sharing was changed last.
    pub updated: Timestamp,
}

/// A line that a function of a script logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// When it was written.
    pub at: Timestamp,
    /// The number of the execution that wrote it.
    pub execution: i64,
    /// The function that ran; empty where the execution is forgotten.
    pub function: String,
    /// How severe it is, for people: `warning`.
    pub severity: String,
    /// The text, which may have several lines.
    pub text: String,
}

/// The response of an API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Its body, in JSON.
    pub body: Vec<u8>,
}

/// Reads the APIs as their users do, and lists what no operation of theirs does. Implementors write `async fn`.
pub trait Services: Send + Sync + 'static {
    /// Returns the time of the services.
    fn now(&self) -> Timestamp;

    /// Lists all users in the order of their addresses.
    ///
    /// # Errors
    /// When they cannot be read.
    fn people(&self) -> impl Future<Output = Result<Vec<Person>, ServiceError>> + Send;

    /// Lists the calendars that a user sees, their own first.
    ///
    /// # Errors
    /// When they cannot be read.
    fn calendars(&self, user: &str) -> impl Future<Output = Result<Vec<VisibleCalendar>, ServiceError>> + Send;

    /// Lists the channels of a user that are open, in the order of their identifiers.
    ///
    /// # Errors
    /// When they cannot be read.
    fn channels(&self, user: &str) -> impl Future<Output = Result<Vec<Channel>, ServiceError>> + Send;

    /// Returns the address of the owner of a calendar.
    ///
    /// # Errors
    /// When it cannot be read.
    fn calendar_owner(&self, calendar: &str) -> impl Future<Output = Result<Option<String>, ServiceError>> + Send;

    /// Returns the `startHistoryId` after which the last `count` records of the history of a user come, of all or of
    /// those up to a number.
    ///
    /// # Errors
    /// When it cannot be read.
    fn history_start(
        &self,
        user: &str,
        until: Option<u64>,
        count: u32,
    ) -> impl Future<Output = Result<u64, ServiceError>> + Send;

    /// Lists the script projects that a user may read, in the order of their titles.
    ///
    /// # Errors
    /// When they cannot be read.
    fn projects(&self, user: &str) -> impl Future<Output = Result<Vec<VisibleProject>, ServiceError>> + Send;

    /// Lists the latest lines that executions of a script project logged, the earliest first; none where the user may not
    /// read the project.
    ///
    /// # Errors
    /// When they cannot be read.
    fn script_log(
        &self,
        user: &str,
        project: &str,
        count: u32,
    ) -> impl Future<Output = Result<Vec<LogLine>, ServiceError>> + Send;

    /// Asks the APIs with GET, with all that the user may do. `target` is a path with its query.
    ///
    /// # Errors
    /// When there is no such user, or no response.
    fn get(&self, user: &str, target: &str) -> impl Future<Output = Result<Answer, ServiceError>> + Send;

    /// Asks the APIs with POST and a body in JSON, with all that the user may do.
    ///
    /// # Errors
    /// When there is no such user, or no response.
    fn post(
        &self,
        user: &str,
        target: &str,
        body: Vec<u8>,
    ) -> impl Future<Output = Result<Answer, ServiceError>> + Send;
}
