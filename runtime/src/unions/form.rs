//! Forms of the values of a type, by which the variant of a value is determined without a discriminator.

mod bounds;
mod object;

pub use bounds::Bounds;
pub use object::ObjectForm;

use super::content::Content;
use crate::{BigDecimal, Bytes, Date, DateTime, Decimal, Duration, HttpDate, IsoDuration, Time};

/// Boolean.
pub const BOOL: u8 = 1;
/// Number without a fraction.
pub const INTEGER: u8 = 2;
/// Number with a fraction.
pub const FRACTION: u8 = 4;
/// String.
pub const TEXT: u8 = 8;
/// List.
pub const LIST: u8 = 16;
/// Object.
pub const OBJECT: u8 = 32;
/// Every kind of value except null.
pub const ANY: u8 = 63;

/// Form of the values of a variant.
#[derive(Clone, Copy, Debug)]
pub enum ValueForm {
    /// Values of these kinds, all of which belong to the variant.
    Kinds(u8),
    /// Values of these kinds, with less precedence than every other matching variant: `any`, strings compared to dates,
    /// numbers compared to integers, maps compared to resources.
    LowPrecedence(u8),
    /// Integers in a range, also if they are written as strings of decimal digits.
    Integers {
        /// Minimum value.
        min: i128,
        /// Maximum value.
        max: i128,
        /// True if they are written as strings.
        digits: bool,
    },
    /// Strings in a format, such as dates.
    Strings(fn(&str) -> bool),
    /// The only string.
    Text(&'static str),
    /// The only boolean.
    Flag(bool),
    /// The only number.
    Number(f64),
    /// The only number, or value of another kind, as JSON.
    Json(&'static str),
    /// Numbers, or values of several kinds as JSON, of an open enum; others match if no other variant does.
    EnumJson(fn(&str) -> bool),
    /// Values with this form within bounds; others match if no other variant does.
    Bounded(&'static ValueForm, Bounds),
    /// Values with this form, of which another variant accepts only some, in preference to this one.
    Loose(&'static ValueForm),
    /// Values with this form; others match if no other variant does.
    Open(&'static ValueForm),
    /// Values of an open enum; other strings match if no other variant does.
    EnumValues(fn(&str) -> bool),
    /// Lists of elements with this form.
    List(&'static ValueForm),
    /// Maps of values with this form.
    Map(&'static ValueForm),
    /// Values with this form, or null, within a list or a map.
    Nullable(&'static ValueForm),
    /// Fields of a resource.
    Object(&'static ObjectForm),
    /// Variants of another union without a discriminator.
    AnyOf(&'static [ValueForm]),
    /// Objects of another union: the value of this field is one of these strings.
    Tagged(&'static str, &'static [&'static str]),
}

/// Rank of a match, the best is the lowest: a class, then the number of unknown fields, then the number of fields
/// whose values are some of many.
pub(super) type Score = (u8, usize, usize);

/// The value belongs to the variant and looks like nothing else.
const EXACT: Score = (0, 0, 0);
/// The value has the required fields, and nulls that are read as absent.
const WITH_NULLS: u8 = 1;
/// The value has the required fields, and unknown fields that the variant keeps.
const EXTRA_MEMBERS: u8 = 2;
/// The value is one of many values of the variant.
const LOW_PRECEDENCE: u8 = 3;
/// Every value belongs to the variant.
const ANY_VALUE: u8 = 4;
/// The value lacks required fields, which a response may omit.
const INCOMPLETE: u8 = 5;
/// The value is a number that the variant writes as a string, which changes it for others.
const CONVERTED: Score = (INCOMPLETE, 0, 0);
/// The variant matches only if no other does.
const LAST_RESORT: Score = (6, 0, 0);

impl ValueForm {
    /// Dates.
    pub const DATE: Self = Self::Strings(|text| Date::parse(text).is_ok());
    /// Date-times.
    pub const DATE_TIME: Self = Self::Strings(|text| DateTime::parse(text).is_ok());
    /// Durations in seconds.
    pub const DURATION: Self = Self::Strings(|text| Duration::parse(text).is_ok());
    /// ISO 8601 durations.
    pub const ISO_DURATION: Self = Self::Strings(|text| IsoDuration::parse(text).is_ok());
    /// Times of day.
    pub const TIME: Self = Self::Strings(|text| Time::parse(text).is_ok());
    /// HTTP dates.
    pub const HTTP_DATE: Self = Self::Strings(|text| HttpDate::parse(text).is_ok());
    /// Decimal numbers of arbitrary precision.
    pub const BIG_DECIMAL: Self = Self::Strings(|text| BigDecimal::parse(text).is_ok());
    /// Base64 data.
    pub const BYTES: Self = Self::Strings(|text| Bytes::parse(text).is_ok());

    /// Ranks the match of a value; `None` if it does not match. `nested` is true for the value of a field.
    pub(super) fn score(&self, content: &Content<'_>, nested: bool) -> Option<Score> {
        match (self, content) {
            (Self::Kinds(kinds), _) => (kinds & kind(content) != 0).then_some(EXACT),
            (Self::LowPrecedence(ANY), _) => (kind(content) != 0).then_some((ANY_VALUE, 0, 0)),
            (Self::LowPrecedence(kinds), _) => (kinds & kind(content) != 0).then_some((LOW_PRECEDENCE, 0, 0)),
            (Self::Integers { min, max, digits }, _) => {
                let fits = integer(content, *digits).is_some_and(|value| (*min..=*max).contains(&value));
                let is_converted = *digits && !matches!(content, Content::Text(_));
                fits.then_some(if is_converted { CONVERTED } else { EXACT })
            }
            (Self::Strings(fits), Content::Text(text)) => fits(text).then_some(EXACT),
            (Self::EnumValues(known), Content::Text(text)) => Some(if known(text) { EXACT } else { LAST_RESORT }),
            (Self::Text(text), _) => is_text(content, text).then_some(EXACT),
            (Self::Flag(flag), Content::Bool(value)) => (flag == value).then_some(EXACT),
            (Self::Number(number), _) => (float(content) == Some(*number)).then_some(EXACT),
            (Self::Json(json), _) => (scalar_json(content)? == *json).then_some(EXACT),
            (Self::EnumJson(known), _) => {
                let text = scalar_json(content)?;
                Some(if known(&text) { EXACT } else { LAST_RESORT })
            }
            (Self::Bounded(form, bounds), _) => {
                let score = form.score(content, nested)?;
                Some(match (bounds.contains(content), score.0) {
                    (false, _) => LAST_RESORT.max(score),
                    (true, LOW_PRECEDENCE) => EXACT,
                    (true, _) => score,
                })
            }
            (Self::Loose(form), _) => form.score(content, nested).map(|score| score.max((LOW_PRECEDENCE, 0, 0))),
            (Self::Open(form), _) => Some(form.score(content, nested).unwrap_or(LAST_RESORT)),
            (Self::List(form), Content::List(items)) => worst_score(form, items.iter(), nested),
            (Self::Map(form), Content::Object(members)) => {
                worst_score(form, members.iter().map(|(_, value)| value), nested)
                    .map(|score| score.max((LOW_PRECEDENCE, 0, 0)))
            }
            (Self::Nullable(_), Content::Null) => Some(EXACT),
            (Self::Nullable(form), _) => form.score(content, nested),
            (Self::Object(form), Content::Object(members)) => form.score(members, nested),
            (Self::AnyOf(forms), _) => forms.iter().filter_map(|form| form.score(content, nested)).min(),
            (Self::Tagged(member, names), Content::Object(members)) => {
                let mut values = members.iter().filter(|(name, _)| name == member).map(|(_, value)| value);
                values.any(|value| names.iter().any(|name| is_tag(value, name))).then_some(EXACT)
            }
            _ => None,
        }
    }

    /// Returns the kinds of JSON of the values.
    pub(super) const fn kinds(&self) -> u8 {
        match self {
            Self::Nullable(form) => form.kinds(),
            Self::Kinds(kinds) | Self::LowPrecedence(kinds) => *kinds,
            Self::Integers { digits: false, .. } => INTEGER,
            Self::Integers { digits: true, .. } => INTEGER | TEXT,
            Self::Strings(_) | Self::EnumValues(_) | Self::Text(_) => TEXT,
            Self::Flag(_) => BOOL,
            Self::Number(_) => INTEGER | FRACTION,
            Self::Bounded(form, _) | Self::Loose(form) | Self::Open(form) => form.kinds(),
            Self::List(_) => LIST,
            Self::Map(_) | Self::Object(_) | Self::Tagged(..) => OBJECT,
            // Inspected only if several variants have a kind, and then the kinds are not used.
            Self::AnyOf(_) => ANY,
            Self::Json(_) | Self::EnumJson(_) => TEXT | INTEGER | FRACTION | BOOL,
        }
    }
}

/// Returns the rank of the worst element of a list.
fn worst_score<'c, 'de: 'c>(
    form: &ValueForm,
    mut items: impl Iterator<Item = &'c Content<'de>>,
    nested: bool,
) -> Option<Score> {
    items.try_fold(EXACT, |score, item| Some(form.score(item, nested)?.max(score)))
}

/// Returns whether a value is this text.
fn is_text(content: &Content<'_>, text: &str) -> bool {
    matches!(content, Content::Text(found) if found == text)
}

/// Returns whether a value of a discriminator is that of the variant with this name.
fn is_tag(content: &Content<'_>, name: &str) -> bool {
    match content {
        Content::Text(found) => found == name,
        _ => scalar_json(content).is_some_and(|json| json == name),
    }
}

/// Returns the integer of a value; with `digits` also that of a string of decimal digits.
fn integer(content: &Content<'_>, digits: bool) -> Option<i128> {
    match content {
        Content::Unsigned(value) => Some((*value).into()),
        Content::Signed(value) => Some((*value).into()),
        // Every integer of a type that accepts floats is exact: others fail when they are decoded.
        #[allow(clippy::cast_possible_truncation)]
        Content::Float(_) | Content::Number(_) => {
            content.as_float().filter(|value| value.fract() == 0.0 && value.abs() < 1e30).map(|value| value as i128)
        }
        // As when it is decoded: a number has one text.
        Content::Text(text) if digits => match Decimal::<i64>::parse(text) {
            Ok(Decimal(value)) => Some(value.into()),
            Err(_) => Decimal::<u64>::parse(text).ok().map(|Decimal(value)| value.into()),
        },
        _ => None,
    }
}

/// Returns the number of a value.
#[allow(clippy::cast_precision_loss)] // as when it is decoded as a floating-point number
fn float(content: &Content<'_>) -> Option<f64> {
    match content {
        Content::Unsigned(value) => Some(*value as f64),
        Content::Signed(value) => Some(*value as f64),
        _ => content.as_float(),
    }
}

/// Returns the JSON of a scalar, in which a number has no zero fraction, as in the values of an enum.
pub(super) fn scalar_json(content: &Content<'_>) -> Option<String> {
    Some(match content {
        Content::Text(text) => crate::Value::from(text.as_ref()).to_string(),
        Content::Bool(value) => value.to_string(),
        _ => match content.as_float() {
            Some(value) if value.fract() != 0.0 => value.to_string(),
            _ => integer(content, false)?.to_string(),
        },
    })
}

/// Returns the bit of a value's kind, such as [`INTEGER`]; none for null.
pub(super) fn kind(content: &Content<'_>) -> u8 {
    match content {
        Content::Null => 0,
        Content::Bool(_) => BOOL,
        Content::Unsigned(_) | Content::Signed(_) => INTEGER,
        Content::Float(_) | Content::Number(_) => {
            if content.as_float().is_some_and(|value| value.fract() == 0.0) {
                INTEGER
            } else {
                FRACTION
            }
        }
        Content::Text(_) => TEXT,
        Content::List(_) => LIST,
        Content::Object(_) => OBJECT,
    }
}
