//! A seed as it is written.

use std::collections::BTreeMap;

use serde_derive::Deserialize;
use serde_saphyr::Spanned;

/// The file.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Seed {
    /// How long history is kept.
    pub retention: Option<Spanned<String>>,
    /// The users.
    pub users: Vec<User>,
}

/// A user with all that is theirs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct User {
    /// Their mail address.
    pub address: Spanned<String>,
    /// What people call them.
    #[serde(default)]
    pub name: String,
    /// The labels that they have made.
    #[serde(default)]
    pub labels: Vec<Label>,
    /// Their mail, the oldest first.
    #[serde(default)]
    pub messages: Vec<Message>,
    /// Their calendars beside that of their address.
    #[serde(default)]
    pub calendars: Vec<Calendar>,
    /// Events of the calendar of their address, as the API has them.
    #[serde(default)]
    pub events: Vec<serde_json::Value>,
    /// Special days of contacts, on the calendar of their address.
    #[serde(default)]
    pub birthdays: Vec<Birthday>,
    /// The time zone of the calendar of their address.
    #[serde(default = "utc")]
    pub time_zone: Spanned<String>,
    /// The default reminders of the calendar of their address, as on the command line.
    #[serde(default)]
    pub reminders: Vec<Spanned<String>>,
    /// The labels of the calendar of their address, as on the command line.
    #[serde(default)]
    pub calendar_labels: Vec<Spanned<String>>,
    /// When they work, as on the command line, in the zone of the calendar of their address.
    #[serde(default)]
    pub working_hours: Vec<Spanned<String>>,
    /// With whom the calendar of their address is shared, and what these may do.
    #[serde(default)]
    pub shares: BTreeMap<String, Spanned<String>>,
    /// Their script projects.
    #[serde(default)]
    pub scripts: Vec<Script>,
    /// Tokens that are known to tests.
    #[serde(default)]
    pub tokens: Vec<Token>,
}

/// A script project.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Script {
    /// Its title.
    pub title: Spanned<String>,
    /// What its manifest holds; that of a new project otherwise.
    pub manifest: Option<serde_json::Value>,
    /// Its files of code by their names, in the order of these.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Its pages by their names.
    #[serde(default)]
    pub pages: BTreeMap<String, String>,
    /// Whether its first version is deployed.
    #[serde(default)]
    pub deployed: bool,
    /// Triggers of its owner.
    #[serde(default)]
    pub triggers: Vec<Trigger>,
    /// With whom it is shared, and what these may do.
    #[serde(default)]
    pub shares: BTreeMap<String, Spanned<String>>,
}

/// A trigger by time: `every`, `cron` or `at`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Trigger {
    /// The function that it runs.
    pub function: Spanned<String>,
    /// The time between two runs, as on the command line.
    pub every: Option<Spanned<String>>,
    /// An expression of cron.
    pub cron: Option<Spanned<String>>,
    /// When it runs once.
    pub at: Option<Spanned<String>>,
}

/// A label of a user.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Label {
    /// Its name.
    pub name: Spanned<String>,
    /// `show` or `hide`: whether its messages are in the list of messages.
    pub message_list_visibility: Option<Spanned<String>>,
    /// `labelShow`, `labelShowIfUnread` or `labelHide`: whether it is in the list of labels.
    pub label_list_visibility: Option<Spanned<String>>,
    /// The colour of its text, such as `#000000`; with `background-color` or not at all.
    pub text_color: Option<Spanned<String>>,
    /// The colour behind its text.
    pub background_color: Option<Spanned<String>>,
}

