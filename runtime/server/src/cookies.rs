//! Cookies of requests (RFC 6265, section 4.2).

use http::HeaderMap;
use http::header::COOKIE;

/// Returns the names and values of all cookies. Text that is no cookie is skipped.
pub(crate) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|cookie| cookie.trim_ascii().split_once('='))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    #[test]
    fn all_lines_are_read() {
        let mut headers = HeaderMap::new();
        for line in ["a=1; b= 2;c", "d=\"4=4\" ;;a="] {
            headers.append(COOKIE, HeaderValue::from_static(line));
        }
        let found: Vec<_> = cookies(&headers).collect();
        assert_eq!(found, [("a", "1"), ("b", " 2"), ("d", "\"4=4\""), ("a", "")]);
    }
}
