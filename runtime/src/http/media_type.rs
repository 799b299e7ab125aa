//! Media types and ranges of them (RFC 9110, sections 8.3.1 and 12.5.1).

/// Returns the media type without its parameters.
#[must_use]
pub fn essence(media_type: &str) -> &str {
    media_type.split(';').next().unwrap_or_default().trim_ascii()
}

/// Returns whether a media type matches a range, such as `image/*` or `*/*` (RFC 9110, section 12.5.1). Parameters and
/// case are ignored.
#[must_use]
pub fn matches_range(media_type: &str, range: &str) -> bool {
    let (Some((kind, subtype)), Some((kinds, subtypes))) =
        (essence(media_type).split_once('/'), essence(range).split_once('/'))
    else {
        return false;
    };
    kinds == "*" || kinds.eq_ignore_ascii_case(kind) && (subtypes == "*" || subtypes.eq_ignore_ascii_case(subtype))
}

/// Returns whether a media type matches one of these types or ranges; without any, every media type does.
#[must_use]
pub fn is_accepted(media_type: &str, ranges: &[&str]) -> bool {
    let is_type = essence(media_type).contains('/');
    is_type && (ranges.is_empty() || ranges.iter().any(|range| matches_range(media_type, range)))
}

/// Returns whether a media type is JSON, or a format based on it (RFC 6839, section 3.1).
#[must_use]
pub fn is_json(media_type: &str) -> bool {
    is_format(media_type, ["application/json", "text/json"], "+json")
}

/// Returns whether a media type is XML, or a format based on it (RFC 7303).
#[must_use]
pub fn is_xml(media_type: &str) -> bool {
    is_format(media_type, ["application/xml", "text/xml"], "+xml")
}

/// Returns whether a media type is one of `types`, or has the structured suffix, such as `+json`.
fn is_format(media_type: &str, types: [&str; 2], suffix: &str) -> bool {
    let essence = essence(media_type);
    let end = essence.len().checked_sub(suffix.len()).and_then(|start| essence.get(start..));
    types.iter().any(|known| essence.eq_ignore_ascii_case(known))
        || end.is_some_and(|end| end.eq_ignore_ascii_case(suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_types() {
        for (media_type, range, expected) in [
            ("image/png", "*/*", true),
            ("image/png", "image/*", true),
            ("IMAGE/PNG; q=1", "image/png", true),
            ("image/png", "IMAGE/png ; q=1", true),
            ("image/png", "image/jpeg", false),
            ("image/png", "text/*", false),
            ("png", "*/*", false),
            ("image/png", "*", false),
        ] {
            assert_eq!(matches_range(media_type, range), expected, "{media_type} of {range}");
        }
        assert!(is_accepted("a/b", &[]) && !is_accepted("ab", &[]) && is_accepted("a/b", &["c/d", "a/*"]));
        assert!(!is_accepted("a; b/c", &[]));
    }

    #[test]
    fn formats_by_name_and_by_suffix() {
        for json in ["application/json", "TEXT/JSON;charset=utf-8", "application/problem+JSON ; x", "+json"] {
            assert!(is_json(json) && !is_xml(json), "{json}");
        }
        for xml in ["application/xml", "Text/Xml", "image/svg+xml"] {
            assert!(is_xml(xml) && !is_json(xml), "{xml}");
        }
        for neither in ["", "application/jsonx", "text/plain; a=+json", "é+jso", "json"] {
            assert!(!is_json(neither) && !is_xml(neither), "{neither}");
        }
    }
}
