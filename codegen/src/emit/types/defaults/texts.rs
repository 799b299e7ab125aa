//! Expressions of values that are text on the wire, taken apart, and of numbers.

use proc_macro2::{Literal as Lit, TokenStream};
use quote::quote;

use crate::emit::rust::{RustTypes, bytes_of, decimal, number as literal};
use crate::model::{Lexical, Number, Type};

/// Returns the expression of a text of a type that is copied, such as a date; `None` for other types.
pub fn copied(ty: &Type, text: &str) -> Option<TokenStream> {
    let constants = quote!(::wireform_runtime::__private::constants);
    Some(match ty {
        Type::Date => date(text),
        Type::DateTime => {
            let (date, time) = (date(text.get(..10)?), time(text.get(11..)?));
            quote!(#constants::date_time(#date, #time))
        }
        Type::Lexical(Lexical::Time) => time(text),
        Type::Duration => {
            let plain = text.trim_end_matches('s');
            let is_negative = plain.starts_with('-');
            let (seconds, fraction) = plain.split_once('.').unwrap_or((plain, ""));
            let (seconds, fraction) = (digits(seconds.trim_start_matches('-')), counted(fraction));
            quote!(#constants::duration(#is_negative, #seconds, #fraction))
        }
        Type::Lexical(Lexical::HttpDate) => http_date(text)?,
        _ => return None,
    })
}

/// Returns the expression of an owned value that is text on the wire.
pub fn owned(rust: &RustTypes<'_>, ty: &Type, text: &str) -> Option<TokenStream> {
    let constants = quote!(::wireform_runtime::__private::constants);
    Some(match ty {
        Type::String => quote!(#text.into()),
        Type::Bytes(encoding) => {
            let (ty, data) = (rust.runtime(&quote!(Bytes)), bytes(text));
            match bytes_of(*encoding) {
                Some(of) => quote!(#ty::#of(vec![#(#data),*])),
                None => quote!(#ty::from(vec![#(#data),*])),
            }
        }
        Type::Lexical(Lexical::Decimal) => quote!(#constants::big_decimal(#text)),
        Type::Lexical(Lexical::IsoDuration) => quote!(#constants::iso_duration(#text)),
        ty if ty.is_decimal_string() => number(ty, text)?,
        ty => copied(ty, text)?,
    })
}

/// Returns the expression of a number of fixed size.
pub fn number(ty: &Type, digits: &str) -> Option<TokenStream> {
    let value = match ty {
        Type::Float | Type::Double => Number::Float(digits.parse().ok()?),
        ty if ty.integer_range().is_some() => Number::Int(digits.parse().ok()?),
        _ => return None,
    };
    Some(decimal(ty, literal(value)))
}

/// Returns the bytes of a base64 text in any alphabet.
pub fn bytes(text: &str) -> Vec<Lit> {
    const ALPHABET: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let plain = text.trim_end_matches('=').replace('-', "+").replace('_', "/");
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for sextet in plain.chars().filter_map(|c| ALPHABET.find(c)) {
        bits = bits << 6 & 0xffff | u32::try_from(sextet).unwrap_or_default();
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(Lit::u32_unsuffixed(bits >> count & 0xff));
        }
    }
    bytes
}

fn date(text: &str) -> TokenStream {
    let [year, month, day] = [0..4, 5..7, 8..10].map(|at| digits(text.get(at).unwrap_or_default()));
    quote!(::wireform_runtime::__private::constants::date(#year, #month, #day))
}

/// Returns the expression of the hour, minute and second.
fn clock(text: &str) -> TokenStream {
    let [hour, minute, second] = [0..2, 3..5, 6..8].map(|at| digits(text.get(at).unwrap_or_default()));
    quote!([#hour, #minute, #second])
}

fn time(text: &str) -> TokenStream {
    let constants = quote!(::wireform_runtime::__private::constants);
    let rest = text.get(8..).unwrap_or_default();
    let (fraction, zone) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count()),
        None => ("", rest),
    };
    let minutes = || {
        let [hours, minutes] = [1..3, 4..6].map(|at| zone.get(at).and_then(|text| text.parse::<u16>().ok()));
        Lit::u16_unsuffixed(hours.unwrap_or_default() * 60 + minutes.unwrap_or_default())
    };
    let zone = match zone.bytes().next() {
        None => quote!(Absent),
        Some(b'Z') => quote!(Utc),
        Some(b'z') => quote!(LowercaseUtc),
        Some(sign) => {
            let (side, minutes) = (if sign == b'-' { quote!(West) } else { quote!(East) }, minutes());
            quote!(#side(#minutes))
        }
    };
    let (clock, fraction) = (clock(text), counted(fraction));
    quote!(#constants::time(#clock, #fraction, #constants::UtcOffset::#zone))
}

/// Returns the expression of a date in HTTP format: `Sun, 06 Nov 1994 08:49:37 GMT`.
fn http_date(text: &str) -> Option<TokenStream> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let month = MONTHS.find(text.get(8..11)?)? / 3 + 1;
    let date = date(&format!("{}-{month:02}-{}", text.get(12..16)?, text.get(5..7)?));
    let clock = clock(text.get(17..25)?);
    Some(quote!(::wireform_runtime::__private::constants::http_date(#date, #clock)))
}

/// Returns decimal digits as a number.
fn digits(text: &str) -> Lit {
    Lit::u64_unsuffixed(text.parse().unwrap_or_default())
}

/// Returns the digits of a fraction as a number, with their count.
fn counted(fraction: &str) -> TokenStream {
    let (number, count) = (digits(fraction), Lit::usize_unsuffixed(fraction.len()));
    quote!((#number, #count))
}
