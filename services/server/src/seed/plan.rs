//! Validated values of a seed, before anything is written.

use std::collections::{BTreeMap, HashSet};

use anyhow::{Context as _, anyhow, bail, ensure};
use calendar_server::types::Event;
use serde_saphyr::Spanned;
use wireform_calendar::SpecialDay;
use wireform_mailbox::mail::{self, Arrival, DateSource};
use wireform_server::wireform_runtime::json;
use wireform_store::{
    CalendarSettings, Label, LabelSettings, MessageDate, Millis, NewMessage, Retention, Role, SystemLabel, TokenHash,
    TokenKind,
};

use super::labels::{lookup_key, parse_label};
use super::scripts::ScriptPlan;
use super::values::{error_at, location, optional, read};
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
    pub events: Vec<Event>,
    pub days: Vec<SpecialDay>,
    pub shares: Vec<(String, Role)>,
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
    /// Validates a seed.
    pub fn validate(seed: format::Seed) -> anyhow::Result<Self> {
        let mut addresses = HashSet::new();
        let mut secrets = HashSet::new();
        let mut users = Vec::new();
        check_distinct_calendars(&seed.users)?;
        for user in seed.users {
            let is_new = addresses.insert(user.address.value.to_lowercase());
            ensure!(is_new, error_at(&user.address, "is already a user"));
            for token in &user.tokens {
                ensure!(secrets.insert(token.secret.value.clone()), "{}: duplicate token", location(&token.secret));
            }
            users.push(UserPlan::validate(user)?);
        }
        ensure!(!users.is_empty(), "a seed needs at least one user");
        Ok(Self { retention: optional(seed.retention.as_ref(), value::retention)?, users })
    }
}

/// Checks that calendar identifiers are unique; the address of a user identifies the primary calendar.
fn check_distinct_calendars(users: &[format::User]) -> anyhow::Result<()> {
    let mut ids: HashSet<&str> = users.iter().map(|user| user.address.value.as_str()).collect();
    for id in users.iter().flat_map(|user| &user.calendars).filter_map(|calendar| calendar.id.as_ref()) {
        ensure!(ids.insert(&id.value), error_at(id, "is already a calendar"));
    }
    Ok(())
}

impl UserPlan {
    /// Validates a user with all contents; errors have the location in the file.
    fn validate(user: format::User) -> anyhow::Result<Self> {
        accounts::check(&user.address.value).with_context(|| location(&user.address))?;
        let labels: Vec<LabelSettings> = user.labels.iter().map(parse_label).collect::<anyhow::Result<_>>()?;
        let mut names = HashSet::new();
        for label in &user.labels {
            let is_new =
                SystemLabel::from_name(&label.name.value).is_none() && names.insert(lookup_key(&label.name.value));
            ensure!(is_new, error_at(&label.name, "is already a label"));
        }
        let address = user.address.value;
        let messages = user.messages.iter().enumerate();
        let messages =
            messages.map(|(at, one)| plan_message(one, at, &address, &labels)).collect::<anyhow::Result<_>>()?;
        let mut own = plan_contents(&address, &user.events, &user.shares)?;
        own.days = user.birthdays.iter().map(days::special_day).collect::<anyhow::Result<_>>()?;
        Ok(Self {
            own,
            time_zone: read(&user.time_zone, value::time_zone)?,
            settings: plan_settings(String::new(), &user.reminders, &user.calendar_labels, &user.working_hours)?,
            name: user.name,
            messages,
            calendars: user.calendars.into_iter().map(plan_calendar).collect::<anyhow::Result<_>>()?,
            tokens: user.tokens.into_iter().map(plan_token).collect::<anyhow::Result<_>>()?,
            scripts: user.scripts.into_iter().map(scripts::plan_script).collect::<anyhow::Result<_>>()?,
            labels,
            address,
        })
    }
}

