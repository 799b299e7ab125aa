//! Numbers of documents: 64-bit integers, signed or unsigned, and others.

use std::fmt;

use wireform_codegen::model::Decimal;
use wireform_codegen::schema::read::Raw;
use wireform_codegen::schema::yaml::{Entry, Node, Style, Value};

/// Number that a schema can represent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Integer from the minimum of `i64` to the maximum of `u64`.
    Whole(i128),
    /// Finite float.
    Float(f64),
    /// Exact decimal number.
    Decimal(Decimal),
}

impl Number {
    /// Creates an integer; `None` if it is out of range.
    pub fn integer(value: i128) -> Option<Self> {
        (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value).then_some(Self::Whole(value))
    }

    /// Parses a number; `None` if a schema cannot represent it.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().ok().and_then(Self::integer).or_else(|| Self::float(text))
    }

    /// Parses a number without rounding it; `None` if it has too many digits for a schema.
    pub fn exact(text: &str) -> Option<Self> {
        text.parse().ok().and_then(Self::integer).or_else(|| Decimal::parse_json(text).map(Self::Decimal))
    }

    /// Parses a finite number, which may be written without a fraction.
    pub fn float(text: &str) -> Option<Self> {
        text.parse().ok().filter(|number: &f64| number.is_finite()).map(Self::Float)
    }

    /// Returns the value of a number without a fraction.
    pub const fn as_integer(self) -> Option<i128> {
        match self {
            Self::Whole(value) => Some(value),
            Self::Float(_) | Self::Decimal(_) => None,
        }
    }

    /// Returns the nearest number of double precision.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Whole(value) => value as f64,
            Self::Float(value) => value,
            Self::Decimal(value) => value.nearest(),
        }
    }

    /// Returns whether a schema can have it as the value of `multiple_of`.
    pub fn is_divisor(self) -> bool {
        match self {
            Self::Decimal(value) => value.digits > 0 && u64::try_from(value.digits).is_ok(),
            _ => self.as_f64() > 0.0,
        }
    }

    /// Returns whether it is greater than another number.
    pub fn is_greater_than(self, other: Self) -> bool {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a > b,
            (Self::Decimal(a), Self::Decimal(b)) => a.is_greater_than(b),
            _ => self.as_f64() > other.as_f64(),
        }
    }

    /// Returns whether it is a multiple of another number; true if that cannot be computed.
    pub fn is_multiple_of(self, other: Self) -> bool {
        // The shortest digits of a float are the number that the document has.
        let decimal = |number: Self| match number {
            Self::Whole(value) => Decimal::parse(&value.to_string()),
            Self::Float(value) => Decimal::parse(&value.to_string()),
            Self::Decimal(value) => Some(value),
        };
        decimal(self).zip(decimal(other)).is_none_or(|(number, other)| number.is_multiple_of(other))
    }

    /// Returns the number as a schema writes it.
    pub fn to_node(self) -> Node {
        Node::plain(self.to_string())
    }

    /// Returns the number as the value of a key such as `min`.
    pub fn to_raw(self) -> Raw {
        Raw(self.to_node())
    }

    /// Returns the number as an end of a range, which values must not equal if it is exclusive.
    pub fn to_end(self, is_exclusive: bool) -> Raw {
        let map = || Node::map(vec![Entry::new("exclusive", self.to_node())]);
        Raw(if is_exclusive { map() } else { self.to_node() })
    }

    /// Parses an end of a range; `None` if it is not a number. The flag is true if values must not equal it.
    pub fn of_end(raw: &Raw) -> Option<(Self, bool)> {
        match &raw.0.value {
            Value::Map(entries) => match entries.as_slice() {
                [only] if only.key == "exclusive" => Self::of_raw(&Raw(only.value.clone())).map(|end| (end, true)),
                _ => None,
            },
            _ => Self::of_raw(raw).map(|end| (end, false)),
        }
    }

    /// Parses the value of a key such as `min`; `None` if it is not a number.
    pub fn of_raw(raw: &Raw) -> Option<Self> {
        match &raw.0.value {
            Value::Scalar(text, Style::Plain) => Self::parse(text),
            _ => None,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(value) => value.fmt(f),
            // A float keeps its decimal point, so that every parser reads a float.
            Self::Float(value) => fmt::Debug::fmt(value, f),
            Self::Decimal(value) => value.fmt(f),
        }
    }
}

