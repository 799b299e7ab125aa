//! Headers about the body and the response.

use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use wireform_runtime::etag::ETagCondition;
use wireform_runtime::media::matches_range;
use wireform_validation::__private::{Location, RequestReader};

use crate::error::{self, Error};

/// Checks that the body has an accepted media type and no content coding. A missing `Content-Type` is accepted.
///
/// # Errors
/// Returns a 415 if the headers declare otherwise.
pub(crate) fn check_content(headers: &HeaderMap, types: &'static [&'static str]) -> Result<(), Error> {
    if headers.get_all(CONTENT_ENCODING).iter().any(|value| !value.as_bytes().eq_ignore_ascii_case(b"identity")) {
        let error = Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "the body must not be encoded");
        // RFC 9110, section 15.5.16.
        let error = error.with_header(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        return Err(error.with_location(error::ErrorLocation::Header("Content-Encoding".into())));
    }
    let mut values = headers.get_all(CONTENT_TYPE).iter();
    let Some(value) = values.next() else { return Ok(()) };
    let supported = value.to_str().is_ok_and(|value| is_content(value, types));
    if supported && values.next().is_none() { Ok(()) } else { Err(unsupported(types)) }
}

/// Creates the error of an unsupported media type, which lists the supported ones.
#[cold]
fn unsupported(types: &'static [&'static str]) -> Error {
    let list = types.join(", ");
    let written = types.iter().all(|known| must_be_utf8(known));
    let message = format!("the media type of the body must be {list}{}", if written { " in UTF-8" } else { "" });
    let error = Error::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message);
    let error = error.with_location(error::ErrorLocation::Header("Content-Type".into()));
    match HeaderValue::from_str(&list) {
        Ok(list) => error.with_header(ACCEPT, list),
        Err(_) => error,
    }
}

/// Returns whether a content type is one of these, in UTF-8 (RFC 9110, section 8.3.1).
fn is_content(value: &str, types: &[&str]) -> bool {
    if types.contains(&value) {
        return true;
    }
    let mut parts = value.split(';');
    let essence = parts.next().unwrap_or_default().trim_ascii();
    // The charset of other types is left to their decoder.
    let is_text = must_be_utf8(essence);
    let utf8 = |parameter: &str| {
        !is_text
            || match parameter.split_once('=') {
                Some((name, charset)) if name.trim_ascii().eq_ignore_ascii_case("charset") => {
                    let charset = charset.trim_ascii();
                    charset
                        .strip_prefix('"')
                        .and_then(|text| text.strip_suffix('"'))
                        .unwrap_or(charset)
                        .eq_ignore_ascii_case("utf-8")
                }
                _ => true,
            }
    };
    types.iter().any(|known| matches_range(essence, known)) && parts.all(utf8)
}

/// Returns whether a media type is JSON or a form, which must be UTF-8.
fn must_be_utf8(essence: &str) -> bool {
    let essence = essence.to_ascii_lowercase();
    essence.ends_with("json") || essence.contains("form")
}

/// Parses the condition in a header, with all its lines combined.
pub(super) fn condition(headers: &HeaderMap, name: &HeaderName, unread: &mut RequestReader) -> Option<ETagCondition> {
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
        Some(Err(error)) => unread.reject(
            Location::header(canonical_name(name)),
            "type",
            format!("must be a list of entity tags: {error}"),
        ),
        None => unread.reject(Location::header(canonical_name(name)), "type", "must be a list of entity tags"),
    }
    None
}

/// Returns the name of a conditional header in its usual case, for the location of an error.
fn canonical_name(name: &HeaderName) -> &'static str {
    match *name {
        IF_MATCH => "If-Match",
        IF_NONE_MATCH => "If-None-Match",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
