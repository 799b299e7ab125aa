//! Parameters of a request as values of their types.

use std::borrow::Cow;

use http::request::Parts;
use wireform_runtime::operation::{
    Delimiter, Operation, Parameter, ParameterLocation, Segment, SegmentPart, SegmentPattern,
};
use wireform_runtime::{
    __private::{FromParameters, ParameterTexts},
    ParameterError,
};
use wireform_validation::__private::{Location, RequestReader};

use super::expansion;
use super::query::{ParameterRef, QueryPair};
use crate::cookies::cookies;
use crate::routes::Captures;
use wireform_runtime::http::percent::{DecodedText, decode, decode_form};

/// Reason of a repeated parameter.
pub(super) const DUPLICATE_PARAMETER: &str = "duplicate_parameter";
/// Rule of a parameter that cannot be parsed.
pub(super) const UNREADABLE_PARAMETER: &str = "type";

/// Request whose parts with parameters are known.
pub(crate) struct RequestParameters<'r> {
    pub(crate) operation: &'static Operation,
    pub(crate) captures: &'r Captures,
    pub(crate) parts: &'r Parts,
    pub(crate) query: Vec<QueryPair<'r>>,
}

/// Parameters of a request. Generated code takes them one after the other, in the order of the operation. Those with a
/// constant value are skipped, because they are not fields of the request.
pub struct Parameters<'r, 'u> {
    pub(super) wire: &'r RequestParameters<'r>,
    pub(super) unread: &'u mut RequestReader,
    /// Index of the parameter that is taken next, unless it has a constant value.
    next: usize,
}

impl<'r, 'u> Parameters<'r, 'u> {
    pub(super) const fn new(wire: &'r RequestParameters<'r>, unread: &'u mut RequestReader) -> Self {
        Self { wire, unread, next: 0 }
    }

    /// Returns the index of the next parameter.
    pub(super) fn next_index(&mut self) -> usize {
        let constants = self.wire.operation.parameters.iter().skip(self.next).take_while(|it| it.constant.is_some());
        let index = self.next + constants.count();
        self.next = index + 1;
        index
    }

    /// Parses the next parameter. If it is missing or invalid, a violation is recorded, and a default value is
    /// returned.
    pub fn take<T: FromParameters>(&mut self) -> T {
        let index = self.next_index();
        self.value(index)
    }

    /// Reads the parameter with this index in the operation.
    fn value<T: FromParameters>(&mut self, index: usize) -> T {
        let Some(parameter) = self.wire.operation.parameters.get(index) else {
            // There is no such parameter; generated code never takes one.
            return self.read(Location::parameter(""), &mut std::iter::empty());
        };
        match parameter.location {
            ParameterLocation::Path => self.read_path(parameter),
            ParameterLocation::Query => self.read_query(index, parameter),
            ParameterLocation::Header => self.read_headers(parameter),
            ParameterLocation::Cookie => self.read_cookies(parameter),
        }
    }

    /// Parses the next parameter, clamped to a maximum.
    pub fn clamped<T: FromParameters + PartialOrd>(&mut self, most: T) -> T {
        let value: T = self.take();
        if value > most { most } else { value }
    }

    /// Parses the next parameter, which may be absent, clamped to a maximum.
    pub fn clamped_optional<T: PartialOrd>(&mut self, most: T) -> Option<T>
    where
        Option<T>: FromParameters,
    {
        let value: Option<T> = self.take();
        value.map(|value| if value > most { most } else { value })
    }

    /// Checks the parameters with a constant value, which are not fields of requests.
    pub(super) fn check_constants(&mut self) {
        for (index, parameter) in self.wire.operation.parameters.iter().enumerate() {
            let Some(constant) = parameter.constant else { continue };
            let at = match parameter.location {
                ParameterLocation::Path | ParameterLocation::Query => Location::parameter(parameter.name.name),
                ParameterLocation::Header | ParameterLocation::Cookie => Location::header(parameter.name.name),
            };
            let reported = self.unread.count();
            let given: Option<String> = self.value(index);
            match given {
                // It is repeated or not a valid text, which was reported already.
                _ if self.unread.count() > reported => {}
                None if constant.required => self.unread.missing_parameter(at),
                Some(given) if !constant.matches(&given) => {
                    self.unread.reject(at, "constant", format!("must be {:?}", constant.text.name));
                }
                _ => {}
            }
        }
    }

