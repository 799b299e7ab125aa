//! Special days, working hours and token kinds of a seed.

use anyhow::{anyhow, bail};
use serde_saphyr::Spanned;
use wireform_calendar::{DayKind, SpecialDay};
use wireform_store::{TokenKind, WorkingHours};

use super::format;
use super::values::{error_at, optional, read};
use crate::settings::{calendar as parse, value};

/// Parses the working hours of a calendar.
pub fn working_hours(texts: &[Spanned<String>]) -> anyhow::Result<Vec<WorkingHours>> {
    let hours = texts.iter().map(|one| read(one, parse::hours)).collect::<anyhow::Result<Vec<_>>>()?;
    let ordered = parse::sorted_hours(hours.into_iter().flatten().flatten().collect());
    ordered.map_err(|error| texts.first().map_or_else(|| anyhow!("{error}"), |first| error_at(first, &error)))
}

/// Parses a special day.
pub fn special_day(day: &format::Birthday) -> anyhow::Result<SpecialDay> {
    let date = |text: &str| text.parse().map_err(|_| "must be a day such as 1815-12-10".to_owned());
    let kind = match (day.kind.value.as_str(), &day.label) {
        ("custom", Some(label)) => DayKind::Custom(read(label, value::text)?),
        ("custom", None) => bail!(error_at(&day.kind, "a day of this type requires a `label`")),
        (_, Some(label)) => bail!(error_at(label, "only a day of the type `custom` has a label")),
        ("birthday", None) => DayKind::Birthday,
        ("self", None) => DayKind::Own,
        ("anniversary", None) => DayKind::Anniversary,
        ("other", None) => DayKind::Other,
        _ => bail!(error_at(&day.kind, "must be birthday, self, anniversary, custom or other")),
    };
    let contact = |text: &str| match text.strip_prefix("people/") {
        Some(id) if !id.is_empty() => Ok(text.to_owned()),
        _ => Err("must begin with people/, such as people/c12345".to_owned()),
    };
    let name = read(&day.name, value::text)?;
    let named = optional(day.contact.as_ref(), contact)?.unwrap_or_else(|| SpecialDay::contact_resource_name(&name));
    let contact = (kind != DayKind::Own).then_some(named);
    Ok(SpecialDay { name, date: read(&day.date, date)?, kind, contact })
}

/// Parses the kind of a token.
pub fn token_kind(text: &str) -> Result<TokenKind, String> {
    let names = TokenKind::ALL.map(TokenKind::as_str);
    let found = TokenKind::ALL.into_iter().find(|kind| kind.as_str() == text);
    found.ok_or_else(|| format!("must be one of {}", names.join(", ")))
}
