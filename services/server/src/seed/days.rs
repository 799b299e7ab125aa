//! Special days, working hours and token kinds of a seed.

use serde_saphyr::Spanned;
use wireform_calendar::{DayKind, SpecialDay};
use wireform_store::{TokenKind, WorkingHours};

use super::format;
use super::values::Errors;
use crate::settings::{calendar as parse, value};

/// Parses the working hours of a calendar.
pub fn working_hours(texts: &[Spanned<String>], errors: &mut Errors) -> Vec<WorkingHours> {
    let hours = errors.read_all(texts, parse::hours);
    let ordered = parse::sorted_hours(hours.into_iter().flatten().flatten().collect());
    ordered.map_err(|error| texts.first().map(|first| errors.invalid(first, &error))).unwrap_or_default()
}

/// Parses a special day; returns `None` after adding its errors.
pub fn special_day(day: &format::Birthday, errors: &mut Errors) -> Option<SpecialDay> {
    let date = |text: &str| text.parse().map_err(|_| "must be a day such as 1815-12-10".to_owned());
    let contact = |text: &str| match text.strip_prefix("people/") {
        Some(id) if !id.is_empty() => Ok(text.to_owned()),
        _ => Err("must begin with people/, such as people/c12345".to_owned()),
    };
    let (kind, name) = (day_kind(day, errors), errors.read(&day.name, value::text));
    let (contact, date) = (errors.optional(day.contact.as_ref(), contact), errors.read(&day.date, date));
    let (kind, name) = (kind?, name?);
    let named = contact?.unwrap_or_else(|| SpecialDay::contact_resource_name(&name));
    let contact = (kind != DayKind::Own).then_some(named);
    Some(SpecialDay { name, date: date?, kind, contact })
}

fn day_kind(day: &format::Birthday, errors: &mut Errors) -> Option<DayKind> {
    match (day.kind.value.as_str(), &day.label) {
        ("custom", Some(label)) => return errors.read(label, value::text).map(DayKind::Custom),
        ("birthday", None) => return Some(DayKind::Birthday),
        ("self", None) => return Some(DayKind::Own),
        ("anniversary", None) => return Some(DayKind::Anniversary),
        ("other", None) => return Some(DayKind::Other),
        ("custom", None) => errors.invalid(&day.kind, "a day of this type requires a `label`"),
        (_, Some(label)) => errors.invalid(label, "only a day of the type `custom` has a label"),
        _ => errors.invalid(&day.kind, "must be birthday, self, anniversary, custom or other"),
    }
    None
}

/// Parses the kind of a token.
pub fn token_kind(text: &str) -> Result<TokenKind, String> {
    let names = TokenKind::ALL.map(TokenKind::as_str);
    let found = TokenKind::ALL.into_iter().find(|kind| kind.as_str() == text);
    found.ok_or_else(|| format!("must be one of {}", names.join(", ")))
}
