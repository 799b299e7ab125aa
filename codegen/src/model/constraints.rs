//! Constraints on values, and literals of a schema.

use super::{Decimal, Doc, EnumId};

/// Constraints on the values of a field or parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constraints {
    /// Length in code points or bytes.
    pub length: Option<Range>,
    /// Regular expression, anchored at both ends.
    pub pattern: Option<String>,
    /// Format of a text.
    pub format: Option<Format>,
    /// Allowed schemes of a URI.
    pub schemes: Vec<String>,
    /// Minimum.
    pub min: Option<Number>,
    /// Maximum.
    pub max: Option<Number>,
    /// Ends of the range that the value must not equal.
    pub exclusive: Exclusive,
    /// Largest number that has an effect.
    pub clamp: Option<Number>,
    /// Divisor of the value.
    pub multiple_of: Option<Number>,
    /// Number of elements.
    pub items: Option<Range>,
    /// Constraints on the keys of a map.
    pub keys: Option<Keys>,
    /// True if the elements must be distinct.
    pub unique: bool,
    /// Constraints on elements that are lists or maps, and on their elements in turn.
    pub elements: Vec<ElementConstraints>,
    /// Only allowed value.
    pub constant: Option<Literal>,
    /// Values with a special meaning.
    pub known: Vec<KnownValue>,
}

// Each function destructures the constraints, so that a new constraint does not compile until both have decided about
// it.
impl Constraints {
    /// Returns the constraints on a value that is a list or a map, and on its elements in turn.
    #[must_use]
    pub fn of_collection(counts: &[ElementConstraints]) -> Self {
        Self { elements: counts.to_vec(), ..Self::default() }.for_elements()
    }

    /// Returns the constraints that apply to each element of a list or map.
    #[must_use]
    pub fn for_elements(&self) -> Self {
        let Self {
            length,
            pattern,
            format,
            schemes,
            min,
            max,
            exclusive,
            clamp,
            multiple_of,
            items: _,
            keys: _,
            unique: _,
            mut elements,
            constant,
            known,
        } = self.clone();
        let own = if elements.is_empty() { ElementConstraints::default() } else { elements.remove(0) };
        let ElementConstraints { items, keys, unique } = own;
        Self {
            length,
            pattern,
            format,
            schemes,
            min,
            max,
            exclusive,
            clamp,
            multiple_of,
            items,
            keys,
            unique,
            elements,
            constant,
            known,
        }
    }

    /// Returns the constraints by which the values of variants of a union are distinguished.
    #[must_use]
    pub fn distinguishing(&self) -> Self {
        let Self {
            length,
            pattern,
            format,
            schemes: _,
            min,
            max,
            exclusive,
            clamp: _,
            multiple_of: _,
            items,
            keys: _,
            unique: _,
            mut elements,
            constant,
            known: _,
        } = self.clone();
        elements.iter_mut().for_each(|own| (own.unique, own.keys) = (false, None));
        let format = format.filter(|format| format.pattern().is_some());
        Self { length, pattern, format, min, max, exclusive, items, elements, constant, ..Self::default() }
    }

    /// Returns the patterns that are written: its own, that of its keys, and those of the keys of its elements.
    pub fn written_patterns(&self) -> impl Iterator<Item = &str> {
        let of_elements = self.elements.iter().filter_map(|own| own.keys.as_ref());
        let keys = self.keys.as_ref().into_iter().chain(of_elements);
        self.pattern.as_deref().into_iter().chain(keys.filter_map(|keys| keys.pattern.as_deref()))
    }

    /// Returns the patterns of its texts: its own and that of its format.
    #[must_use]
    pub fn patterns(&self) -> Vec<&str> {
        let format = self.format.and_then(Format::pattern);
        self.pattern.as_deref().into_iter().chain(format).collect()
    }

