//! Format of seed files.

use std::collections::BTreeMap;

use serde_derive::Deserialize;
use serde_saphyr::Spanned;

/// Seed file.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Seed {
    /// Retention of history.
    pub retention: Option<Spanned<String>>,
    /// Users.
    pub users: Vec<User>,
}

/// User with all contents.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct User {
    /// Mail address.
    pub address: Spanned<String>,
    /// Display name.
    #[serde(default)]
    pub name: String,
    /// Labels of the user.
    #[serde(default)]
    pub labels: Vec<Label>,
    /// Messages, oldest first.
    #[serde(default)]
    pub messages: Vec<Spanned<Message>>,
    /// Calendars in addition to the primary one.
    #[serde(default)]
    pub calendars: Vec<Calendar>,
    /// Events of the primary calendar, in the format of the API.
    #[serde(default)]
    pub events: Vec<Spanned<serde_json::Value>>,
    /// Special days of contacts, on the primary calendar.
    #[serde(default)]
    pub birthdays: Vec<Birthday>,
    /// Time zone of the primary calendar.
    #[serde(default = "utc")]
    pub time_zone: Spanned<String>,
    /// Default reminders of the primary calendar, as on the command line.
    #[serde(default)]
    pub reminders: Vec<Spanned<String>>,
    /// Labels of the primary calendar, as on the command line.
    #[serde(default)]
    pub calendar_labels: Vec<Spanned<String>>,
    /// Working hours, as on the command line, in the time zone of the primary calendar.
    #[serde(default)]
    pub working_hours: Vec<Spanned<String>>,
    /// Roles of the users that the primary calendar is shared with, by address.
    #[serde(default)]
    pub shares: BTreeMap<String, Spanned<String>>,
    /// Script projects.
    #[serde(default)]
    pub scripts: Vec<Script>,
    /// Tokens with secrets known to tests.
    #[serde(default)]
    pub tokens: Vec<Token>,
}

/// Script project.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Script {
    /// Title.
    pub title: Spanned<String>,
    /// Content of the manifest (default: that of a new project).
    pub manifest: Option<serde_json::Value>,
    /// Source files by name, ordered by these.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// HTML files by name.
    #[serde(default)]
    pub pages: BTreeMap<String, String>,
    /// True if a first version is deployed.
    #[serde(default)]
    pub deployed: bool,
    /// Triggers of the owner.
    #[serde(default)]
    pub triggers: Vec<Trigger>,
    /// Roles of the users that the project is shared with, by address.
    #[serde(default)]
    pub shares: BTreeMap<String, Spanned<String>>,
}

/// Time-based trigger with one of `every`, `cron` and `at`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Trigger {
    /// Name of the function.
    pub function: Spanned<String>,
    /// Interval, as on the command line.
    pub every: Option<Spanned<String>>,
    /// Cron expression.
    pub cron: Option<Spanned<String>>,
    /// Time of a single run.
    pub at: Option<Spanned<String>>,
}

/// Label of a user.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Label {
    /// Name.
    pub name: Spanned<String>,
    /// Visibility of its messages in the list of messages: `show` or `hide`.
    pub message_list_visibility: Option<Spanned<String>>,
    /// Visibility in the list of labels: `labelShow`, `labelShowIfUnread` or `labelHide`.
    pub label_list_visibility: Option<Spanned<String>>,
    /// Text color, such as `#000000`; requires `background-color`.
    pub text_color: Option<Spanned<String>>,
    /// Background color; requires `text-color`.
    pub background_color: Option<Spanned<String>>,
}

