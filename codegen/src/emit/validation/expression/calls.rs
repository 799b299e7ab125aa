//! Function calls.

use proc_macro2::TokenStream;
use quote::quote;

use super::Lower;
use super::code::{Code, Faults, Form, Level};
use crate::model::condition::{CelType, Expr, Function, TimePart};

impl Lower<'_> {
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
        Code::bool(quote!(#receiver.#method(#argument)), Level::Atom, text.faults.max(other.faults))
    }

    fn size(&mut self, of: &Expr) -> Code {
        match of.ty {
            CelType::String => {
                let text = self.value(of);
                let (argument, receiver) = (text.text(), text.receiver());
                let code = Code::atom(quote!(cel::code_points(#argument)), Form::Value);
                Code { empty: Some(quote!(#receiver.is_empty())), ..code.with(text.faults) }
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
                Code { empty, ..Code::atom(tokens, Form::Count).with(items.faults) }
            }
            _ => {
                let value = self.value(of);
                let receiver = if of.ty == CelType::Bytes { super::operators::slice(&value) } else { value.receiver() };
                let code = Code::atom(quote!(#receiver.len()), Form::Count).with(value.faults);
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
        let wide = value.wide(first.ty == CelType::Uint);
        let whole = |code: Option<&(Code, &CelType)>| code.map_or_else(|| quote!(0), |(code, _)| code.wide(false));
        let format = |name: TokenStream| {
            Code::bool(quote!(::wireform_validation::__private::formats::#name(#text)), Level::Atom, faults)
        };
        let cel = |tokens: TokenStream| Code::atom(quote!(cel::#tokens), Form::Value).with(faults);
        let receiver = value.receiver();
        match function {
            Function::IsEmail => format(quote!(is_email)),
            Function::IsUri => format(quote!(uri)),
            Function::IsUriRef => format(quote!(uri_reference)),
            Function::IsHostname => format(quote!(hostname)),
            Function::IsTimeZone => format(quote!(time_zone)),
            Function::IsUuid => format(quote!(uuid)),
            Function::IsDate => cel(quote!(is_date(#text))),
            Function::IsDateTime => cel(quote!(is_date_time(#text))),
            Function::IsIp => {
                let version = whole(second.as_ref());
                cel(quote!(is_ip(#text, #version)))
            }
            Function::IsHostAndPort => {
                let required = second.map_or_else(|| quote!(false), |(code, _)| code.tokens);
                let tokens = quote!(::wireform_validation::__private::formats::host_and_port(#text, #required));
                Code::bool(tokens, Level::Atom, faults)
            }
            Function::IsNan => Code::bool(quote!(f64::is_nan(#wide)), Level::Atom, faults),
            Function::IsInf => {
                let sign = whole(second.as_ref());
                cel(quote!(is_inf(#wide, #sign)))
            }
            Function::HasOffset => Code::bool(quote!(#receiver.has_offset()), Level::Atom, faults),
            Function::ToText => self.to_text(first, &value),
            Function::ToDate if first.ty == CelType::Timestamp => {
                Code::atom(quote!(#receiver.date()), Form::Value).with(faults)
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
            _ => value.wide(first.ty == CelType::Uint),
        };
        let name = match function {
            Function::ToInt => quote!(to_int),
            Function::ToUint => quote!(to_uint),
            Function::ToDouble => quote!(to_double),
            Function::ToTimestamp if first.ty == CelType::Int => quote!(timestamp_of),
            Function::ToTimestamp => quote!(timestamp),
            Function::ToDuration => quote!(duration),
            _ => quote!(date),
        };
        Code::atom(quote!(cel::#name(#argument)?), Form::Value).with(Faults::Any)
    }

    fn to_text(&self, of: &Expr, value: &Code) -> Code {
        let wide = value.wide(of.ty == CelType::Uint);
        let made = match of.ty {
            CelType::String => return value.clone(),
            CelType::Enum(_) => return Code::atom(self.enum_text(value), Form::Str).with(value.faults),
            CelType::Double => quote!(cel::text_of_double(#wide)),
            CelType::Duration => quote!(cel::text_of_duration(#wide)),
            CelType::Int | CelType::Uint => {
                let wide = value.wide_within(of.ty == CelType::Uint, Level::Atom);
                quote!(#wide.to_string())
            }
            _ => {
                let receiver = value.receiver();
                quote!(#receiver.to_string())
            }
        };
        Code::atom(made, Form::Owned).with(value.faults)
    }

    fn ip_prefix(&mut self, text: &Expr, rest: &[Expr]) -> Code {
        let text = self.value(text);
        let mut faults = text.faults;
        let (mut version, mut strict) = (quote!(0), quote!(false));
        for argument in rest {
            let code = self.value(argument);
            faults = faults.max(code.faults);
            if argument.ty == CelType::Bool { strict = code.tokens } else { version = code.wide(false) }
        }
        let text = text.text();
        Code::bool(quote!(cel::is_ip_prefix(#text, #version, #strict)), Level::Atom, faults)
    }

    /// Returns a component of a timestamp, of a date or of a duration.
    fn part(&mut self, part: TimePart, time: &Expr, zone: Option<&Expr>) -> Code {
        let value = self.value(time);
        let zone = zone.map(|zone| self.value(zone));
        let (tokens, cel) = (&value.tokens, quote!(cel));
        let (shown, faults) = match (&time.ty, &zone) {
            (CelType::Duration, _) => {
                let name = match part {
                    TimePart::Hours => quote!(whole_hours),
                    TimePart::Minutes => quote!(whole_minutes),
                    TimePart::Seconds => quote!(whole_seconds),
                    _ => {
                        let tokens = quote!(i64::from(#tokens.subsec_millis()));
                        return Code::atom(tokens, Form::Value).with(value.faults);
                    }
                };
                return Code::atom(quote!(#cel::#name(#tokens)), Form::Value).with(value.faults);
            }
            (CelType::Date, _) => (quote!(#cel::of_date(#tokens)), value.faults),
            (_, None) => (quote!(#cel::utc(#tokens)?), Faults::Any),
            (_, Some(zone)) => {
                let zone = zone.text();
                (quote!(#cel::in_zone(#tokens, #zone)?), Faults::Any)
            }
        };
        let name = match part {
            TimePart::FullYear => quote!(DateParts::full_year(&#shown)),
            TimePart::Month => quote!(DateParts::month_index(&#shown)),
            TimePart::DayOfMonth => {
                let tokens = quote!(#cel::DateParts::day_number(&#shown) - 1);
                return Code::atom(tokens, Form::Value).at(Level::Sum).with(faults);
            }
            TimePart::Date => quote!(DateParts::day_number(&#shown)),
            TimePart::DayOfWeek => quote!(day_of_week(#shown)),
            TimePart::DayOfYear => quote!(day_of_year(#shown)),
            TimePart::Hours => quote!(hours(#shown)),
            TimePart::Minutes => quote!(minutes(#shown)),
            TimePart::Seconds => quote!(seconds(#shown)),
            TimePart::Milliseconds => quote!(milliseconds(#shown)),
        };
        Code::atom(quote!(#cel::#name), Form::Value).with(faults)
    }
}
