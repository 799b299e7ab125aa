//! Meaning of single conditions.

use std::time::Duration;

use mail_parser::DateTime;
use wireform_store::{Label, LabelInfo, Millis, SystemLabel, TextFilter};

use super::{MAX_LENGTH, Operator, Term};
use crate::mail::{identifier_hash, normalize};

/// Meaning of a condition.
pub(super) enum Condition {
    /// Every message.
    Always,
    /// Every message, including hidden ones.
    Anywhere,
    /// No message.
    Never,
    /// Messages that match a filter.
    Is(TextFilter),
}

impl Condition {
    /// Returns the condition that a message has a label.
    fn has(label: SystemLabel) -> Self {
        Self::Is(TextFilter::Label(Label::System(label)))
    }

    /// Returns the condition that a message does not have a label.
    fn has_not(label: SystemLabel) -> Self {
        Self::Is(TextFilter::Not(Box::new(TextFilter::Label(Label::System(label)))))
    }
}

/// Length of a day in seconds.
const DAY: u64 = 24 * 60 * 60;

/// Returns whether a condition names labels created by the user.
pub(super) fn names_labels(term: &Term) -> bool {
    match term.operator {
        Some((Operator::Label, _)) => true,
        Some((Operator::In, _)) => location_condition(&term.text).is_none(),
        _ => false,
    }
}

/// Searching user: the labels of the mailbox, its address, and the current time.
#[derive(Clone, Copy)]
pub(super) struct Searcher<'a> {
    pub(super) labels: &'a [LabelInfo],
    /// What `me` stands for.
    pub(super) address: &'a str,
    pub(super) now: Millis,
}

/// Returns whether a condition has a meaning, in any mailbox.
pub(super) fn is_supported(term: &Term) -> bool {
    operator_condition(term, Searcher { labels: &[], address: "", now: Millis(0) }).is_some()
}

/// Returns the meaning of a condition.
pub(super) fn condition(term: &Term, searcher: Searcher<'_>) -> Condition {
    operator_condition(term, searcher).unwrap_or(Condition::Never)
}

/// Returns the meaning of a condition; `None` if its operator or its value is not supported.
fn operator_condition(term: &Term, Searcher { labels, address, now }: Searcher<'_>) -> Option<Condition> {
    let text = term.text.as_str();
    let person = if text.eq_ignore_ascii_case("me") { address } else { text };
    let Some((operator, _)) = term.operator else {
        // The public service searches for words at a distance.
        return (text != "AROUND").then(|| words(text));
    };
    match operator {
        Operator::From => Some(contains(TextFilter::From, person)),
        Operator::To => Some(contains(TextFilter::To, person)),
        Operator::Subject => Some(contains(TextFilter::Subject, text)),
        Operator::Is => state_condition(text),
        Operator::In => Some(location_condition(text).unwrap_or_else(|| label_condition(text, labels))),
        Operator::Label => Some(label_condition(text, labels)),
        Operator::Category => category_condition(text),
        Operator::Has => has_condition(text),
        Operator::After => parse_date(text).map(|at| Condition::Is(TextFilter::Since(at))),
        Operator::Before => parse_date(text).map(|at| Condition::Is(TextFilter::Before(at))),
        Operator::NewerThan => parse_age(text).map(|age| Condition::Is(TextFilter::Since(now.saturating_sub(age)))),
        Operator::OlderThan => parse_age(text).map(|age| Condition::Is(TextFilter::Before(now.saturating_sub(age)))),
        Operator::Larger => parse_size(text).map(|bytes| Condition::Is(TextFilter::Larger(bytes))),
        Operator::Smaller => parse_size(text).map(|bytes| Condition::Is(TextFilter::Smaller(bytes))),
        Operator::MessageId => Some(Condition::Is(TextFilter::Identifier(identifier_hash(text)))),
        Operator::Unsupported => None,
    }
}

/// Returns the condition that a message contains a text in any field.
fn words(text: &str) -> Condition {
    contains(TextFilter::Anywhere, text)
}

/// Returns a filter for a text. An empty text is contained in every text.
fn contains(filter: fn(String) -> TextFilter, text: &str) -> Condition {
    let text = normalize(text, MAX_LENGTH);
    if text.is_empty() { Condition::Always } else { Condition::Is(filter(text)) }
}

/// Returns the condition `is:`; `None` for an unknown state.
fn state_condition(text: &str) -> Option<Condition> {
    Some(match text.to_ascii_lowercase().as_str() {
        "unread" => Condition::has(SystemLabel::Unread),
        "read" => Condition::has_not(SystemLabel::Unread),
        "starred" => Condition::has(SystemLabel::Starred),
        "important" => Condition::has(SystemLabel::Important),
        "sent" => Condition::has(SystemLabel::Sent),
        "draft" => Condition::has(SystemLabel::Draft),
        "chat" => Condition::has(SystemLabel::Chat),
        _ => return None,
    })
}