/// A message: as it came (`raw`), or by its parts.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Message {
    /// The whole message; its lines are ended as mail ends them.
    pub raw: Option<Spanned<String>>,
    /// Who wrote it: an address, or a name with an address in angle brackets.
    pub from: Option<Spanned<String>>,
    /// Whom it was sent to, separated by commas.
    pub to: Option<String>,
    /// Who got copies.
    pub cc: Option<String>,
    /// Its subject.
    #[serde(default)]
    pub subject: String,
    /// Its identifier, without angle brackets; made up of its place otherwise.
    pub id: Option<Spanned<String>>,
    /// The identifier of the message that it answers.
    pub answers: Option<Spanned<String>>,
    /// Its text.
    #[serde(default)]
    pub text: String,
    /// Its text in HTML beside that.
    pub html: Option<String>,
    /// What is attached to it.
    #[serde(default)]
    pub attachments: Vec<Attachment>,
    /// When it was accepted.
    pub date: Option<Spanned<String>>,
    /// Its labels: those of the system by their identifiers, others by their names.
    #[serde(default = "arrived")]
    pub labels: Vec<Spanned<String>>,
}

impl Message {
    /// Whether something is said that `raw` says by itself.
    pub fn has_parts(&self) -> bool {
        let texts = [&self.subject, &self.text].into_iter().any(|text| !text.is_empty());
        let headers = self.to.is_some() || self.cc.is_some() || self.id.is_some() || self.answers.is_some();
        texts || headers || self.html.is_some() || !self.attachments.is_empty()
    }
}

/// A text that is attached.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Attachment {
    /// The name of its file.
    pub name: Spanned<String>,
    /// Its media type.
    #[serde(rename = "type", default = "plain")]
    pub media_type: Spanned<String>,
    /// What it holds.
    pub text: String,
}

/// A calendar.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Calendar {
    /// What clients ask for it by; made up otherwise.
    pub id: Option<Spanned<String>>,
    /// What it is called.
    pub summary: String,
    /// Its time zone.
    #[serde(default = "utc")]
    pub time_zone: Spanned<String>,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// Its default reminders, as on the command line.
    #[serde(default)]
    pub reminders: Vec<Spanned<String>>,
    /// Its labels, as on the command line.
    #[serde(default)]
    pub labels: Vec<Spanned<String>>,
    /// When its owner works, as on the command line.
    #[serde(default)]
    pub working_hours: Vec<Spanned<String>>,
    /// With whom it is shared, and what these may do.
    #[serde(default)]
    pub shares: BTreeMap<String, Spanned<String>>,
    /// Its events, as the API has them.
    #[serde(default)]
    pub events: Vec<serde_json::Value>,
}

/// A special day of a contact.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Birthday {
    /// What people call the contact.
    pub name: Spanned<String>,
    /// The day, such as `1815-12-10`.
    pub date: Spanned<String>,
    /// What it is: `birthday`, `self`, `anniversary`, `other`, or `custom` with a label.
    #[serde(rename = "type", default = "birthday")]
    pub kind: Spanned<String>,
    /// What a day of the type `custom` is called.
    pub label: Option<Spanned<String>>,
    /// The contact, such as `people/c12345`; made of the name otherwise.
    pub contact: Option<Spanned<String>>,
}

/// A token.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Token {
    /// What clients show. Whoever reads the file can use it: such tokens are for tests.
    pub secret: Spanned<String>,
    /// What it allows, as on the command line.
    pub scopes: Vec<Spanned<String>>,
    /// When it ends; never, if nothing is said.
    pub expires: Option<Spanned<String>>,
    /// What it is for.
    #[serde(default)]
    pub note: String,
    /// Whom it stands for: `user`, `serviceAccount`, or `delegated`.
    pub kind: Option<Spanned<String>>,
}

fn spanned(text: &str) -> Spanned<String> {
    let nowhere = serde_saphyr::Location::UNKNOWN;
    Spanned { value: text.to_owned(), referenced: nowhere, defined: nowhere }
}

fn plain() -> Spanned<String> {
    spanned("text/plain")
}

fn birthday() -> Spanned<String> {
    spanned("birthday")
}

fn utc() -> Spanned<String> {
    spanned("UTC")
}

fn arrived() -> Vec<Spanned<String>> {
    vec![spanned("INBOX"), spanned("UNREAD")]
}
