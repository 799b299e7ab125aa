//! What headers say of the body and of the answer.

use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use wireform_runtime::etag::ETagCondition;
use wireform_validation::{At, Unread};

use crate::error::{self, Error};

/// Refuses a body that is no JSON (415), or is encoded.
///
/// # Errors
/// When the headers say so. A body that nothing is said of counts as JSON.
pub(super) fn check_content(headers: &HeaderMap, types: &'static [&'static str]) -> Result<(), Error> {
    if headers.get_all(CONTENT_ENCODING).iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity")) {
        let error = Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body must not be encoded");
        // RFC 9110, section 15.5.16.
        let error = error.with_header(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        return Err(error.at(error::At::Header("Content-Encoding".into())));
    }
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let Some(value) = values.next() else { return Ok(()) };
    let supported = value.to_str().is_ok_and(|value| is_content(value, types));
    if supported && values.next().is_none() { Ok(()) } else { Err(unsupported(types)) }
}

#[cold]
fn unsupported(types: &'static [&'static str]) -> Error {
    let list = types.join(", ");
    let message = format!("the type of the body must be {list} in UTF-8");
    let error = Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
    let error = error.at(error::At::Header("Content-Type".into()));
    match HeaderValue::from_str(&list) {
        Ok(list) => error.with_header(ACCEPT, list),
        Err(_) => error,
    }
}

/// Whether the type of a body is one of these, in UTF-8 (RFC 9110, section 8.3.1).
fn is_content(value: &str, types: &[&str]) -> bool {
    if types.contains(&value) {
        return true;
    }
    let mut parts = value.split(';');
    let essence = parts.next().unwrap_or_default().trim_ascii();
    let utf8 = |parameter: &str| match parameter.split_once('=') {
        Some((name, charset)) if name.trim_ascii().eq_ignore_ascii_case("charset") => {
            let charset = charset.trim_ascii();
            charset
                .strip_prefix('"')
                .and_then(|text| text.strip_suffix('"'))
                .unwrap_or(charset)
                .eq_ignore_ascii_case("utf-8")
        }
        _ => true,
    };
    types.iter().any(|known| known.eq_ignore_ascii_case(essence)) && parts.all(utf8)
}

/// Refuses a request whose answer cannot be JSON (406).
///
/// # Errors
/// When `Accept` says so.
pub(super) fn check_accept(headers: &HeaderMap) -> Result<(), Error> {
    let mut best: Option<(u8, bool)> = None;
    for value in headers.get_all(ACCEPT) {
        // What cannot be read excludes nothing.
        let Ok(text) = value.to_str() else { return Ok(()) };
        for range in text.split(',') {
            let (precision, accepted) = match json_range(range) {
                Some(range) => range,
                None if range.trim_ascii().is_empty() => continue,
                None => (0, false),
            };
            if best.is_none_or(|(known, before)| precision > known || (precision == known && accepted && !before)) {
                best = Some((precision, accepted));
            }
        }
    }
    if best.is_none_or(|(_, accepted)| accepted) {
        return Ok(());
    }
    let error = Error::new(StatusCode::NOT_ACCEPTABLE, "the answer is application/json, which `Accept` excludes");
    Err(error.at(error::At::Header("Accept".into())))
}

/// How precisely a range of media types names JSON, and whether it wants it; none if it does not name it (RFC 9110,
/// section 12.5.1).
fn json_range(range: &str) -> Option<(u8, bool)> {
    let mut parts = range.split(';').map(str::trim_ascii);
    let name = parts.next()?;
    let precision = match name {
        "*/*" => 1,
        name if name.eq_ignore_ascii_case("application/*") => 2,
        name if name.eq_ignore_ascii_case("application/json") => 3,
        _ => return None,
    };
    let weight = parts.filter_map(|part| part.split_once('=')).find(|(name, _)| name.eq_ignore_ascii_case("q"));
    let refused = weight.is_some_and(|(_, weight)| weight.parse::<f32>().is_ok_and(|weight| weight <= 0.0));
    Some((precision, !refused))
}

/// The condition in a header, all its lines together.
pub(super) fn condition(headers: &HeaderMap, name: &HeaderName, unread: &mut Unread) -> Option<ETagCondition> {
    let mut lines = headers.get_all(name).iter();
    let first = lines.next()?;
    let parsed = match lines.next() {
        None => std::str::from_utf8(first.as_bytes()).ok().map(ETagCondition::parse),
        Some(_) => {
            let lines: Option<Vec<&str>> =
                headers.get_all(name).iter().map(|line| std::str::from_utf8(line.as_bytes()).ok()).collect();
            lines.map(|lines| ETagCondition::parse(&lines.join(",")))
        }
    };
    match parsed {
        Some(Ok(condition)) => return Some(condition),
        Some(Err(error)) => unread.refuse(At::header(title(name)), "type", format!("must list entity tags: {error}")),
        None => unread.refuse(At::header(title(name)), "type", "must list entity tags"),
    }
    None
}

fn title(name: &HeaderName) -> &'static str {
    match *name {
        IF_MATCH => "If-Match",
        IF_NONE_MATCH => "If-None-Match",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(values: &[&'static str]) -> bool {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ACCEPT, HeaderValue::from_static(value));
        }
        check_accept(&headers).is_ok()
    }

    #[test]
    fn answers_that_can_be_json() {
        for values in [
            &[] as &[&str],
            &["*/*"],
            &["application/json"],
            &["Application/JSON; charset=utf-8"],
            &["text/html, */*;q=0.1"],
            &["text/html", "application/*"],
            &["application/json;q=0.5, */*;q=0"],
            &[""],
            &["*/*;q=0, */*"],
        ] {
            assert!(accepts(values), "{values:?}");
        }
        for values in [
            &["text/html"] as &[&str],
            &["application/json;q=0"],
            &["application/json;q=0.0, */*"],
            &["text/*", "image/png"],
            &["application/xml;q=0.9"],
            &["*/*;q=0"],
            &["application/jsonp"],
        ] {
            assert!(!accepts(values), "{values:?}");
        }
    }

    #[test]
    fn types_of_bodies() {
        let types = &["application/json", "application/merge-patch+json"];
        for value in [
            "application/json",
            "APPLICATION/JSON",
            "application/json;charset=UTF-8",
            "application/json; charset=\"utf-8\"",
            "application/merge-patch+json ; x=y",
        ] {
            assert!(is_content(value, types), "{value}");
        }
        for value in [
            "text/json",
            "",
            "application/json-patch+json",
            "application/json; charset=latin1",
            "application/json;charset=utf-16",
            "application/json, text/plain",
        ] {
            assert!(!is_content(value, types), "{value}");
        }
    }
}
