//! Pages: text that is escaped, in a frame that is the same for all.

use std::fmt::{self, Display, Write as _};

use axum::response::{IntoResponse, Response};
use http::{HeaderName, StatusCode, header};

use crate::assets;

/// A text that is written so that it is read as text, in an element or in a quoted attribute.
pub(crate) struct Escaped<T>(pub(crate) T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

struct Escaping<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl fmt::Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            match character {
                '&' => self.0.write_str("&amp;")?,
                '<' => self.0.write_str("&lt;")?,
                '>' => self.0.write_str("&gt;")?,
                '"' => self.0.write_str("&quot;")?,
                '\'' => self.0.write_str("&#39;")?,
                // What HTML cannot hold, and what turns the direction of the text beside it.
                '\0' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => self.0.write_char('\u{fffd}')?,
                other => self.0.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// What a page may load.
#[derive(Clone, Copy)]
pub(crate) enum Loads {
    /// Style and pictures of this server.
    Style,
    /// And its scripts, which may ask this server.
    Scripts,
}

impl Loads {
    /// The policy that a browser holds the page to. Swagger UI has its pictures in its style, as `data:`.
    fn policy(self) -> &'static str {
        match self {
            Self::Style => {
                "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
                 frame-ancestors 'none'"
            }
            Self::Scripts => {
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                 base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
            }
        }
    }
}

/// A page with that title, whose head and main part are HTML already.
pub(crate) fn page(status: StatusCode, title: &str, loads: Loads, head: &str, main: &str) -> Response {
    let title = Escaped(title);
    let (style, icon) = (assets::STYLE, assets::ICON);
    let text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"{icon}\">\n{head}<link rel=\"stylesheet\" href=\"{style}\">\n</head>\n<body>\n\
         <header><a href=\"/\">Overview</a> <a href=\"/docs\">References</a></header>\n<main>\n{main}</main>\n\
         </body>\n</html>\n"
    );
    let headers: [(HeaderName, &str); 6] = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, loads.policy()),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    (status, headers, text).into_response()
}