/// Returns the greatest integer that is not greater than a number in decimal notation, such as `1.0` or `1e3`, and
/// whether the number is that integer; the nearest end of the range for a number beyond it. `None` if it is not a number.
pub fn floor(text: &str) -> Option<(i128, bool)> {
    text.parse::<f64>().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte)))?;
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (is_negative, unsigned) = match mantissa.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, mantissa.strip_prefix('+').unwrap_or(mantissa)),
    };
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    // An exponent that is not a number of 64 bits is beyond any length of digits.
    let exponent: i64 = exponent.parse().unwrap_or(if exponent.starts_with('-') { i64::MIN } else { i64::MAX });
    let point = exponent.saturating_add(i64::try_from(whole.len()).ok()?);
    let point = point.saturating_sub(i64::try_from(whole.len() + fraction.len() - digits.len()).ok()?);
    let count = usize::try_from(point.max(0)).ok()?;
    let (kept, rest) = digits.split_at(count.min(digits.len()));
    let is_exact = rest.bytes().all(|digit| digit == b'0');
    let zeros = if digits.is_empty() { 0 } else { count - kept.len() };
    let size = kept.parse::<i128>().ok().or(kept.is_empty().then_some(0));
    let size = size.and_then(|size| size.checked_mul(10_i128.checked_pow(u32::try_from(zeros).ok()?)?));
    let Some(size) = size else { return Some((if is_negative { i128::MIN } else { i128::MAX }, true)) };
    Some((if is_negative { -size - i128::from(!is_exact) } else { size }, is_exact))
}

#[cfg(test)]
mod tests {
    use super::{Number, floor};

    #[test]
    fn integers_of_decimal_numbers_are_exact() {
        let table = [
            ("0", Some((0, true))),
            ("-0.0", Some((0, true))),
            ("00.10e1", Some((1, true))),
            ("1.5", Some((1, false))),
            ("-1.5", Some((-2, false))),
            ("-.5", Some((-1, false))),
            ("0.05e1", Some((0, false))),
            ("0.05e2", Some((5, true))),
            ("1200e-2", Some((12, true))),
            ("1250e-2", Some((12, false))),
            ("9007199254740993.0", Some((9_007_199_254_740_993, true))),
            ("-9007199254740993.5", Some((-9_007_199_254_740_994, false))),
            ("1e17", Some((100_000_000_000_000_000, true))),
            ("1e-1000000000000000000000", Some((0, false))),
            ("-1e-99", Some((-1, false))),
            ("0e1000000000", Some((0, true))),
            ("1e1000000000", Some((i128::MAX, true))),
            ("-1e99", Some((i128::MIN, true))),
            ("inf", None),
            ("", None),
            ("1e", None),
            ("-", None),
        ];
        for (text, expected) in table {
            assert_eq!(floor(text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_have_canonical_form() {
        let table = [
            ("0", "0"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("18446744073709551615", "18446744073709551615"),
            ("18446744073709551616", "1.8446744073709552e19"),
            ("1.10", "1.1"),
            ("2.0", "2.0"),
            ("1e3", "1000.0"),
        ];
        for (text, written) in table {
            let number = Number::parse(text);
            assert_eq!(number.map(|number| number.to_string()).as_deref(), Some(written));
            assert_eq!(number.and_then(|number| Number::of_raw(&number.to_raw())), number, "{text}");
        }
        for text in ["", "x", "1e999", "NaN", "inf"] {
            assert_eq!(Number::parse(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_ordered_across_their_kinds() {
        let number = |text| Number::parse(text).unwrap_or(Number::Whole(0));
        assert!(number("2").is_greater_than(number("1.5")) && number("1.5").is_greater_than(number("1")));
        assert!(number("9007199254740993").is_greater_than(number("9007199254740992")));
        assert!(!number("1.0").is_greater_than(number("1")));
    }
}
