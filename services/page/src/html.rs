//! HTML pages: escaping and the common frame.

use std::borrow::Cow;
use std::fmt::{self, Display, Write as _};

use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::{HeaderName, HeaderValue, StatusCode, header};
use sha2::{Digest as _, Sha256};

use crate::assets;

/// Text that is escaped for an element or a quoted attribute.
pub(crate) struct Escaped<T>(pub(crate) T);

impl<T: Display> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

/// Writer that escapes text for HTML.
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
                // Characters that HTML cannot contain, and those that change the direction of adjacent text.
                '\0' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => self.0.write_char('\u{fffd}')?,
                other => self.0.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// Resources that a page may load.
#[derive(Clone, Copy)]
pub(crate) enum AllowedResources<'a> {
    /// Styles and images of this server.
    Style,
    /// Also its scripts, which may send requests to this server, and images in `data:` URLs.
    Scripts,
    /// Styles, images and scripts of this server, forms to it, and an inline style sheet.
    Browse {
        /// Inline style sheet with the positions and colors of elements.
        style: &'a str,
        /// True if the page shows documents of this server in frames.
        frames: bool,
    },
}

impl AllowedResources<'_> {
    /// Returns the content security policy. Swagger UI has images as `data:` in its style. An inline style sheet is
    /// allowed by its hash, which excludes any other.
    fn policy(self) -> Cow<'static, str> {
        match self {
            Self::Style => {
                "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; \
                            frame-ancestors 'none'"
                    .into()
            }
            Self::Scripts => {
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                 base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                    .into()
            }
            Self::Browse { style, frames } => {
                let hash = BASE64_STANDARD.encode(Sha256::digest(style));
                let frames = if frames { "'self'" } else { "'none'" };
                format!(
                    "default-src 'none'; script-src 'self'; style-src 'self' 'sha256-{hash}'; img-src 'self'; \
                     connect-src 'self'; frame-src {frames}; base-uri 'none'; form-action 'self'; \
                     frame-ancestors 'none'"
                )
                .into()
            }
        }
    }

    /// Returns the inline style sheet. It contains only validated numbers and colors, so it needs no escaping.
    fn inline(self) -> String {
        match self {
            Self::Browse { style, .. } if !style.is_empty() => format!("<style>{style}</style>\n"),
            _ => String::new(),
        }
    }
}

/// Returns a text in a block with a button that copies it.
pub(crate) fn code(text: impl Display) -> String {
    format!(
        "<div class=\"code\"><button type=\"button\" data-copies hidden>Copy</button>\
         <pre tabindex=\"0\">{}</pre></div>",
        Escaped(text)
    )
}

/// Returns collapsed JSON with a button that copies it.
pub(crate) fn json(title: &str, text: &str) -> String {
    format!("<details class=\"json\"><summary>{}</summary>\n{}</details>\n", Escaped(title), code(text))
}

/// Section of the pages, to which the header of every page links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Overview,
    Mail,
    Calendar,
    Scripts,
    References,
}

impl Section {
    /// All sections with their paths and names.
    const ALL: [(Self, &'static str, &'static str); 5] = [
        (Self::Overview, "/", "Overview"),
        (Self::Mail, "/mail", "Mail"),
        (Self::Calendar, "/calendar", "Calendar"),
        (Self::Scripts, "/scripts", "Scripts"),
        (Self::References, "/docs", "References"),
    ];

    /// Returns a link to the section, for pages that lead no further.
    pub(crate) fn way_back(self) -> String {
        let found = Self::ALL.into_iter().find(|(section, ..)| *section == self);
        let (_, path, name) = found.unwrap_or((Self::Overview, "/", "Overview"));
        format!("<p class=\"back\"><a href=\"{path}\">‹ {name}</a></p>\n")
    }
}

/// Returns the links of the header, with the current section marked.
fn section_links(current: Option<Section>) -> String {
    let link = |(section, path, name): (Section, &str, &str)| {
        let mark = if current == Some(section) { " aria-current=\"true\"" } else { "" };
        format!("<a href=\"{path}\"{mark}>{name}</a>")
    };
    Section::ALL.map(link).join(" ")
}

/// Returns a page of a section with a title, whose head and main part are already HTML.
pub(crate) fn page(
    status: StatusCode,
    section: Option<Section>,
    title: &str,
    loads: AllowedResources<'_>,
    head: &str,
    main: &str,
) -> Response {
    let title = Escaped(title);
    let (sheet, icon, inline, links) = (assets::PAGE_STYLE, assets::ICON, loads.inline(), section_links(section));
    let text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"icon\" href=\"{icon}\">\n<link rel=\"stylesheet\" href=\"{sheet}\">\n{head}{inline}</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to the content</a>\n\
         <header><nav aria-label=\"Sections\">{links}</nav></header>\n\
         <main id=\"main\" tabindex=\"-1\">\n{main}</main>\n</body>\n</html>\n"
    );
    // A policy contains only characters that are valid in headers.
    let policy = HeaderValue::from_str(&loads.policy()).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    let headers: [(HeaderName, HeaderValue); 6] = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
        (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    ];
    (status, headers, text).into_response()
}