/// Returns the condition `in:` of a system location; `None` for another name, which may be a label.
fn location_condition(text: &str) -> Option<Condition> {
    Some(match text.to_ascii_lowercase().as_str() {
        "anywhere" | "all" => Condition::Anywhere,
        "inbox" => Condition::has(SystemLabel::Inbox),
        "trash" => Condition::has(SystemLabel::Trash),
        "spam" => Condition::has(SystemLabel::Spam),
        "sent" => Condition::has(SystemLabel::Sent),
        "draft" | "drafts" => Condition::has(SystemLabel::Draft),
        "chat" | "chats" => Condition::has(SystemLabel::Chat),
        "starred" => Condition::has(SystemLabel::Starred),
        "important" => Condition::has(SystemLabel::Important),
        "unread" => Condition::has(SystemLabel::Unread),
        "read" => Condition::has_not(SystemLabel::Unread),
        _ => return None,
    })
}

/// Returns the condition `label:`. A label that does not exist matches no message.
fn label_condition(text: &str, labels: &[LabelInfo]) -> Condition {
    let wanted = search_form(text);
    let label = labels.iter().find(|info| search_form(&info.settings.name) == wanted);
    label.map_or(Condition::Never, |info| Condition::Is(TextFilter::Label(info.label)))
}

/// Returns the form of a label name in searches.
fn search_form(name: &str) -> String {
    let dashed = name.trim().to_lowercase();
    dashed.chars().map(|one| if one.is_whitespace() || one == '/' { '-' } else { one }).collect()
}

/// Returns the condition `category:`; `None` for an unknown category.
fn category_condition(text: &str) -> Option<Condition> {
    Some(Condition::has(match text.to_ascii_lowercase().as_str() {
        "primary" | "personal" => SystemLabel::Personal,
        "social" => SystemLabel::Social,
        "promotions" => SystemLabel::Promotions,
        "updates" => SystemLabel::Updates,
        "forums" => SystemLabel::Forums,
        _ => return None,
    }))
}

/// Returns the condition `has:`; `None` for an unknown property.
fn has_condition(text: &str) -> Option<Condition> {
    Some(Condition::Is(match text.to_ascii_lowercase().as_str() {
        "attachment" => TextFilter::Attachment,
        "userlabels" => TextFilter::OwnLabel,
        "nouserlabels" => TextFilter::Not(Box::new(TextFilter::OwnLabel)),
        _ => return None,
    }))
}

/// Parses a day, which stands for its beginning in UTC, or seconds since 1970.
fn parse_date(text: &str) -> Option<Millis> {
    let parts: Vec<&str> = text.split(['/', '-']).collect();
    let [first, second, third] = parts.as_slice() else {
        let seconds: i64 = text.parse().ok().filter(|_| text.len() > 4)?;
        return Some(Millis(seconds.saturating_mul(1000)));
    };
    // The year is first or, as in some local formats, last.
    let (year, month, day) = if first.len() == 4 { (first, second, third) } else { (third, first, second) };
    let date = DateTime {
        year: year.parse().ok()?,
        month: month.parse().ok()?,
        day: day.parse().ok()?,
        ..DateTime::default()
    };
    // Rejects dates such as February 31, which would be normalized to March.
    let same = date.is_valid() && DateTime::from_timestamp(date.to_timestamp()).day == date.day;
    same.then(|| Millis(date.to_timestamp().saturating_mul(1000)))
}

/// Parses an age such as `7d`, in hours, days, months of 30 days or years of 365 days.
fn parse_age(text: &str) -> Option<Duration> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let number: u64 = number.parse().ok()?;
    let seconds = match unit {
        "h" | "H" => 60 * 60,
        "d" | "D" => DAY,
        "m" | "M" => 30 * DAY,
        "y" | "Y" => 365 * DAY,
        _ => return None,
    };
    Some(Duration::from_secs(number.saturating_mul(seconds)))
}

/// Parses a size in bytes, KiB (`10k`) or MiB (`5m`).
fn parse_size(text: &str) -> Option<u64> {
    let text = text.to_ascii_lowercase();
    let (digits, unit) = match (text.strip_suffix('k'), text.strip_suffix('m')) {
        (Some(digits), _) => (digits, 1 << 10),
        (None, Some(digits)) => (digits, 1 << 20),
        (None, None) => (text.as_str(), 1),
    };
    digits.parse::<u64>().ok().map(|number| number.saturating_mul(unit))
}
