//! Preferences of clients: `Accept` and `Accept-Encoding` (RFC 9110, sections 12.4 and 12.5).

use http::{HeaderMap, StatusCode, header};
use wireform_runtime::ResponseAlternative;
use wireform_runtime::http::list::split_unquoted;
use wireform_runtime::http::media_type::essence;

use crate::error::{Error, ErrorLocation};

/// Element of a list, with its weight in thousandths.
pub struct Preference<'h> {
    /// Text before the first semicolon: `gzip`, `application/*`.
    pub name: &'h str,
    pub weight: u16,
}

/// Returns the preferences in all headers of a name, in their order. Elements without a name are skipped; an invalid
/// weight counts as zero.
pub fn preferences(headers: &HeaderMap, name: header::HeaderName) -> impl Iterator<Item = Preference<'_>> {
    let texts = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| split_unquoted(text, ',')).filter_map(|element| {
        let mut parts = split_unquoted(element, ';');
        let name = parts.next().unwrap_or_default().trim_ascii();
        let weight = parts.find_map(|part| {
            let (name, value) = part.split_once('=')?;
            name.trim_ascii().eq_ignore_ascii_case("q").then(|| parse_weight(value.trim_ascii()).unwrap_or(0))
        });
        (!name.is_empty()).then_some(Preference { name, weight: weight.unwrap_or(1000) })
    })
}

/// Parses a weight (`0`, `0.5`, `1.000`) to thousandths.
fn parse_weight(text: &str) -> Option<u16> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let fraction = fraction.bytes().chain(*b"000").take(3).fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0'));
    match (whole, fraction) {
        ("0", fraction) => Some(fraction),
        ("1", 0) => Some(1000),
        _ => None,
    }
}

/// Checks that `Accept` allows a media type of the operation's response.
///
/// The most specific range decides: `*/*, application/json;q=0` refuses JSON. A missing or empty header allows
/// everything.
///
/// # Errors
/// Returns a 406 if it does not.
pub fn check_accept(headers: &HeaderMap, media_type: &str) -> Result<(), Error> {
    if !headers.contains_key(header::ACCEPT)
        || media_type.split(',').any(|media_type| is_acceptable(headers, media_type.trim_ascii()))
    {
        return Ok(());
    }
    let message = format!("`Accept` does not allow the media type of the response, `{media_type}`");
    Err(Error::new(StatusCode::NOT_ACCEPTABLE, message).with_location(ErrorLocation::Header("Accept".into())))
}

/// Returns whether a media type, or one of a range, is acceptable.
fn is_acceptable(headers: &HeaderMap, media_type: &str) -> bool {
    quality(headers, media_type).is_some_and(|(_, weight)| weight > 0)
}

/// Returns the precision of the range that decides about a type, or about a part of a range of types, and its weight.
/// `None` if no range matches; everything is acceptable if `Accept` is empty.
///
/// The most specific range that matches a type decides (RFC 9110, section 12.5.1). For a range of types that is the one
/// with the greatest weight: rejecting one type leaves the others of the range.
fn quality(headers: &HeaderMap, media_type: &str) -> Option<(u8, u16)> {
    let media_type = essence(media_type);
    let (mut whole, mut within, mut named) = (None, None, false);
    for Preference { name, weight } in preferences(headers, header::ACCEPT) {
        named = true;
        // Of ranges that differ in their parameters, the one with the greatest weight decides.
        match match_range(name, media_type) {
            Some(Match::All(rank)) => whole = whole.max(Some((rank, weight))),
            Some(Match::Partial) => within = within.max(Some((2, weight))),
            None => {}
        }
    }
    if !named {
        return Some((0, 1000));
    }
    let within = within.filter(|(_, weight)| *weight > 0);
    whole.into_iter().chain(within).max_by_key(|(rank, weight)| (*weight, *rank))
}

/// Match of a range of `Accept` with a type, or with a range of types.
enum Match {
    /// It matches all of it; the more specific, the greater the number.
    All(u8),
    /// It matches a part of the range of types.
    Partial,
}

/// Matches a range of `Accept` with a media type, or with a range of them; `None` if they have nothing in common.
fn match_range(name: &str, media_type: &str) -> Option<Match> {
    let (wanted, subtype) = name.split_once('/').unwrap_or((name, ""));
    let kind = media_type.split('/').next().unwrap_or_default();
    match (wanted, subtype) {
        ("*", "*") => Some(Match::All(0)),
        _ if kind == "*" => Some(Match::Partial),
        (wanted, "*") if wanted.eq_ignore_ascii_case(kind) => Some(Match::All(1)),
        (wanted, _) if media_type.ends_with("/*") && wanted.eq_ignore_ascii_case(kind) => Some(Match::Partial),
        _ if name.eq_ignore_ascii_case(media_type) => Some(Match::All(2)),
        _ => None,
    }
}

/// Returns the alternative that a request prefers: the one with the greatest weight (RFC 9110, section 12.5.1), of
/// those an exact match rather than one of a range, and then the first.
pub fn preferred_format<F: ResponseAlternative>(headers: &HeaderMap) -> Option<F> {
    let mut best: Option<(F, (u16, u8))> = None;
    for (format, types) in F::ALL {
        let wanted = types.iter().filter_map(|media_type| quality(headers, media_type));
        let wanted = wanted.filter(|(_, weight)| *weight > 0).map(|(rank, weight)| (weight, rank)).max();
        if let Some(wanted) = wanted
            && best.is_none_or(|(_, best)| wanted > best)
        {
            best = Some((*format, wanted));
        }
    }
    best.map(|(format, _)| format)
}