    /// Returns the constraints that apply in operations that `constrained` does not list.
    #[must_use]
    pub fn outside_constrained_operations(&self) -> Self {
        let Self {
            length: _,
            pattern: _,
            format: _,
            schemes: _,
            min: _,
            max: _,
            exclusive: _,
            multiple_of: _,
            clamp,
            items,
            keys,
            unique,
            elements,
            constant,
            known,
        } = self.clone();
        Self { clamp, items, keys, unique, elements, constant, known, ..Self::default() }
    }
}

/// Constraints on the keys of a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// Length in code points.
    pub length: Option<Range>,
    /// Regular expression, anchored at both ends.
    pub pattern: Option<String>,
}

impl Keys {
    /// Returns the constraints of a text that is a key.
    #[must_use]
    pub fn constraints(&self) -> Constraints {
        Constraints { length: self.length, pattern: self.pattern.clone(), ..Constraints::default() }
    }
}

/// Constraints on the lists or maps in a list or map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ElementConstraints {
    /// Number of elements.
    pub items: Option<Range>,
    /// Constraints on the keys of a map.
    pub keys: Option<Keys>,
    /// True if the elements must be distinct.
    pub unique: bool,
}

/// Ends of a range of numbers that are not in it. Those of integers are always in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exclusive {
    /// True if the value must be greater than the minimum.
    pub min: bool,
    /// True if the value must be less than the maximum.
    pub max: bool,
}

/// Inclusive range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    /// Lower bound.
    pub min: Option<u64>,
    /// Upper bound.
    pub max: Option<u64>,
}

/// Format of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Email address (RFC 5322).
    Email,
    /// URI (RFC 3986).
    Uri,
    /// Time zone of the IANA Time Zone Database.
    TimeZone,
    /// Recurrence lines (RFC 5545).
    Recurrence,
    /// Media type (RFC 6838).
    MediaType,
    /// Entity tag (RFC 9110).
    Etag,
    /// Page token.
    PageToken,
    /// Sync token.
    SyncToken,
    /// Host name (RFC 1123).
    Hostname,
    /// IP address.
    Ip,
    /// UUID (RFC 9562).
    Uuid,
    /// HTML.
    Html,
    /// Field paths separated by commas.
    FieldMask,
}

impl Format {
    /// Returns the pattern by which texts in this format are distinguished from others: it accepts every valid text, and
    /// is narrow enough to distinguish formats. `None` if any text is valid.
    #[must_use]
    pub const fn pattern(self) -> Option<&'static str> {
        Some(match self {
            Self::Email => "(?:[^@\\s]+|\"(?:[^\"\\\\]|\\\\.)*\")@(?:[^@\\s]+|\\[.*\\])",
            Self::Uri => "[A-Za-z][A-Za-z0-9+.-]*:[^\\s]*",
            Self::TimeZone => "[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*",
            Self::Recurrence => "(?i:RRULE|EXRULE|RDATE|EXDATE)[;:].*",
            Self::MediaType => "[!-.0-~]+/[!-.0-~]+(?:[ \t]*;.*)?",
            Self::Etag => "(?:W/)?\"[^\"]*\"",
            Self::Hostname => "[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?",
            Self::Ip => "[0-9]{1,3}(?:\\.[0-9]{1,3}){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*",
            Self::Uuid => "[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}",
            Self::FieldMask => "(?:[A-Za-z_`*][^ \t]*)?",
            Self::PageToken | Self::SyncToken | Self::Html => return None,
        })
    }
}

/// Number of the kind that its field has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Integer.
    Int(i128),
    /// Finite floating-point number.
    Float(f64),
    /// Exact decimal number.
    Decimal(Decimal),
}

/// Literal in the schema, of the type of its field.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// Number.
    Number(Number),
    /// Text, also of a date, a duration and the like, in its wire format.
    Text(String),
    /// Enum value, by its index.
    Enum(EnumId, usize),
    /// JSON value.
    Json(serde_json::Value),
}

/// Text value with a special meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownValue {
    /// Value.
    pub value: String,
    /// Other values with the same meaning.
    pub aliases: Vec<String>,
    /// Meaning of the value.
    pub doc: Doc,
}
