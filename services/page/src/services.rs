//! Data source of the pages of mail, calendars and scripts.

mod scripts;

use std::future::Future;

use http::StatusCode;
use jiff::Timestamp;

pub use self::scripts::{
    Cancellation, ExecutionDetails, ExecutionList, ExecutionSummary, LogLine, RunningExecution, VisibleProject,
};

/// Error of a service. It is logged and not shown in the page.
pub type ServiceError = Box<dyn std::error::Error + Send + Sync>;

/// User.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Mail address.
    pub address: String,
    /// Display name, possibly empty.
    pub name: String,
}

/// Calendar that a user sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisibleCalendar {
    /// Identifier.
    pub id: String,
    /// Title.
    pub summary: String,
    /// IANA name of the time zone.
    pub time_zone: String,
    /// Address of the owner.
    pub owner: String,
    /// Role of the user, as in the API: `reader`.
    pub role: String,
    /// Labels available to its events.
    pub labels: Vec<CalendarLabel>,
    /// Working hours of the owner, by day of the week; empty if unknown.
    pub working_hours: Vec<WorkingHours>,
}

/// Working hours of the owner of a calendar on a day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkingHours {
    /// Day, from 1 for Monday to 7 for Sunday.
    pub day: u8,
    /// Minute of the day at which they begin.
    pub from: u16,
    /// Minute of the day at which they end.
    pub until: u16,
}

/// Notification channel of a calendar, with the state of its messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Identifier.
    pub id: String,
    /// Identifier of the watched calendar.
    pub calendar: String,
    /// Host that receives messages; the rest of the URL may be a secret.
    pub host: String,
    /// Identifier of the watched resource.
    pub resource_id: String,
    /// Time of creation.
    pub opened: Timestamp,
    /// Time of expiry.
    pub expires: Timestamp,
    /// Number of the last message.
    pub message: u64,
    /// True if that message is being sent.
    pub is_sending: bool,
    /// Number of attempts to send it.
    pub attempts: u32,
    /// Last attempt: the time of its end, the number of its message, and its outcome.
    pub last: Option<(Timestamp, u64, String)>,
    /// Time of the next attempt.
    pub next: Option<Timestamp>,
}

/// Label of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CalendarLabel {
    /// Identifier.
    pub id: String,
    /// Name.
    pub name: String,
    /// Color, such as `#16a765`.
    pub color: String,
}

/// Response of an API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiResponse {
    /// Status.
    pub status: StatusCode,
    /// Number of the execution that was run.
    pub execution: Option<i64>,
    /// Body, in JSON.
    pub body: Vec<u8>,
}

/// Data source that calls the APIs as their users, and lists what no operation lists. Implementors write `async fn`.
pub trait Services: Send + Sync + 'static {
    /// Returns the time of the services.
    fn now(&self) -> Timestamp;

    /// Lists all users, ordered by address.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn people(&self) -> impl Future<Output = Result<Vec<Person>, ServiceError>> + Send;

    /// Lists the calendars that a user sees, the user's own first.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn calendars(&self, user: &str) -> impl Future<Output = Result<Vec<VisibleCalendar>, ServiceError>> + Send;

    /// Lists the open channels of a user, ordered by identifier.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn channels(&self, user: &str) -> impl Future<Output = Result<Vec<Channel>, ServiceError>> + Send;

    /// Returns the address of the owner of a calendar.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    fn calendar_owner(&self, calendar: &str) -> impl Future<Output = Result<Option<String>, ServiceError>> + Send;

    /// Returns the `startHistoryId` that selects the last `count` records of a user's history, or of those up to a
    /// history ID.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    fn history_start(
        &self,
        user: &str,
        until: Option<u64>,
        count: u32,
    ) -> impl Future<Output = Result<u64, ServiceError>> + Send;

    /// Lists the script projects that a user can read, ordered by title.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn projects(&self, user: &str) -> impl Future<Output = Result<Vec<VisibleProject>, ServiceError>> + Send;

    /// Lists the latest log lines of a script project, earliest first; empty if the user cannot read the project.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn script_log(
        &self,
        user: &str,
        project: &str,
        count: u32,
    ) -> impl Future<Output = Result<Vec<LogLine>, ServiceError>> + Send;

    /// Lists executions, latest first: those of a script project, or the user's own; those before an execution of the
    /// same list, if its number is given. Returns `None` if the user cannot read the project.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn executions(
        &self,
        user: &str,
        project: Option<&str>,
        before: Option<i64>,
        count: u32,
    ) -> impl Future<Output = Result<Option<ExecutionList>, ServiceError>> + Send;

    /// Returns an execution with its first log lines; `None` if the user cannot see it.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    fn execution(
        &self,
        user: &str,
        number: i64,
        count: u32,
    ) -> impl Future<Output = Result<Option<ExecutionDetails>, ServiceError>> + Send;

    /// Lists the executions that run or wait and that the user may cancel, latest first: those of a script project, or
    /// the user's own.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn running_executions(
        &self,
        user: &str,
        project: Option<&str>,
    ) -> impl Future<Output = Result<Vec<RunningExecution>, ServiceError>> + Send;

    /// Cancels an execution as a user.
    ///
    /// # Errors
    /// Returns an error if the execution cannot be read or changed.
    fn cancel_execution(
        &self,
        user: &str,
        number: i64,
    ) -> impl Future<Output = Result<Cancellation, ServiceError>> + Send;

    /// Sends a GET request to the APIs with the full authority of a user. `target` is a path with its query.
    ///
    /// # Errors
    /// Returns an error if the user does not exist or there is no response.
    fn get(&self, user: &str, target: &str) -> impl Future<Output = Result<ApiResponse, ServiceError>> + Send;

    /// Sends a POST request with a JSON body to the APIs, with the full authority of a user.
    ///
    /// # Errors
    /// Returns an error if the user does not exist or there is no response.
    fn post(
        &self,
        user: &str,
        target: &str,
        body: Vec<u8>,
    ) -> impl Future<Output = Result<ApiResponse, ServiceError>> + Send;
}
