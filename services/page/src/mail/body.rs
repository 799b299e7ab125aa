//! HTML part of a message, for a frame without scripts and network access.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use http::{HeaderName, header};
use mailbox_types::Message;

use super::content::read;
use super::parts::{self, Parts};
use crate::browse::{BrowsePages, Failure};
use crate::html::Section;
use crate::services::Services;

/// Content security policy of the document: no scripts, no network, an origin of its own.
const CONTENT_SECURITY_POLICY: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'self'";

/// Elements by which a document can contact other servers or navigate in ways that no policy prevents in every browser:
/// preconnections, including for links that are clicked and not followed, DNS lookups, refreshes.
const UNWANTED_ELEMENTS: [&str; 13] =
    ["a", "applet", "area", "base", "embed", "form", "frame", "frameset", "iframe", "link", "meta", "object", "script"];

/// `GET /mail/message/html`.
pub(super) async fn show<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match document(&pages, request).await {
        Ok(document) => {
            let headers: [(HeaderName, &str); 7] = [
                (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
                (header::CACHE_CONTROL, "no-store"),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (header::REFERRER_POLICY, "no-referrer"),
                (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
                (HeaderName::from_static("x-dns-prefetch-control"), "off"),
            ];
            (headers, document).into_response()
        }
        Err(failure) => failure.into_page(Section::Mail, "Message"),
    }
}

/// Returns the HTML part that a request names, as a document without unwanted elements.
async fn document<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<String, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let (people, person) = pages.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let (message, _): (Message, _) = read(pages, user, parameters.get("id").unwrap_or_default()).await?;
    let wanted = parameters.all("part").next().unwrap_or_default();
    let parts = Parts::classify(&message);
    let mut found = parts.html.iter().filter(|part| part.part_id.as_deref().unwrap_or_default() == wanted);
    let part = found.next().ok_or_else(|| Failure::NotFound("Message part not found.".to_owned()))?;
    Ok(format!("<!doctype html>\n<title>Message</title>\n{}", disable_unwanted(&parts::text(part))))
}

/// Renames unwanted elements of a document. A tag begins with a literal `<` and its name, in any case, so there is no
/// other way to write one.
fn disable_unwanted(html: &str) -> String {
    let mut result = String::with_capacity(html.len() + 64);
    let mut pieces = html.split('<');
    result.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (slash, rest) = match piece.strip_prefix('/') {
            Some(rest) => ("/", rest),
            None => ("", piece),
        };
        // Characters that end a name (HTML, section 13.2.5.8).
        let name = rest.split(['\t', '\n', '\r', '\u{c}', ' ', '/', '>']).next().unwrap_or_default();
        let is_unwanted = UNWANTED_ELEMENTS.iter().any(|unwanted| name.eq_ignore_ascii_case(unwanted));
        result.push('<');
        result.push_str(slash);
        result.push_str(if is_unwanted { "x-" } else { "" });
        result.push_str(rest);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::disable_unwanted;

    #[test]
    fn unwanted_elements_are_disabled() {
        for (html, expected) in [
            ("<p>a < b</p>", "<p>a < b</p>"),
            ("<LiNk rel=preconnect href=//a>", "<x-LiNk rel=preconnect href=//a>"),
            ("<script>1</SCRIPT><b>", "<x-script>1</x-SCRIPT><b>"),
            ("<<meta\n>", "<<x-meta\n>"),
            ("<a/href=//b>c</a ><article><A", "<x-a/href=//b>c</x-a ><article><x-A"),
            ("é<meta", "é<x-meta"),
            ("<", "<"),
            ("</", "</"),
        ] {
            assert_eq!(disable_unwanted(html), expected);
        }
    }
}