/// Returns the media type that a request prefers of those of one response; of equals, an exact match rather than one of
/// a range, and then the first.
pub fn preferred_type(headers: &HeaderMap, types: &'static [&'static str]) -> Option<&'static str> {
    let mut best: Option<(&'static str, (u16, u8))> = None;
    for media_type in types {
        let wanted =
            quality(headers, media_type).filter(|(_, weight)| *weight > 0).map(|(rank, weight)| (weight, rank));
        if let Some(wanted) = wanted
            && best.is_none_or(|(_, best)| wanted > best)
        {
            best = Some((media_type, wanted));
        }
    }
    best.map(|(media_type, _)| media_type)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn headers(values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::ACCEPT, HeaderValue::from_str(value).unwrap());
        }
        headers
    }

    #[test]
    fn accept_of_json() {
        let takes: [&[&str]; 14] = [
            &[],
            &[""],
            &[" , "],
            &["*/*"],
            &["application/json"],
            &["APPLICATION/JSON;charset=utf-8"],
            &["application/*;q=0.001"],
            &["text/html, */*;q=0.1"],
            &["text/html", "application/json"],
            &["text/html;x=\",\\\",\", application/json"],
            &["application/json;q=0.5, */*;q=0"],
            &["application/json;q=0, application/json;q=1"],
            &["*/*;q=0, application/*"],
            &["application/json ; Q=1.000"],
        ];
        for accept in takes {
            assert!(check_accept(&headers(accept), "application/json").is_ok(), "{accept:?}");
        }
        let refuses: [&[&str]; 9] = [
            &["text/html"],
            &["application/xml, text/*"],
            &["application/json;q=0"],
            &["*/*, application/json;q=0.000"],
            &["*/*, application/*;q=0"],
            &["*/*;q=2"],
            &["application/json;q=0.0001"],
            &["text/html;x=\"a, application/json\""],
            &["application/json;q="],
        ];
        for accept in refuses {
            let error = check_accept(&headers(accept), "application/json").unwrap_err();
            assert_eq!(error.status(), 406, "{accept:?}");
        }
    }

    #[test]
    fn accept_of_other_types() {
        for (accept, media_type, taken) in [
            ("image/png", "text/plain, image/*", true),
            ("image/*", "image/png", true),
            ("text/html", "*/*", true),
            ("text/html", "text/plain, image/*", false),
            ("image/png;q=0", "image/png", false),
            ("image/gif;q=0, image/*", "image/*", true),
            ("image/gif;q=0, image/*", "image/gif", false),
            ("image/gif;q=0, image/*", "image/png", true),
            ("image/gif;q=0, */*", "image/*", true),
            ("image/gif;q=0, */*", "*/*", true),
            ("image/gif, image/*;q=0", "image/*", true),
            ("image/gif;q=0, image/*;q=0, */*", "image/*", false),
            ("image/gif;q=0, text/*", "image/*", false),
            ("image/*;q=0, */*", "*/*", true),
            ("image/*;q=0", "*/*", false),
        ] {
            assert_eq!(check_accept(&headers(&[accept]), media_type).is_ok(), taken, "{accept} of {media_type}");
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Kind {
        Json,
        Csv,
        Image,
    }

    impl ResponseAlternative for Kind {
        const FIRST: Self = Self::Json;
        const ALL: &'static [(Self, &'static [&'static str])] = &[
            (Self::Json, &["application/json", "application/vnd.report+json"]),
            (Self::Csv, &["text/csv"]),
            (Self::Image, &["image/*"]),
        ];
    }

    #[test]
    fn preferred_format_is_selected() {
        let most = "a/b, ".repeat(10_000) + "text/csv";
        let cases: [(&[&str], Option<Kind>); 18] = [
            (&[], Some(Kind::Json)),
            (&[""], Some(Kind::Json)),
            (&["*/*"], Some(Kind::Json)),
            (&["text/*"], Some(Kind::Csv)),
            (&["text/csv", "application/json"], Some(Kind::Json)),
            (&["*/*, text/csv"], Some(Kind::Csv)),
            (&["application/json;q=0.5, text/csv;q=0.6"], Some(Kind::Csv)),
            (&["application/vnd.report+json, text/csv;q=0.9"], Some(Kind::Json)),
            (&["*/*;q=0.1, application/json;q=0, application/vnd.report+json;q=0"], Some(Kind::Csv)),
            (&["image/webp, text/csv;q=0.9"], Some(Kind::Image)),
            (&["image/*;q=0.1, */*;q=0"], Some(Kind::Image)),
            (&["image/gif;q=0.1, image/*, text/csv;q=0.9"], Some(Kind::Image)),
            (&["image/gif;q=0.1, image/*;q=0.5, text/csv;q=0.4"], Some(Kind::Image)),
            (&["TEXT/CSV; header=present"], Some(Kind::Csv)),
            (&["application/xml"], None),
            (&["*/*;q=0"], None),
            (&["text/csv;q=high"], None),
            (&[&most], Some(Kind::Csv)),
        ];
        for (accept, expected) in cases {
            assert_eq!(preferred_format::<Kind>(&headers(accept)), expected, "{accept:.40?}");
        }
    }

    #[test]
    fn weights() {
        for (text, expected) in [
            ("0", Some(0)),
            ("1", Some(1000)),
            ("0.", Some(0)),
            ("0.5", Some(500)),
            ("0.123", Some(123)),
            ("1.000", Some(1000)),
            ("1.001", None),
            ("0.1234", None),
            ("2", None),
            ("-0", None),
            ("", None),
            (".5", None),
            ("0.x", None),
        ] {
            assert_eq!(parse_weight(text), expected, "{text}");
        }
    }
}
