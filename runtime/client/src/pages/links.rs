//! Header `Link` (RFC 8288).

use http::HeaderMap;
use http::header::LINK;
use wireform_runtime::http::list::split_unquoted;

/// Returns the URL of the link whose relation is `next`.
pub(super) fn next_link(headers: &HeaderMap) -> Option<String> {
    headers.get_all(LINK).iter().filter_map(|value| value.to_str().ok()).find_map(find_next_link)
}

/// Searches a header value, which may have several links: `<https://example.com/?page=2>; rel="next", <…>; rel=last`.
fn find_next_link(value: &str) -> Option<String> {
    let mut rest = value;
    while let Some((_, after)) = rest.split_once('<') {
        let (url, after) = after.split_once('>')?;
        let end = split_unquoted(after, ',').next().map_or(after.len(), str::len);
        let (parameters, others) = after.split_at(end);
        if is_next(parameters) {
            return Some(url.trim().to_owned());
        }
        rest = others;
    }
    None
}

/// Returns whether the first `rel` has the relation `next`; further ones are ignored (section 3.3).
fn is_next(parameters: &str) -> bool {
    let mut named = split_unquoted(parameters, ';').filter_map(|parameter| parameter.split_once('='));
    let relation = named.find(|(name, _)| name.trim().eq_ignore_ascii_case("rel"));
    let mut all = relation.iter().flat_map(|(_, value)| value.trim().trim_matches('"').split_ascii_whitespace());
    all.any(|relation| relation.eq_ignore_ascii_case("next"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_link_is_found() {
        let table = [
            (
                "<https://a.example/?page=2>; rel=\"next\", <https://a.example/?page=9>; rel=\"last\"",
                Some("https://a.example/?page=2"),
            ),
            ("<https://a.example/?page=1>; rel=prev, </b?c=1,2>; title=\"a, b\"; rel=next", Some("/b?c=1,2")),
            ("<?page=2>; REL=\"first NEXT\"", Some("?page=2")),
            ("<?a>; title=\"rel=next\"; rel=last", None),
            ("<?a>; rel=last; rel=next", None),
            ("<?a>; title=\"; rel=next\"; rel=last, <?b>; rel=next", Some("?b")),
            ("<?a", None),
            ("?a; rel=next", None),
            ("", None),
        ];
        for (value, expected) in table {
            assert_eq!(find_next_link(value).as_deref(), expected, "{value}");
        }
    }
}
