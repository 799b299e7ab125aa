//! What values of a type look like: by that a value finds its variant where no member tells it.

use super::content::Content;
use crate::{BigDecimal, Bytes, Date, DateTime, Decimal, Duration, HttpDate, IsoDuration, Time};

/// A boolean.
pub const BOOL: u8 = 1;
/// A number without a fraction.
pub const INTEGER: u8 = 2;
/// A number with a fraction.
pub const FRACTION: u8 = 4;
/// A string.
pub const TEXT: u8 = 8;
/// A list.
pub const LIST: u8 = 16;
/// An object.
pub const OBJECT: u8 = 32;
/// Every kind of value but null.
pub const ANY: u8 = 63;

/// What the values of a variant look like.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Values of these kinds, each of which is one of the variant.
    Kinds(u8),
    /// Values of these kinds, for which every other variant that fits is preferred: `any`, plain texts beside dates,
    /// numbers beside integers, maps beside resources.
    Wide(u8),
    /// Whole numbers with both ends, also where they are written as texts of decimal digits.
    Integers {
        /// The least.
        min: i128,
        /// The greatest.
        max: i128,
        /// Whether they are written as texts.
        digits: bool,
    },
    /// Texts of a form, such as dates.
    Texts(fn(&str) -> bool),
    /// The values of an open enum; other texts are taken where no other variant fits.
    Values(fn(&str) -> bool),
    /// Lists of such elements.
    List(&'static Form),
    /// Maps of such values.
    Map(&'static Form),
    /// Such values, or null, within a list or a map.
    Nullable(&'static Form),
    /// The members of a resource.
    Object(&'static ObjectForm),
    /// The variants of another union that its shape tells.
    AnyOf(&'static [Form]),
    /// Objects of another union: the value of this member is one of the texts.
    Tagged(&'static str, &'static [&'static str]),
}

/// What the objects of a resource look like.
#[derive(Debug)]
pub struct ObjectForm {
    /// The index of the member with this name on the wire.
    pub index: fn(&str) -> Option<usize>,
    /// The kinds of values that each member has, in the order of their indices.
    pub kinds: &'static [u8],
    /// The kinds of values that members beside the named ones have; none where they are read over.
    pub others: u8,
    /// The members of which null is a value.
    pub nullable: &'static [&'static str],
    /// The members that a request must have.
    pub required: &'static [&'static str],
    /// The members that have one value alone.
    pub constants: &'static [(&'static str, &'static str)],
}

/// How well a value fits, the best least: a class, then how many members are not known.
pub(super) type Score = (u8, usize);

/// It is a value of the variant and looks like nothing else.
const EXACT: Score = (0, 0);
/// It has what the variant asks for, and nulls that are read as absence.
const NULLS: u8 = 1;
/// It has what the variant asks for, and members that the variant keeps without knowing them.
const MORE: u8 = 2;
/// It is one of many values of the variant.
const WIDE: u8 = 3;
/// Every value is one of the variant.
const ALL: u8 = 4;
/// It lacks members that a request must have, which an answer may.
const LESS: u8 = 5;
/// It is a number that the variant reads and writes as a text, which changes it for others.
const RESPELLED: Score = (LESS, 0);
/// The variant takes it where no other does.
const LAST: Score = (6, 0);

impl Form {
    /// Dates.
    pub const DATE: Self = Self::Texts(|text| Date::parse(text).is_ok());
    /// Points in time.
    pub const DATE_TIME: Self = Self::Texts(|text| DateTime::parse(text).is_ok());
    /// Lengths of time.
    pub const DURATION: Self = Self::Texts(|text| Duration::parse(text).is_ok());
    /// Durations of ISO 8601.
    pub const ISO_DURATION: Self = Self::Texts(|text| IsoDuration::parse(text).is_ok());
    /// Times of day.
    pub const TIME: Self = Self::Texts(|text| Time::parse(text).is_ok());
    /// Dates of HTTP.
    pub const HTTP_DATE: Self = Self::Texts(|text| HttpDate::parse(text).is_ok());
    /// Decimal numbers of any precision.
    pub const BIG_DECIMAL: Self = Self::Texts(|text| BigDecimal::parse(text).is_ok());
    /// Bytes.
    pub const BYTES: Self = Self::Texts(|text| Bytes::parse(text).is_ok());

    /// How well a value fits; `None` where it does not.
    pub(super) fn score(&self, content: &Content<'_>) -> Option<Score> {
        match (self, content) {
            (Self::Kinds(kinds), _) => (kinds & kind(content) != 0).then_some(EXACT),
            (Self::Wide(ANY), _) => (kind(content) != 0).then_some((ALL, 0)),
            (Self::Wide(kinds), _) => (kinds & kind(content) != 0).then_some((WIDE, 0)),
            (Self::Integers { min, max, digits }, _) => {
                let fits = integer(content, *digits).is_some_and(|value| (*min..=*max).contains(&value));
                let is_respelled = *digits && !matches!(content, Content::Text(_));
                fits.then_some(if is_respelled { RESPELLED } else { EXACT })
            }
            (Self::Texts(fits), Content::Text(text)) => fits(text).then_some(EXACT),
            (Self::Values(known), Content::Text(text)) => Some(if known(text) { EXACT } else { LAST }),
            (Self::List(form), Content::List(items)) => worst(form, items.iter()),
            (Self::Map(form), Content::Object(members)) => {
                worst(form, members.iter().map(|(_, value)| value)).map(|score| score.max((WIDE, 0)))
            }
            (Self::Nullable(_), Content::Null) => Some(EXACT),
            (Self::Nullable(form), _) => form.score(content),
            (Self::Object(form), Content::Object(_)) => form.score(content),
            (Self::AnyOf(forms), _) => forms.iter().filter_map(|form| form.score(content)).min(),
            (Self::Tagged(member, names), Content::Object(members)) => {
                let mut values = members.iter().filter(|(name, _)| name == member).map(|(_, value)| value);
                values.any(|value| names.iter().any(|name| is_text(value, name))).then_some(EXACT)
            }
            _ => None,
        }
    }
}

/// A list fits as its worst element does.
fn worst<'c, 'de: 'c>(form: &Form, mut items: impl Iterator<Item = &'c Content<'de>>) -> Option<Score> {
    items.try_fold(EXACT, |score, item| Some(form.score(item)?.max(score)))
}

impl ObjectForm {
    /// Members are looked at and what they hold is not, so that this takes the same time however deep that is nested.
    /// Members that would be lost are no reason to take the next best variant: such a value is of none.
    fn score(&self, content: &Content<'_>) -> Option<Score> {
        let Content::Object(members) = content else { return None };
        let (mut unknown, mut nulls, mut present) = (0_usize, 0_usize, Vec::new());
        for (name, value) in members {
            let Some(index) = (self.index)(name) else {
                if self.others == 0 || self.others != ANY && self.others & kind(value) == 0 {
                    return None;
                }
                unknown += 1;
                continue;
            };
            present.push(index);
            if matches!(value, Content::Null) {
                nulls += usize::from(!self.nullable.iter().any(|name| self.is(name, index)));
                continue;
            }
            let kinds = self.kinds.get(index).copied().unwrap_or(ANY);
            let constant = self.constants.iter().find(|(name, _)| self.is(name, index)).map(|(_, constant)| *constant);
            if kinds & kind(value) == 0 || constant.is_some_and(|constant| !is_text(value, constant)) {
                return None;
            }
        }
        let complete =
            self.required.iter().all(|name| (self.index)(name).is_some_and(|index| present.contains(&index)));
        let class = match (complete, unknown, nulls) {
            // It would be kept, but it is more likely of a variant that is not known here.
            (false, 1.., _) => return None,
            (true, 1.., _) if present.is_empty() => ALL,
            (false, ..) => LESS,
            (true, 1.., _) => MORE,
            (true, 0, 1..) => NULLS,
            (true, 0, 0) => return Some(EXACT),
        };
        Some((class, unknown + nulls))
    }

    /// Whether the member with this name has this index.
    fn is(&self, name: &str, index: usize) -> bool {
        (self.index)(name) == Some(index)
    }
}

fn is_text(content: &Content<'_>, text: &str) -> bool {
    matches!(content, Content::Text(found) if found == text)
}

/// The whole number that a value is, or spells.
fn integer(content: &Content<'_>, digits: bool) -> Option<i128> {
    match content {
        Content::Unsigned(value) => Some((*value).into()),
        Content::Signed(value) => Some((*value).into()),
        // Every whole number of a type that is read so is exact in a float: others are refused when they are decoded.
        #[allow(clippy::cast_possible_truncation)]
        Content::Float(value) if value.fract() == 0.0 && value.abs() < 1e30 => Some(*value as i128),
        // As it is decoded: a number has one spelling.
        Content::Text(text) if digits => match Decimal::<i64>::parse(text) {
            Ok(Decimal(value)) => Some(value.into()),
            Err(_) => Decimal::<u64>::parse(text).ok().map(|Decimal(value)| value.into()),
        },
        _ => None,
    }
}

fn kind(content: &Content<'_>) -> u8 {
    match content {
        Content::Null => 0,
        Content::Bool(_) => BOOL,
        Content::Unsigned(_) | Content::Signed(_) => INTEGER,
        Content::Float(value) => {
            if value.fract() == 0.0 {
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
