//! Multiples of floating-point numbers.
//!
//! A schema with `multiple_of: 0.01` means the decimal number, which no float represents. So both numbers are converted
//! to the shortest decimal numbers that identify them, and divided exactly.

use std::fmt::{LowerExp, Write};

/// Decimal number without its sign: `digits` times ten to the power of `exponent`. A float has at most 17 digits.
#[derive(Clone, Copy)]
struct ShortestDecimal {
    digits: u128,
    exponent: i32,
}

/// Returns whether `value` is a multiple of `of`. Nothing is a multiple of zero, of an infinity, or of NaN.
pub fn is_multiple(value: &impl LowerExp, of: &impl LowerExp) -> bool {
    let (Some(value), Some(of)) = (shortest(value), shortest(of)) else { return false };
    if of.digits == 0 {
        return false;
    }
    match value.exponent.checked_sub(of.exponent).map(|shift| (u32::try_from(shift), shift.unsigned_abs())) {
        // Zeros follow the digits of the value: modular arithmetic stays below 10^34.
        Some((Ok(shift), _)) => {
            (value.digits % of.digits * pow_mod(10, shift.into(), of.digits)).is_multiple_of(of.digits)
        }
        // Zeros follow the digits of the divisor, which may then exceed any value.
        Some((Err(_), shift)) => match 10_u128.checked_pow(shift).and_then(|zeros| of.digits.checked_mul(zeros)) {
            Some(of) => value.digits.is_multiple_of(of),
            None => value.digits == 0,
        },
        None => false,
    }
}

/// Returns a power modulo `modulus`.
fn pow_mod(base: u128, mut exponent: u128, modulus: u128) -> u128 {
    let (mut result, mut base) = (1 % modulus, base % modulus);
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        exponent /= 2;
    }
    result
}

/// Converts to the float with the same shortest digits, so that `0.1` remains `0.1`.
pub fn widen(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::NAN)
}

/// Returns whether a JSON number of any size and precision is a multiple of `of`, which has at most 19 digits.
pub fn is_multiple_text(value: &str, of: &str) -> bool {
    let Some((mut of, zeros_of)) = significant(of) else { return false };
    let Some(of) = of.try_fold(0_u64, |of, digit| of.checked_mul(10)?.checked_add(digit.into())) else {
        return false;
    };
    // Zero is a multiple of every number.
    let Some((digits, zeros)) = significant(value) else { return true };
    // A number whose last digit is in a lower place than that of the divisor is no multiple of it.
    let Ok(shift) = u128::try_from(zeros - zeros_of) else { return false };
    let of = u128::from(of);
    let rest = digits.fold(0, |rest, digit| (rest * 10 + u128::from(digit)) % of);
    (rest * pow_mod(10, shift, of)).is_multiple_of(of)
}

/// Returns the digits of a JSON number from the first to the last that is not zero, and the power of ten of the last;
/// `None` for zero.
fn significant(text: &str) -> Option<(impl Iterator<Item = u8>, i128)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.trim_start_matches('-').split_once('.').unwrap_or((mantissa, ""));
    let digits = || whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit).map(|byte| byte - b'0');
    let last = digits().enumerate().filter(|(_, digit)| *digit != 0).last()?.0;
    let zeros = digits().count() - 1 - last;
    // Larger than the number of bytes of any text, and well within the limits of the type.
    const MAX_EXPONENT: i128 = 1 << 100;
    let limit = if exponent.starts_with('-') { -MAX_EXPONENT } else { MAX_EXPONENT };
    let exponent = exponent.parse().unwrap_or(limit).clamp(-MAX_EXPONENT, MAX_EXPONENT);
    let power = i128::try_from(zeros).ok()? - i128::try_from(fraction.len()).ok()? + exponent;
    Some((digits().take(last + 1).skip_while(|digit| *digit == 0), power))
}

/// Returns the shortest decimal number that parses to the absolute value; `None` if the value is not finite.
fn shortest(value: &impl LowerExp) -> Option<ShortestDecimal> {
    let mut text = StackText { bytes: [0; 32], len: 0 };
    write!(text, "{value:e}").ok()?;
    let text = std::str::from_utf8(text.bytes.get(..text.len)?).ok()?;
    let (mantissa, exponent) = text.split_once('e')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (mut digits, mut fraction, mut in_fraction) = (0_u128, 0, false);
    for byte in mantissa.bytes().skip_while(|byte| *byte == b'-') {
        if byte == b'.' {
            in_fraction = true;
        } else {
            digits = digits * 10 + u128::from(byte.wrapping_sub(b'0'));
            fraction += i32::from(in_fraction);
        }
    }
    Some(ShortestDecimal { digits, exponent: exponent - fraction })
}

/// Short text on the stack.
struct StackText {
    bytes: [u8; 32],
    len: usize,
}

impl Write for StackText {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let end = self.len + text.len();
        let slots = self.bytes.get_mut(self.len..end).ok_or(std::fmt::Error)?;
        slots.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_precision_are_divided_exactly() {
        for (value, of) in [
            ("0.30", "0.1"),
            ("-4.50", "1.5"),
            ("0", "7"),
            ("-0.00e5", "0.1"),
            ("12345678901234567890.12", "0.01"),
            ("1e400", "0.5"),
            ("6e999999999", "3"),
            ("5.0", "5"),
            ("1e999999999999999999999999999999999999999999", "2"),
            ("100", "1e2"),
            ("18446744073709551615", "18446744073709551615"),
        ] {
            assert!(is_multiple_text(value, of), "{value} {of}");
        }
        for (value, of) in [
            ("0.1000000000000000000000001", "0.1"),
            ("5.5", "5"),
            ("1e-999999999999999999999999999999999999999999", "0.1"),
            ("7e999999999", "3"),
            ("1", "0"),
            ("50", "1e2"),
            ("1", "184467440737095516150000000000000000000001"),
        ] {
            assert!(!is_multiple_text(value, of), "{value} {of}");
        }
    }

    #[test]
    fn decimal_numbers_are_divided_exactly() {
        for (value, of) in [
            (0.3, 0.1),
            (4.02, 0.01),
            (0.0075, 0.0001),
            (1e308, 0.5),
            (12_391_239_123.0, 1e-8),
            (-4.5, 1.5),
            (0.0, 1e300),
            (-0.0, 0.1),
            (1e-5, 1e-6),
            (5e-324, 5e-324),
        ] {
            assert!(is_multiple(&value, &of), "{value} {of}");
        }
        for (value, of) in [
            (0.00751, 0.0001),
            (35.0, 1.5),
            (1e308, 0.123_456_789),
            (1.0, 0.0),
            (0.0, 0.0),
            (1.0, 1e300),
            (f64::NAN, 1.0),
            (f64::INFINITY, 1.0),
            (1.0, f64::INFINITY),
        ] {
            assert!(!is_multiple(&value, &of), "{value} {of}");
        }
        assert!(is_multiple(&0.3_f32, &0.1_f32));
        assert!(!is_multiple(&0.35_f32, &0.1_f32));
        assert_eq!(widen(0.1), 0.1);
    }
}