/// Message, given as a whole (`raw`) or by its parts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Message {
    /// Complete message; its line ends are normalized to those of mail.
    pub raw: Option<Spanned<String>>,
    /// Sender: an address, or a name with an address in angle brackets.
    pub from: Option<Spanned<String>>,
    /// Recipients, separated by commas.
    pub to: Option<String>,
    /// Recipients of copies, separated by commas.
    pub cc: Option<String>,
    /// Subject.
    #[serde(default)]
    pub subject: String,
    /// Identifier, without angle brackets (default: derived from the index).
    pub id: Option<Spanned<String>>,
    /// Identifier of the message that this one replies to.
    #[serde(rename = "answers")]
    pub in_reply_to: Option<Spanned<String>>,
    /// Plain text.
    #[serde(default)]
    pub text: String,
    /// HTML alternative of the text.
    pub html: Option<String>,
    /// Attachments.
    #[serde(default)]
    pub attachments: Vec<Attachment>,
    /// Time of acceptance.
    pub date: Option<Spanned<String>>,
    /// Labels: system labels by identifier, others by name.
    #[serde(default = "inbox_unread")]
    pub labels: Vec<Spanned<String>>,
}

impl Message {
    /// Returns whether a field is set that `raw` would already contain.
    pub fn has_parts(&self) -> bool {
        let texts = [&self.subject, &self.text].into_iter().any(|text| !text.is_empty());
        let headers = self.to.is_some() || self.cc.is_some() || self.id.is_some() || self.in_reply_to.is_some();
        texts || headers || self.html.is_some() || !self.attachments.is_empty()
    }
}

/// Text attachment.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Attachment {
    /// File name.
    pub name: Spanned<String>,
    /// Media type.
    #[serde(rename = "type", default = "text_plain")]
    pub media_type: Spanned<String>,
    /// Content.
    pub text: String,
}

/// Calendar.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Calendar {
    /// Identifier (default: generated).
    pub id: Option<Spanned<String>>,
    /// Title.
    pub summary: String,
    /// Time zone.
    #[serde(default = "utc")]
    pub time_zone: Spanned<String>,
    /// Description.
    #[serde(default)]
    pub description: String,
    /// Default reminders, as on the command line.
    #[serde(default)]
    pub reminders: Vec<Spanned<String>>,
    /// Labels, as on the command line.
    #[serde(default)]
    pub labels: Vec<Spanned<String>>,
    /// Working hours of the owner, as on the command line.
    #[serde(default)]
    pub working_hours: Vec<Spanned<String>>,
    /// Roles of the users that the calendar is shared with, by address.
    #[serde(default)]
    pub shares: BTreeMap<String, Spanned<String>>,
    /// Events, in the format of the API.
    #[serde(default)]
    pub events: Vec<Spanned<serde_json::Value>>,
}

/// Special day of a contact.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Birthday {
    /// Name of the contact.
    pub name: Spanned<String>,
    /// Date, such as `1815-12-10`.
    pub date: Spanned<String>,
    /// Kind: `birthday`, `self`, `anniversary`, `other`, or `custom` with a label.
    #[serde(rename = "type", default = "birthday")]
    pub kind: Spanned<String>,
    /// Label of a day of the kind `custom`.
    pub label: Option<Spanned<String>>,
    /// Resource name of the contact, such as `people/c12345` (default: derived from the name).
    pub contact: Option<Spanned<String>>,
}

/// Access token.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Token {
    /// Secret that clients send. Every reader of the file can use it, so such tokens are for tests.
    pub secret: Spanned<String>,
    /// Scopes, as on the command line.
    pub scopes: Vec<Spanned<String>>,
    /// Expiry (default: never).
    pub expires: Option<Spanned<String>>,
    /// Note on the purpose.
    #[serde(default)]
    pub note: String,
    /// Kind: `user`, `serviceAccount` or `delegated`.
    pub kind: Option<Spanned<String>>,
}

/// Creates a default value, which has no location in the file.
fn spanned(text: &str) -> Spanned<String> {
    let nowhere = serde_saphyr::Location::UNKNOWN;
    Spanned { value: text.to_owned(), referenced: nowhere, defined: nowhere }
}

fn text_plain() -> Spanned<String> {
    spanned("text/plain")
}

/// Returns the default kind of a special day.
fn birthday() -> Spanned<String> {
    spanned("birthday")
}

/// Returns the default time zone of a calendar.
fn utc() -> Spanned<String> {
    spanned("UTC")
}

fn inbox_unread() -> Vec<Spanned<String>> {
    vec![spanned("INBOX"), spanned("UNREAD")]
}