    /// Reads a parameter from the path.
    fn read_path<T: FromParameters>(&mut self, parameter: &'static Parameter) -> T {
        let RequestParameters { operation, captures, parts, .. } = self.wire;
        let raw = captures.variable_text(operation, parts.uri.path(), parameter.name.name);
        let fills = operation.path.iter().find(|segment| segment.has_parameter(parameter.name.name)).copied();
        if let (Some(expansion), Some(raw)) = (parameter.expansion, raw) {
            let texts = expansion::split_values(expansion, parameter, raw, T::IS_LIST);
            return self.read(Location::parameter(parameter.name.name), &mut texts.into_iter());
        }
        if T::IS_LIST {
            // Split before decoding: an encoded comma is part of an element.
            let mut texts = raw.into_iter().flat_map(|raw| raw.split(',')).map(decode);
            return self.read(Location::parameter(parameter.name.name), &mut texts);
        }
        let mut texts = raw.into_iter().map(|raw| decode(raw).and_then(|text| check_path_variable(text, fills)));
        self.read(Location::parameter(parameter.name.name), &mut texts)
    }

    /// Reads the parameter with this index in the operation from the query.
    fn read_query<T: FromParameters>(&mut self, index: usize, parameter: &'static Parameter) -> T {
        let at = Location::parameter(parameter.name.name);
        let pairs = self.wire.query.iter().filter(|pair| pair.slot == ParameterRef::Operation(index));
        let mut others = pairs.clone();
        let first = others.next();
        let by_name = first.is_some_and(|pair| pair.by_name);
        if let (Some(_), Some(second)) = (first, others.next())
            && (!T::IS_LIST || second.by_name != by_name || others.any(|other| other.by_name != by_name))
        {
            return self.duplicate(at, T::IS_LIST);
        }
        match parameter.delimiter.filter(|_| T::IS_LIST) {
            // Split before decoding: an encoded comma is part of a value (RFC 6570, section 3.2.1).
            Some(Delimiter::Comma) => self.read(at, &mut pairs.flat_map(|pair| pair.value.split(',')).map(decode_form)),
            // Split after decoding: a URL can hold the other delimiters only encoded (RFC 3986, section 2).
            Some(delimiter) => {
                self.read(at, &mut pairs.flat_map(|pair| split_list(decode_form(pair.value), delimiter.character())))
            }
            None => self.read(at, &mut pairs.map(|pair| decode_form(pair.value))),
        }
    }

    /// Reads a parameter from the headers, by its name or one of its aliases.
    fn read_headers<T: FromParameters>(&mut self, parameter: &'static Parameter) -> T {
        let at = Location::header(parameter.name.name);
        let headers = &self.wire.parts.headers;
        let spellings = || std::iter::once(&parameter.name.name).chain(parameter.name.aliases);
        let lines = spellings().map(|name| headers.get_all(*name).iter().count());
        if lines.clone().filter(|lines| *lines > 0).count() > 1 || (!T::IS_LIST && lines.sum::<usize>() > 1) {
            return self.duplicate(at, T::IS_LIST);
        }
        let values = spellings().flat_map(|name| headers.get_all(*name));
        if T::IS_LIST && parameter.delimiter == Some(Delimiter::Comma) {
            let texts = values.flat_map(|value| match value.to_str() {
                Ok(line) => line.split(',').map(|piece| Ok(Cow::Borrowed(piece.trim_ascii()))).collect(),
                Err(_) => vec![Err("must be visible ASCII")],
            });
            // Empty elements are ignored (RFC 9110, section 5.6.1.2).
            let mut texts = texts.filter(|text| text.as_ref().map_or(true, |text| !text.is_empty()));
            return self.read(at, &mut texts);
        }
        let mut texts = values.map(|value| value.to_str().map(Cow::Borrowed).map_err(|_| "must be visible ASCII"));
        self.read(at, &mut texts)
    }

    /// Reads a parameter from the cookies, by its name or one of its aliases.
    fn read_cookies<T: FromParameters>(&mut self, parameter: &'static Parameter) -> T {
        let at = Location::header(parameter.name.name);
        let matching = cookies(&self.wire.parts.headers).filter(|(name, _)| parameter.name.matches(name));
        let found: Vec<(&str, &str)> = matching.collect();
        if let [(first, _), others @ ..] = found.as_slice()
            && others.iter().any(|(name, _)| !T::IS_LIST || name != first)
        {
            return self.duplicate(at, T::IS_LIST);
        }
        let delimiter = parameter.delimiter.filter(|_| T::IS_LIST);
        let values = found.into_iter().flat_map(|(_, value)| match delimiter {
            Some(delimiter) => split_list(Ok(Cow::Borrowed(value)), delimiter.character()),
            None => vec![Ok(Cow::Borrowed(value))],
        });
        self.read(at, &mut { values })
    }