fn plan_message(
    message: &format::Message,
    at: usize,
    address: &str,
    own: &[LabelSettings],
) -> anyhow::Result<MessagePlan> {
    let date = optional(message.date.as_ref(), value::instant)?;
    let (mut system_labels, mut own_labels) = (Vec::new(), Vec::new());
    for name in &message.labels {
        let own_index = own.iter().position(|label| lookup_key(&label.name) == lookup_key(&name.value));
        match (SystemLabel::from_name(&name.value), own_index) {
            (Some(label), _) => system_labels.push(label),
            (None, Some(place)) => own_labels.push(place),
            (None, None) => bail!(error_at(name, "is neither a system label nor one of this user's `labels`")),
        }
    }
    let raw = match (&message.raw, &message.from) {
        (Some(raw), None) if message.has_parts() => {
            bail!("{}: a message has either `raw` or its parts, not both", location(raw))
        }
        (Some(raw), None) => compose::normalize_line_ends(&raw.value),
        (None, Some(_)) => {
            compose::compose_mail(message, date, at, address).map_err(|(at, error)| error_at(at, error))?
        }
        (Some(raw), Some(_)) => bail!("{}: a message has either `raw` or its parts, not both", location(raw)),
        (None, None) => bail!("message {} of {address} has neither `raw` nor `from`", at + 1),
    };
    ensure!(raw.len() <= mail::MAX_MESSAGE_BYTES, "message {} of {address} is too large", at + 1);
    Ok(MessagePlan { raw, date, system: system_labels, own: own_labels })
}

fn plan_calendar(calendar: format::Calendar) -> anyhow::Result<CalendarPlan> {
    Ok(CalendarPlan {
        contents: plan_contents(&calendar.summary, &calendar.events, &calendar.shares)?,
        id: optional(calendar.id.as_ref(), value::text)?,
        settings: plan_settings(calendar.description, &calendar.reminders, &calendar.labels, &calendar.working_hours)?,
        time_zone: read(&calendar.time_zone, value::time_zone)?,
        summary: calendar.summary,
    })
}

fn plan_settings(
    description: String,
    reminders: &[Spanned<String>],
    labels: &[Spanned<String>],
    working_hours: &[Spanned<String>],
) -> anyhow::Result<CalendarSettings> {
    let reminders = reminders.iter().map(|one| read(one, parse::reminder)).collect::<anyhow::Result<Vec<_>>>()?;
    let labels = labels.iter().map(|one| read(one, parse::label)).collect::<anyhow::Result<Vec<_>>>()?;
    Ok(CalendarSettings {
        description,
        reminders: reminders.into_iter().flatten().collect(),
        labels: labels.into_iter().flatten().collect(),
        working_hours: days::working_hours(working_hours)?,
    })
}

/// Parses the contents of the calendar that is named `of` in messages.
fn plan_contents(
    of: &str,
    events: &[serde_json::Value],
    shares: &BTreeMap<String, Spanned<String>>,
) -> anyhow::Result<ContentsPlan> {
    let mut plan = ContentsPlan::default();
    for (at, event) in events.iter().enumerate() {
        let event = json::from_str(&event.to_string());
        plan.events.push(event.map_err(|error| anyhow!("event {} of {of}: {error}", at + 1))?);
    }
    for (address, role) in shares {
        if let Some(role) = read(role, parse::role)? {
            plan.shares.push((address.clone(), role));
        }
    }
    Ok(plan)
}

fn plan_token(token: format::Token) -> anyhow::Result<TokenPlan> {
    // No message repeats the secret.
    let fits =
        token.secret.value.len() >= SECRET_LENGTH && token.secret.value.bytes().all(|byte| byte.is_ascii_graphic());
    ensure!(
        fits,
        "{}: the secret of a token has at least {SECRET_LENGTH} visible ASCII characters",
        location(&token.secret)
    );
    let mut names = Vec::new();
    for scope in &token.scopes {
        scopes::parse_scopes(std::slice::from_ref(&scope.value)).with_context(|| location(scope))?;
        names.push(scope.value.clone());
    }
    ensure!(!names.is_empty(), "{}: a token needs at least one scope", location(&token.secret));
    Ok(TokenPlan {
        hash: TokenHash::from_token(&token.secret.value),
        scopes: scopes::parse_scopes(&names)?,
        expires: optional(token.expires.as_ref(), value::instant)?,
        note: token.note,
        kind: optional(token.kind.as_ref(), days::token_kind)?.unwrap_or_default(),
    })
}
