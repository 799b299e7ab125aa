//! Validated values of a seed, before anything is written.

use std::collections::{BTreeMap, HashSet};

use calendar_server::types::Event;
use serde_saphyr::{Location, Spanned};
use wireform_calendar::SpecialDay;
use wireform_mailbox::mail::{self, Arrival, DateSource};
use wireform_server::wireform_runtime::json;
use wireform_store::{
    CalendarSettings, Label, LabelSettings, MessageDate, Millis, NewMessage, Retention, Role, SystemLabel, TokenHash,
    TokenKind,
};

use super::labels::{lookup_key, parse_label};
use super::scripts::ScriptPlan;
use super::values::Errors;
use super::{compose, days, format, scripts};
use crate::settings::{calendar as parse, value};
use crate::{accounts, scopes};

/// Minimum length of the secret of a token, which has to be hard to guess even in tests.
const SECRET_LENGTH: usize = 16;

/// Valid seed.
pub struct Plan {
    pub retention: Option<Retention>,
    pub users: Vec<UserPlan>,
}

/// User.
pub struct UserPlan {
    pub address: String,
    pub name: String,
    pub labels: Vec<LabelSettings>,
    pub messages: Vec<MessagePlan>,
    pub calendars: Vec<CalendarPlan>,
    /// Time zone and settings of the primary calendar.
    pub time_zone: String,
    pub settings: CalendarSettings,
    pub own: ContentsPlan,
    pub scripts: Vec<ScriptPlan>,
    pub tokens: Vec<TokenPlan>,
}

/// Message.
pub struct MessagePlan {
    raw: Vec<u8>,
    date: Option<Millis>,
    system: Vec<SystemLabel>,
    /// Indices in the list of the user's labels.
    own: Vec<usize>,
}

/// Calendar.
pub struct CalendarPlan {
    pub id: Option<String>,
    pub summary: String,
    pub time_zone: String,
    pub settings: CalendarSettings,
    pub contents: ContentsPlan,
}

/// Contents and shares of a calendar.
#[derive(Default)]
pub struct ContentsPlan {
    /// Events with their locations.
    pub events: Vec<(Location, Event)>,
    /// Special days, with the location of the first one.
    pub days: Vec<SpecialDay>,
    pub days_at: Option<Location>,
    /// Shares, with the locations of their roles.
    pub shares: Vec<(Location, String, Role)>,
}

/// Token, of which only the hash is kept.
pub struct TokenPlan {
    pub hash: TokenHash,
    pub scopes: Vec<String>,
    pub expires: Option<Millis>,
    pub note: String,
    pub kind: TokenKind,
}

impl MessagePlan {
    /// Returns the message with the stored labels of the user.
    pub fn prepare(self, own: &[Label]) -> NewMessage {
        let system = self.system.into_iter().map(Label::System);
        let labels = system.chain(self.own.iter().filter_map(|place| own.get(*place).copied())).collect();
        let arrival = Arrival { labels, dated: DateSource::ByHeader, ..Arrival::default() };
        let mut message = mail::prepare(self.raw, arrival).message;
        if let Some(date) = self.date {
            message.date = MessageDate::At(date);
        }
        message
    }
}

impl Plan {
    /// Validates a seed, and adds its errors.
    pub fn validate(seed: format::Seed, errors: &mut Errors) -> Self {
        let mut addresses = HashSet::new();
        let mut secrets = HashSet::new();
        let mut users = Vec::new();
        check_distinct_calendars(&seed.users, errors);
        if seed.users.is_empty() {
            errors.add(Location::UNKNOWN, "a seed needs at least one user");
        }
        for user in seed.users {
            if !addresses.insert(user.address.value.to_lowercase()) {
                errors.invalid(&user.address, "is already a user");
            }
            for token in &user.tokens {
                if !secrets.insert(token.secret.value.clone()) {
                    errors.add(token.secret.defined, "duplicate token");
                }
            }
            users.extend(UserPlan::validate(user, errors));
        }
        Self { retention: errors.optional(seed.retention.as_ref(), value::retention).flatten(), users }
    }
}

/// Checks that calendar identifiers are unique; the address of a user identifies the primary calendar.
fn check_distinct_calendars(users: &[format::User], errors: &mut Errors) {
    let mut ids: HashSet<&str> = users.iter().map(|user| user.address.value.as_str()).collect();
    for id in users.iter().flat_map(|user| &user.calendars).filter_map(|calendar| calendar.id.as_ref()) {
        if !ids.insert(&id.value) {
            errors.invalid(id, "is already a calendar");
        }
    }
}

impl UserPlan {
    /// Validates a user with all contents, and adds the errors; returns `None` if the settings of the user are invalid.
    fn validate(user: format::User, errors: &mut Errors) -> Option<Self> {
        if let Err(error) = accounts::check(&user.address.value) {
            errors.add(user.address.defined, error);
        }
        let mut names = HashSet::new();
        for label in &user.labels {
            let is_new =
                SystemLabel::from_name(&label.name.value).is_none() && names.insert(lookup_key(&label.name.value));
            if !is_new {
                errors.invalid(&label.name, "is already a label");
            }
        }
        // Messages name labels by their places, so that those of an invalid label are not looked up.
        let all = user.labels.len();
        let labels: Vec<LabelSettings> = user.labels.iter().filter_map(|one| parse_label(one, errors)).collect();
        let address = user.address.value;
        let known: Vec<String> = user.labels.iter().map(|label| lookup_key(&label.name.value)).collect();
        let messages = user.messages.iter().enumerate();
        let messages = messages.filter_map(|(at, one)| plan_message(one, at, &address, &known, errors)).collect();
        let mut own = plan_contents(&user.events, &user.shares, errors);
        own.days_at = user.birthdays.first().map(|day| day.name.defined);
        own.days = user.birthdays.iter().filter_map(|day| days::special_day(day, errors)).collect();
        let time_zone = errors.read(&user.time_zone, value::time_zone);
        let settings =
            plan_settings(String::new(), &user.reminders, &user.calendar_labels, &user.working_hours, errors);
        let calendars = user.calendars.into_iter().filter_map(|one| plan_calendar(one, errors)).collect();
        let tokens = user.tokens.into_iter().filter_map(|one| plan_token(one, errors)).collect();
        let scripts = user.scripts.into_iter().map(|one| scripts::plan_script(one, errors)).collect();
        let (name, time_zone) = (user.name, time_zone?);
        (labels.len() == all).then_some(Self {
            own,
            time_zone,
            settings,
            name,
            messages,
            calendars,
            tokens,
            scripts,
            labels,
            address,
        })
    }
}

