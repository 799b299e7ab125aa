//! Function calls.

use proc_macro2::TokenStream;
use quote::quote;

use super::ConditionEmitter;
use super::code::{Code, Faults, Precedence, Representation};
use crate::model::condition::{CelType, Expr, Function, TimePart};

impl ConditionEmitter<'_> {
    /// Emits the call of a function with its first argument, which is the receiver of a method, and the others.
    pub fn call(&mut self, function: Function, first: &Expr, rest: &[Expr]) -> Code {
        match (function, rest) {
            (Function::Size, []) => self.size(first),
            (Function::Unique, []) => self.unique(first),
            (Function::Part(part), zone) => self.part(part, first, zone.first()),
            (Function::StartsWith, [other]) => self.text_method(&quote!(starts_with), first, other),
            (Function::EndsWith, [other]) => self.text_method(&quote!(ends_with), first, other),
            (Function::Contains, [other]) => self.text_method(&quote!(contains), first, other),
            (Function::IsIpPrefix, rest) => self.ip_prefix(first, rest),
            (_, rest) => self.plain_call(function, first, rest.first()),
        }
    }

    fn text_method(&mut self, method: &TokenStream, text: &Expr, other: &Expr) -> Code {
        let (text, other) = (self.value(text), self.value(other));
        let (receiver, argument) = (text.receiver(), other.text());
        // `&&String` is not a `Pattern`; `&String` and `&str` are.
        Code::bool(quote!(#receiver.#method(#argument)), Precedence::Atom, text.faults.max(other.faults))
    }

    /// Emits the size of a string in code points, of bytes, or of a list or map; with a test whether it is 0.
    fn size(&mut self, of: &Expr) -> Code {
        match of.ty {
            CelType::String => {
                let text = self.value(of);
                let (argument, receiver) = (text.text(), text.receiver());
                let code = Code::atom(quote!(cel::code_points(#argument)), Representation::Value);
                Code { empty: Some(quote!(#receiver.is_empty())), ..code.with_faults(text.faults) }
            }
            CelType::List(_) => {
                let items = self.items(of);
                let tokens = match &items.slice {
                    Some(slice) => quote!(#slice.len()),
                    None => {
                        let all = &items.tokens;
                        quote!(#all.count())
                    }
                };
                let empty = items.slice.as_ref().map(|slice| quote!(#slice.is_empty()));
                Code { empty, ..Code::atom(tokens, Representation::Count).with_faults(items.faults) }
            }
            _ => {
                let value = self.value(of);
                let receiver = if of.ty == CelType::Bytes { super::operators::slice(&value) } else { value.receiver() };
                let code = Code::atom(quote!(#receiver.len()), Representation::Count).with_faults(value.faults);
                Code { empty: Some(quote!(#receiver.is_empty())), ..code }
            }
        }
    }

    /// Returns the call of a runtime function.
    fn plain_call(&mut self, function: Function, first: &Expr, second: Option<&Expr>) -> Code {
        let value = self.value(first);
        let second = second.map(|second| (self.value(second), &second.ty));
        let faults = second.as_ref().map_or(value.faults, |(code, _)| code.faults.max(value.faults));
        let text = value.text();
        let wide = value.as_64_bit(first.ty == CelType::Uint);
        let whole = |code: Option<&(Code, &CelType)>| code.map_or_else(|| quote!(0), |(code, _)| code.as_64_bit(false));
        let format = |name: TokenStream| {
            Code::bool(quote!(::wireform_validation::__private::formats::#name(#text)), Precedence::Atom, faults)
        };
        let cel = |tokens: TokenStream| Code::atom(quote!(cel::#tokens), Representation::Value).with_faults(faults);
        let receiver = value.receiver();
        match function {
            Function::IsEmail => format(quote!(is_html_email)),
            Function::IsUri => format(quote!(is_uri)),
            Function::IsUriRef => format(quote!(is_uri_reference)),
            Function::IsHostname => format(quote!(is_hostname)),
            Function::IsTimeZone => format(quote!(is_time_zone)),
            Function::IsUuid => format(quote!(is_uuid)),
            Function::IsDate => cel(quote!(is_date(#text))),
            Function::IsDateTime => cel(quote!(is_date_time(#text))),
            Function::IsIp => {
                let version = whole(second.as_ref());
                cel(quote!(is_ip(#text, #version)))
            }
            Function::IsHostAndPort => {
                let required = second.map_or_else(|| quote!(false), |(code, _)| code.tokens);
                let tokens = quote!(::wireform_validation::__private::formats::is_host_and_port(#text, #required));
                Code::bool(tokens, Precedence::Atom, faults)
            }
            Function::IsNan => Code::bool(quote!(f64::is_nan(#wide)), Precedence::Atom, faults),
            Function::IsInf => {
                let sign = whole(second.as_ref());
                cel(quote!(is_inf(#wide, #sign)))
            }
            Function::HasOffset => Code::bool(quote!(#receiver.has_offset()), Precedence::Atom, faults),
            Function::ToText => self.to_text(first, &value),
            Function::ToDate if first.ty == CelType::Timestamp => {
                Code::atom(quote!(#receiver.date()), Representation::Value).with_faults(faults)
            }
            _ => self.conversion(function, first, &value),
        }
    }

    /// Returns a conversion that can fail.
    fn conversion(&self, function: Function, first: &Expr, value: &Code) -> Code {
        let own = match function {
            Function::ToInt => CelType::Int,
            Function::ToUint => CelType::Uint,
            Function::ToDouble => CelType::Double,
            Function::ToTimestamp => CelType::Timestamp,
            Function::ToDuration => CelType::Duration,
            _ => CelType::Date,
        };
        if first.ty == own {
            return value.clone();
        }
        let argument = match first.ty {
            CelType::String => value.str(),
            _ => value.as_64_bit(first.ty == CelType::Uint),
        };
        let name = match function {
            Function::ToInt => quote!(to_int),
            Function::ToUint => quote!(to_uint),
            Function::ToDouble => quote!(to_double),
            Function::ToTimestamp if first.ty == CelType::Int => quote!(timestamp_from_seconds),
            Function::ToTimestamp => quote!(timestamp),
            Function::ToDuration => quote!(duration),
            _ => quote!(date),
        };
        Code::atom(quote!(cel::#name(#argument)?), Representation::Value).with_faults(Faults::Any)
    }

    fn to_text(&self, of: &Expr, value: &Code) -> Code {
        let wide = value.as_64_bit(of.ty == CelType::Uint);
        let made = match of.ty {
            CelType::String => return value.clone(),
            CelType::Enum(_) => {
                return Code::atom(self.enum_text(value), Representation::Str).with_faults(value.faults);
            }
            CelType::Double => quote!(cel::format_double(#wide)),
            CelType::Duration => quote!(cel::format_duration(#wide)),
            CelType::Int | CelType::Uint => {
                let wide = value.as_64_bit_parenthesized(of.ty == CelType::Uint, Precedence::Atom);
                quote!(#wide.to_string())
            }
            _ => {
                let receiver = value.receiver();
                quote!(#receiver.to_string())
            }
        };
        Code::atom(made, Representation::Owned).with_faults(value.faults)
    }

    fn ip_prefix(&mut self, text: &Expr, rest: &[Expr]) -> Code {
        let text = self.value(text);
        let mut faults = text.faults;
        let (mut version, mut strict) = (quote!(0), quote!(false));
        for argument in rest {
            let code = self.value(argument);
            faults = faults.max(code.faults);
            if argument.ty == CelType::Bool { strict = code.tokens } else { version = code.as_64_bit(false) }
        }
        let text = text.text();
        Code::bool(quote!(cel::is_ip_prefix(#text, #version, #strict)), Precedence::Atom, faults)
    }

    /// Returns a component of a timestamp, of a date or of a duration.
    fn part(&mut self, part: TimePart, time: &Expr, zone: Option<&Expr>) -> Code {
        let value = self.value(time);
        let zone = zone.map(|zone| self.value(zone));
        let (tokens, cel) = (&value.tokens, quote!(cel));
        let (formatted, faults) = match (&time.ty, &zone) {
            (CelType::Duration, _) => {
                let name = match part {
                    TimePart::Hours => quote!(whole_hours),
                    TimePart::Minutes => quote!(whole_minutes),
                    TimePart::Seconds => quote!(whole_seconds),
                    _ => {
                        let tokens = quote!(i64::from(#tokens.subsec_millis()));
                        return Code::atom(tokens, Representation::Value).with_faults(value.faults);
                    }
                };
                return Code::atom(quote!(#cel::#name(#tokens)), Representation::Value).with_faults(value.faults);
            }
            (CelType::Date, _) => (quote!(#cel::start_of_day(#tokens)), value.faults),
            (_, None) => (quote!(#cel::to_utc(#tokens)?), Faults::Any),
            (_, Some(zone)) => {
                let zone = zone.text();
                (quote!(#cel::to_zone(#tokens, #zone)?), Faults::Any)
            }
        };
        let name = match part {
            TimePart::FullYear => quote!(DateParts::full_year(&#formatted)),
            TimePart::Month => quote!(DateParts::month_index(&#formatted)),
            TimePart::DayOfMonth => {
                let tokens = quote!(#cel::DateParts::day_number(&#formatted) - 1);
                return Code::atom(tokens, Representation::Value).with_precedence(Precedence::Sum).with_faults(faults);
            }
            TimePart::Date => quote!(DateParts::day_number(&#formatted)),
            TimePart::DayOfWeek => quote!(day_of_week(#formatted)),
            TimePart::DayOfYear => quote!(day_of_year(#formatted)),
            TimePart::Hours => quote!(hours(#formatted)),
            TimePart::Minutes => quote!(minutes(#formatted)),
            TimePart::Seconds => quote!(seconds(#formatted)),
            TimePart::Milliseconds => quote!(milliseconds(#formatted)),
        };
        Code::atom(quote!(#cel::#name), Representation::Value).with_faults(faults)
    }
}