    /// Parses decoded texts as a value, and records violations at the location.
    fn read<T: FromParameters>(
        &mut self,
        at: Location<'static>,
        texts: &mut dyn Iterator<Item = DecodedText<'r>>,
    ) -> T {
        T::from_parameters(&mut TextReader {
            at,
            texts,
            list: T::IS_LIST,
            count: 0,
            has_violation: false,
            unread: self.unread,
        })
    }

    /// Reports a repeated parameter.
    #[cold]
    fn duplicate<T: FromParameters>(&mut self, at: Location<'static>, list: bool) -> T {
        let message = if list { "must not be repeated with an alias" } else { "must not be repeated" };
        self.unread.reject_parameter(at, DUPLICATE_PARAMETER, message);
        let texts = &mut std::iter::empty();
        T::from_parameters(&mut TextReader { at, texts, list, count: 0, has_violation: true, unread: self.unread })
    }
}

/// Splits the values of a list in one text.
fn split_list(text: DecodedText<'_>, delimiter: char) -> Vec<DecodedText<'_>> {
    match text {
        Ok(Cow::Borrowed(text)) => text.split(delimiter).map(|value| Ok(Cow::Borrowed(value))).collect(),
        Ok(Cow::Owned(text)) => text.split(delimiter).map(|value| Ok(Cow::Owned(value.to_owned()))).collect(),
        Err(why) => vec![Err(why)],
    }
}

/// Checks a decoded path variable. Dot segments are refused: some servers in front resolve them, so that they lead
/// elsewhere (RFC 3986, section 3.3).
fn check_path_variable(text: Cow<'_, str>, fills: Option<Segment>) -> DecodedText<'_> {
    let dots = |segment: &str| matches!(segment, "." | "..");
    let slashes = matches!(fills, Some(Segment::CatchAll(_) | Segment::Pattern(..)));
    let lost = if slashes { text.split('/').any(|part| part.is_empty() || dots(part)) } else { dots(&text) };
    match fills {
        // With text next to it, a variable cannot be a dot segment, unless the text is a dot too.
        Some(Segment::Parts(parts)) if parts.len() > 2 || !parts.contains(&SegmentPart::Text(".")) => Ok(text),
        _ if lost => Err("must not be `.` or `..`"),
        // The path has as many segments as the name; with an encoded slash in a segment, it is another name.
        Some(Segment::Pattern(_, pieces)) if !SegmentPattern::match_path(pieces, &text) => {
            Err("must not contain an encoded `/`")
        }
        _ => Ok(text),
    }
}

/// Texts of one parameter, for its parser.
struct TextReader<'t, 'u, 'i> {
    at: Location<'static>,
    texts: &'i mut dyn Iterator<Item = DecodedText<'t>>,
    list: bool,
    /// Number of texts so far.
    count: usize,
    /// True if a violation was recorded, so that a missing value is not reported as well.
    has_violation: bool,
    unread: &'u mut RequestReader,
}

impl TextReader<'_, '_, '_> {
    /// Records a violation at the last text: at an element if the parameter is a list.
    #[cold]
    fn record_violation(&mut self, message: Cow<'static, str>) {
        self.has_violation = true;
        let place = self.count.saturating_sub(1);
        if self.list {
            self.unread.reject_parameter(self.at.index(place), UNREADABLE_PARAMETER, message);
        } else {
            self.unread.reject_parameter(self.at, UNREADABLE_PARAMETER, message);
        }
    }
}

impl<'t> ParameterTexts<'t> for TextReader<'t, '_, '_> {
    fn next_text(&mut self) -> Option<Cow<'t, str>> {
        loop {
            let text = self.texts.next()?;
            self.count += 1;
            match text {
                Ok(text) => return Some(text),
                Err(message) => self.record_violation(Cow::Borrowed(message)),
            }
        }
    }

    fn reject(&mut self, error: ParameterError) {
        self.record_violation(Cow::Owned(error.to_string()));
    }

    fn report_missing(&mut self) {
        if !self.has_violation {
            self.unread.missing_parameter(self.at);
        }
    }
}
