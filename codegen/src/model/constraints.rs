//! What the values of a member must satisfy, and values that stand in a schema.

use super::{Doc, EnumId};

/// What the values of a member must satisfy.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constraints {
    /// How many code points, or bytes.
    pub length: Option<Range>,
    /// A regular expression, anchored at both ends.
    pub pattern: Option<String>,
    /// What the text is.
    pub format: Option<Format>,
    /// The schemes of a URI.
    pub schemes: Vec<String>,
    /// The least number.
    pub min: Option<Number>,
    /// The greatest number.
    pub max: Option<Number>,
    /// The greatest number that has an effect.
    pub clamp: Option<Number>,
    /// A number that divides the value.
    pub multiple_of: Option<Number>,
    /// How many elements.
    pub items: Option<Range>,
    /// Whether no element occurs twice.
    pub unique: bool,
    /// The only value.
    pub constant: Option<Literal>,
    /// Values that mean something special.
    pub known: Vec<Known>,
}

// Each takes the constraints apart by name, so that a further one does not compile before it is decided what it is about.
impl Constraints {
    /// What is left to say of each element of a list or map.
    #[must_use]
    pub fn of_elements(&self) -> Self {
        let Self {
            length,
            pattern,
            format,
            schemes,
            min,
            max,
            clamp,
            multiple_of,
            items: _,
            unique: _,
            constant,
            known,
        } = self.clone();
        let (items, unique) = (None, false);
        Self { length, pattern, format, schemes, min, max, clamp, multiple_of, items, unique, constant, known }
    }

    /// What is left to say where those that `constrained` is about do not hold.
    #[must_use]
    pub fn outside_of_constrained(&self) -> Self {
        let Self {
            length: _,
            pattern: _,
            format: _,
            schemes: _,
            min: _,
            max: _,
            multiple_of: _,
            clamp,
            items,
            unique,
            constant,
            known,
        } = self.clone();
        Self { clamp, items, unique, constant, known, ..Self::default() }
    }
}

/// A range with both ends inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least.
    pub min: Option<u64>,
    /// The greatest.
    pub max: Option<u64>,
}

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A mail address (RFC 5322).
    Email,
    /// A URI (RFC 3986).
    Uri,
    /// A zone of the IANA Time Zone Database.
    TimeZone,
    /// Recurrence lines (RFC 5545).
    Recurrence,
    /// A media type (RFC 6838).
    MediaType,
    /// An entity tag (RFC 9110).
    Etag,
    /// A token for a further page.
    PageToken,
    /// A token for what has changed.
    SyncToken,
    /// A host name (RFC 1123).
    Hostname,
    /// An IP address.
    Ip,
    /// A UUID (RFC 9562).
    Uuid,
    /// HTML.
    Html,
    /// Paths of members, with commas between them.
    FieldMask,
}

/// A number of the kind that its member has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole number.
    Int(i128),
    /// A floating-point number; finite.
    Float(f64),
    /// A decimal number, exactly.
    Decimal(Decimal),
}

/// A decimal number with as many digits as fit, `digits` divided by ten to the power of `scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decimal {
    /// All digits, with the sign.
    pub digits: i128,
    /// How many of them stand behind the point.
    pub scale: u32,
}

impl Decimal {
    /// Reads a decimal number without an exponent; nothing where it has more digits than fit.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = plain.split_once('.').map_or((plain, None), |(whole, rest)| (whole, Some(rest)));
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = is_digits(whole) && fraction.is_none_or(is_digits) && (whole == "0" || !whole.starts_with('0'));
        let fraction = fraction.unwrap_or_default();
        let digits = format!("{whole}{fraction}").parse::<i128>().ok().filter(|_| is_number)?;
        let scale = u32::try_from(fraction.len()).ok()?;
        Some(Self { digits: if text.starts_with('-') { -digits } else { digits }, scale })
    }

    /// Whether it is greater than another number.
    #[must_use]
    pub fn is_above(self, other: Self) -> bool {
        let scale = self.scale.max(other.scale);
        let at = |one: Self| 10_i128.checked_pow(scale - one.scale)?.checked_mul(one.digits);
        match (at(self), at(other)) {
            (Some(one), Some(other)) => one > other,
            // One that does not fit is farther from zero than one that does.
            (None, _) => self.digits > 0,
            (_, None) => other.digits < 0,
        }
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scale = usize::try_from(self.scale).unwrap_or(usize::MAX);
        let digits = format!("{:0>width$}", self.digits.unsigned_abs(), width = scale.saturating_add(1));
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        let sign = if self.digits < 0 { "-" } else { "" };
        let point = if scale > 0 { "." } else { "" };
        write!(f, "{sign}{whole}{point}{fraction}")
    }
}

/// A value written in the schema, of the type of its member.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A text, also of a date, a duration and the like, in the form of the wire.
    Text(String),
    /// A value of an enum, by its index.
    Enum(EnumId, usize),
    /// A JSON value.
    Json(serde_json::Value),
}

/// A value of a text that means something special.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The value.
    pub value: String,
    /// Other spellings that mean the same.
    pub aliases: Vec<String>,
    /// What it means.
    pub doc: Doc,
}
