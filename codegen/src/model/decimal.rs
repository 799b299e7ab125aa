//! Exact decimal numbers of a schema.

/// Decimal number: `digits` divided by ten to the power of `scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decimal {
    /// All digits, with the sign.
    pub digits: i128,
    /// Number of digits after the decimal point; negative for zeros before it that are not among the digits.
    pub scale: i64,
}

/// Maximum number of digits after the decimal point, or of zeros before it.
const MAX_SCALE: u64 = 1000;

impl Decimal {
    /// Parses a decimal number without an exponent. Returns `None` if it has too many digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let plain = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = plain.split_once('.').map_or((plain, None), |(whole, rest)| (whole, Some(rest)));
        let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_number = is_digits(whole) && fraction.is_none_or(is_digits) && (whole == "0" || !whole.starts_with('0'));
        let fraction = fraction.unwrap_or_default();
        let digits = format!("{whole}{fraction}").parse::<i128>().ok().filter(|_| is_number)?;
        let scale = i64::try_from(fraction.len()).ok()?;
        Some(Self { digits: if text.starts_with('-') { -digits } else { digits }, scale })
    }

    /// Parses a JSON number, without the zeros at its end. Returns `None` if it has too many digits.
    #[must_use]
    pub fn parse_json(text: &str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let Self { mut digits, scale } = Self::parse(mantissa)?;
        let exponent = exponent.parse::<i32>().ok()?;
        let mut scale = scale.checked_sub(exponent.into())?;
        while scale > 0 && digits % 10 == 0 {
            (digits, scale) = if digits == 0 { (0, 0) } else { (digits / 10, scale - 1) };
        }
        let zeros = u32::try_from(-scale).ok().and_then(|zeros| 10_i128.checked_pow(zeros));
        if let Some(whole) = zeros.and_then(|zeros| digits.checked_mul(zeros)) {
            (digits, scale) = (whole, 0);
        }
        (scale.unsigned_abs() <= MAX_SCALE).then_some(Self { digits, scale })
    }

    /// Returns the nearest floating-point number.
    #[must_use]
    pub fn nearest(self) -> f64 {
        self.to_string().parse().unwrap_or(f64::NAN)
    }

    /// Returns the digits of both numbers at the greater scale; `None` for one that overflows.
    fn align(self, other: Self) -> (Option<i128>, Option<i128>) {
        let scale = self.scale.max(other.scale);
        let at = |one: Self| 10_i128.checked_pow(u32::try_from(scale - one.scale).ok()?)?.checked_mul(one.digits);
        (at(self), at(other))
    }

    /// Returns whether it is a multiple of another number; true if that cannot be computed.
    #[must_use]
    pub fn is_multiple_of(self, other: Self) -> bool {
        match self.align(other) {
            (Some(one), Some(other)) => one.checked_rem(other).is_none_or(|rest| rest == 0),
            _ => true,
        }
    }

    /// Returns whether it is greater than another number.
    #[must_use]
    pub fn is_greater_than(self, other: Self) -> bool {
        match self.align(other) {
            (Some(one), Some(other)) => one > other,
            // A number that overflows at the common scale is farther from zero than one that does not.
            (None, _) => self.digits > 0,
            (_, None) => other.digits < 0,
        }
    }
}

impl std::fmt::Display for Decimal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.scale < 0 {
            let digits = self.digits.unsigned_abs().to_string();
            let (first, rest) = digits.split_at(1);
            let exponent = self.scale.unsigned_abs() + u64::try_from(rest.len()).unwrap_or(0);
            let sign = if self.digits < 0 { "-" } else { "" };
            let point = if rest.is_empty() { "" } else { "." };
            return write!(f, "{sign}{first}{point}{rest}e{exponent}");
        }
        let scale = usize::try_from(self.scale).unwrap_or(usize::MAX);
        let digits = format!("{:0>width$}", self.digits.unsigned_abs(), width = scale.saturating_add(1));
        let (whole, fraction) = digits.split_at(digits.len() - scale);
        let sign = if self.digits < 0 { "-" } else { "" };
        let point = if scale > 0 { "." } else { "" };
        write!(f, "{sign}{whole}{point}{fraction}")
    }
}
