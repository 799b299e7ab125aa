//! URLs of links.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Characters of a URL besides letters and digits (RFC 3986, section 2).
const URL_PUNCTUATION: &str = "-._~:/?#@!$&'()*+,;=%[]";

/// Characters of a URL that are not written as they are: parentheses end a link, and `&copy;` would be decoded as an
/// HTML entity.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'(')
    .add(b')')
    .add(b';')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Returns whether a URL can be a link unchanged: its scheme is a web scheme, and all its characters are valid.
pub fn is_link(address: &str) -> bool {
    let rest = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"));
    let has_host = rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || c == '['));
    has_host && address.chars().all(|c| c.is_ascii_alphanumeric() || URL_PUNCTUATION.contains(c))
}

/// Resolves a link relative to the URL of a document; returns `None` if it leads nowhere.
pub fn resolve_link(link: &str, base: &str) -> Option<String> {
    let link = link.trim();
    let has_scheme = |text: &str| ["http://", "https://", "mailto:"].iter().any(|scheme| text.starts_with(scheme));
    let whole = if has_scheme(link) { link.to_owned() } else { resolve_reference(link, base)? };
    Some(percent_encode(&whole)).filter(|whole| whole.starts_with("mailto:") || is_link(whole))
}

/// Resolves a reference (RFC 3986, section 5.2).
fn resolve_reference(link: &str, base: &str) -> Option<String> {
    let base = base.split('#').next().unwrap_or_default();
    let (scheme, rest) = base.split_once("://")?;
    let scheme_of_link = link.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'));
    if link.is_empty() || scheme_of_link || !matches!(scheme, "http" | "https") {
        return None;
    }
    let host = rest.split(['/', '?']).next()?;
    let file = rest.split('?').next()?.get(host.len()..)?;
    let whole = |path: &str| format!("{scheme}://{host}{path}");
    Some(match link.chars().next()? {
        '/' if link.starts_with("//") => format!("{scheme}:{link}"),
        '/' => whole(link),
        '#' => format!("{base}{link}"),
        '?' => whole(&format!("{file}{link}")),
        _ => {
            let end = link.find(['?', '#']).unwrap_or(link.len());
            let (path, query) = link.split_at(end);
            let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
            whole(&format!("{}{query}", remove_dot_segments(&format!("{folder}/{path}"))))
        }
    })
}

fn remove_dot_segments(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut ends_in_dots = false;
    for piece in path.split('/').skip(1) {
        ends_in_dots = matches!(piece, "." | "..");
        match piece {
            "." => {}
            ".." => drop(kept.pop()),
            piece => kept.push(piece),
        }
    }
    let slash = if ends_in_dots && !kept.is_empty() { "/" } else { "" };
    format!("/{}{slash}", kept.join("/"))
}

/// Percent-encodes characters of a URL that are special in Markdown or invalid.
fn percent_encode(address: &str) -> String {
    utf8_percent_encode(address, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::{is_link, resolve_link};

    #[test]
    fn links_lead_from_the_address_of_the_document() {
        let base = "https://docs.example/api/v1/index.html?x=1#top";
        let table = [
            ("https://a.example/b c", "https://a.example/b%20c"),
            ("/rest/a", "https://docs.example/rest/a"),
            ("//cdn.example/a", "https://cdn.example/a"),
            ("#errors", "https://docs.example/api/v1/index.html?x=1#errors"),
            ("?y=2", "https://docs.example/api/v1/index.html?y=2"),
            ("notes.html#a", "https://docs.example/api/v1/notes.html#a"),
            ("../v2/./notes", "https://docs.example/api/v2/notes"),
            ("../..", "https://docs.example/"),
            ("mailto:a@b.example", "mailto:a@b.example"),
        ];
        for (link, expected) in table {
            assert_eq!(resolve_link(link, base).as_deref(), Some(expected), "{link}");
        }
        for link in ["javascript:alert(1)", "", "data:text/html,x"] {
            assert_eq!(resolve_link(link, base), None, "{link}");
        }
        assert_eq!(resolve_link("/a", ""), None);
        assert!(!is_link("https://{host}/a") && !is_link("ftp://a.example"));
    }
}
