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
        Some((Ok(shift), _)) => (value.digits % of.digits * pow_mod(10, shift, of.digits)).is_multiple_of(of.digits),
        // Zeros follow the digits of the divisor, which may then exceed any value.
        Some((Err(_), shift)) => match 10_u128.checked_pow(shift).and_then(|zeros| of.digits.checked_mul(zeros)) {
            Some(of) => value.digits.is_multiple_of(of),
            None => value.digits == 0,
        },
        None => false,
    }
}

/// Returns a power modulo `modulus`.
fn pow_mod(base: u128, mut exponent: u32, modulus: u128) -> u128 {
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