/// Parses a message; `own` are the names of the user's labels.
fn plan_message(
    message: &Spanned<format::Message>,
    at: usize,
    address: &str,
    own: &[String],
    errors: &mut Errors,
) -> Option<MessagePlan> {
    let (start, message) = (message.defined, &message.value);
    let date = errors.optional(message.date.as_ref(), value::instant);
    let (mut system_labels, mut own_labels) = (Vec::new(), Vec::new());
    for name in &message.labels {
        let own_index = own.iter().position(|label| *label == lookup_key(&name.value));
        match (SystemLabel::from_name(&name.value), own_index) {
            (Some(label), _) => system_labels.push(label),
            (None, Some(place)) => own_labels.push(place),
            (None, None) => errors.invalid(name, "is neither a system label nor one of this user's `labels`"),
        }
    }
    let raw = match (&message.raw, &message.from) {
        (Some(raw), None) if !message.has_parts() => compose::normalize_line_ends(&raw.value),
        (Some(raw), _) => {
            errors.add(raw.defined, "a message has either `raw` or its parts, not both");
            return None;
        }
        (None, Some(_)) => match compose::compose_mail(message, date.flatten(), at, address) {
            Ok(raw) => raw,
            Err((at, error)) => {
                errors.invalid(at, error);
                return None;
            }
        },
        (None, None) => {
            errors.add(start, format_args!("message {} of {address} has neither `raw` nor `from`", at + 1));
            return None;
        }
    };
    if raw.len() > mail::MAX_MESSAGE_BYTES {
        errors.add(start, format_args!("message {} of {address} is too large", at + 1));
    }
    Some(MessagePlan { raw, date: date?, system: system_labels, own: own_labels })
}

fn plan_calendar(calendar: format::Calendar, errors: &mut Errors) -> Option<CalendarPlan> {
    let contents = plan_contents(&calendar.events, &calendar.shares, errors);
    let id = errors.optional(calendar.id.as_ref(), value::text);
    let settings =
        plan_settings(calendar.description, &calendar.reminders, &calendar.labels, &calendar.working_hours, errors);
    let time_zone = errors.read(&calendar.time_zone, value::time_zone);
    Some(CalendarPlan { contents, id: id?, settings, time_zone: time_zone?, summary: calendar.summary })
}

fn plan_settings(
    description: String,
    reminders: &[Spanned<String>],
    labels: &[Spanned<String>],
    working_hours: &[Spanned<String>],
    errors: &mut Errors,
) -> CalendarSettings {
    CalendarSettings {
        description,
        reminders: errors.read_all(reminders, parse::reminder).into_iter().flatten().collect(),
        labels: errors.read_all(labels, parse::label).into_iter().flatten().collect(),
        working_hours: days::working_hours(working_hours, errors),
    }
}

/// Parses the contents of a calendar.
fn plan_contents(
    events: &[Spanned<serde_json::Value>],
    shares: &BTreeMap<String, Spanned<String>>,
    errors: &mut Errors,
) -> ContentsPlan {
    let mut plan = ContentsPlan::default();
    for event in events {
        match json::from_str(&event.value.to_string()) {
            Ok(read) => plan.events.push((event.defined, read)),
            Err(error) => errors.add(event.defined, format_args!("the event cannot be read: {error}")),
        }
    }
    for (address, role) in shares {
        if let Some(Some(known)) = errors.read(role, parse::role) {
            plan.shares.push((role.defined, address.clone(), known));
        }
    }
    plan
}

fn plan_token(token: format::Token, errors: &mut Errors) -> Option<TokenPlan> {
    // No message repeats the secret.
    let fits =
        token.secret.value.len() >= SECRET_LENGTH && token.secret.value.bytes().all(|byte| byte.is_ascii_graphic());
    let at = token.secret.defined;
    if !fits {
        errors.add(at, format_args!("the secret of a token has at least {SECRET_LENGTH} visible ASCII characters"));
    }
    let mut names = Vec::new();
    for scope in &token.scopes {
        match scopes::parse_scopes(std::slice::from_ref(&scope.value)) {
            Ok(_) => names.push(scope.value.clone()),
            Err(error) => errors.add(scope.defined, error),
        }
    }
    if token.scopes.is_empty() {
        errors.add(at, "a token needs at least one scope");
    }
    let expires = errors.optional(token.expires.as_ref(), value::instant);
    let kind = errors.optional(token.kind.as_ref(), days::token_kind);
    Some(TokenPlan {
        hash: TokenHash::from_token(&token.secret.value),
        scopes: scopes::parse_scopes(&names).ok()?,
        expires: expires?,
        note: token.note,
        kind: kind?.unwrap_or_default(),
    })
}
