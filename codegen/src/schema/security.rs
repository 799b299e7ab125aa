//! Security schemes, and the security requirements of operations.

use super::named::Named;
use super::read::{Kind, Located, Read, Text, wrong_kind};
use super::shape::{shape, words};
use super::write::{Write, single_entry};
use super::yaml::{Node, Style, Value};
use crate::diagnostics::{Code, Sink, Span};

shape! {
    /// A mechanism that authenticates requests.
    SecurityScheme "security scheme" {
        /// The type of the credential.
        ty "type": Located<SchemeType> = "api_key";
        /// What the credential is, and how to obtain it.
        doc "doc": Option<Text> = "A key that the settings of an account show.";
        /// The location of an API key: `header`, `query` or `cookie`.
        place "in": Option<Located<ApiKeyLocation>> = "header";
        /// The name of the header, parameter or cookie with an API key.
        name "name": Option<Text> = "X-API-Key";
        /// The scheme of the `Authorization` header, for the type `http`.
        scheme "scheme": Option<Located<HttpScheme>> = "basic";
        /// The format of a bearer token, as documentation.
        bearer_format "bearer_format": Option<Text> = "JWT";
        /// The OAuth 2.0 flows by grant type: `authorization_code`, `client_credentials`, `implicit`, `password`,
        /// `device_authorization`.
        flows "flows": Named<Flow> = "{ client_credentials: { token_url: 'https://example.com/token' } }";
        /// The URL of the metadata of the authorization server: OpenID Connect discovery, or OAuth 2.0 (RFC 8414).
        url "url": Option<Text> = "https://example.com/.well-known/openid-configuration";
    }
}

words! {
    /// The type of a credential.
    SchemeType {
        /// An API key, in a header, the query or a cookie.
        ApiKey "api_key",
        /// The `Authorization` header, with an HTTP authentication scheme.
        Http "http",
        /// An OAuth 2.0 access token, as a bearer token.
        OAuth2 "oauth2",
        /// An OpenID Connect token, as a bearer token.
        OpenId "open_id",
        /// A client certificate, on the TLS connection.
        MutualTls "mutual_tls",
    }
}

words! {
    /// The location of an API key.
    ApiKeyLocation {
        /// In a header.
        Header "header",
        /// In the query, where third-party logs may record it.
        Query "query",
        /// In a cookie.
        Cookie "cookie",
    }
}

words! {
    /// A scheme of the `Authorization` header.
    HttpScheme {
        /// A user name and a password (RFC 7617).
        Basic "basic",
        /// A token (RFC 6750).
        Bearer "bearer",
    }
}

shape! {
    /// An OAuth 2.0 flow.
    Flow "flow" {
        /// The authorization URL, at which users consent.
        authorization_url "authorization_url": Option<Text> = "https://example.com/authorize";
        /// The URL that issues tokens.
        token_url "token_url": Option<Text> = "https://example.com/token";
        /// The URL that refreshes tokens, if it differs from `token_url`.
        refresh_url "refresh_url": Option<Text> = "https://example.com/renew";
        /// The device authorization URL, for devices without a browser.
        device_url "device_url": Option<Text> = "https://example.com/device";
        /// The scopes that the flow can grant; by default all scopes of the API.
        scopes "scopes": Option<Vec<Text>> = "[calendar]";
    }
}

/// The security requirement of an operation: a list of alternatives such as `[login, token]`, or `none` for a public
/// operation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecurityRequirements {
    /// The span of the requirement.
    pub span: Span,
    /// The alternatives, one of which is sufficient; empty for a public operation.
    pub alternatives: Vec<SecurityRequirement>,
}

/// The keyword for a public operation, with its description.
const PUBLIC_KEYWORD: &[(&str, &str)] =
    &[("none", "No credential is required, intentionally; an empty list has the same meaning.")];

impl Write for SecurityRequirements {
    fn write(&self) -> Node {
        self.alternatives.write()
    }
}

impl Read for SecurityRequirements {
    fn kind() -> Kind {
        Kind::OneOf(vec![Kind::Words(PUBLIC_KEYWORD), Vec::<SecurityRequirement>::kind()])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let list = match &node.value {
            Value::Scalar(text, Style::Plain) if text == "none" => Vec::new(),
            Value::Scalar(text, _) => {
                let message =
                    format!("expected `none` or a list of security requirements, found `{}`", text.escape_debug());
                let report = sink.report(Code::WrongKind, node.span, message);
                report.help(if ["public", "open", "anonymous", "false", "null", "~", ""].contains(&text.as_str()) {
                    "write `none` if the operation is public".to_owned()
                } else {
                    format!("write `[{}]` for a list with one element", text.escape_debug())
                });
                return None;
            }
            _ => Vec::read(node, sink)?,
        };
        Some(Self { span: node.span, alternatives: list })
    }
}

/// An alternative of a security requirement: a combination of schemes, all of which are required.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecurityRequirement {
    /// The span of the alternative.
    pub span: Span,
    /// The required schemes; empty if no credential is required.
    pub schemes: Vec<SchemeRequirement>,
}

/// A scheme, and the scopes that its token must have.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemeRequirement {
    /// The scheme.
    pub scheme: Text,
    /// The scopes, all of which are required.
    pub scopes: Vec<Text>,
}

impl Write for SchemeRequirement {
    fn write(&self) -> Node {
        if self.scopes.is_empty() { self.scheme.write() } else { single_entry(&self.scheme.text, self.scopes.write()) }
    }
}

impl Write for SecurityRequirement {
    fn write(&self) -> Node {
        match self.schemes.as_slice() {
            [only] => only.write(),
            _ => self.schemes.write(),
        }
    }
}

fn scheme_with_scopes_kind() -> Kind {
    Kind::Map("scheme", Box::new(Vec::<Text>::kind()))
}

/// Reads `basic`, `[basic, { oauth: [items] }]` or `{ basic: [], oauth: [items] }`.
impl Read for SecurityRequirement {
    fn kind() -> Kind {
        let one = Kind::OneOf(vec![Kind::Text, scheme_with_scopes_kind()]);
        Kind::OneOf(vec![Kind::Text, Kind::List(Box::new(one)), scheme_with_scopes_kind()])
    }

    fn read(node: &Node, sink: &mut Sink) -> Option<Self> {
        let demands = match &node.value {
            Value::List(items) => {
                let read: Vec<_> = items.iter().map(|item| read_schemes(item, sink)).collect();
                read.into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().collect()
            }
            _ => read_schemes(node, sink)?,
        };
        Some(Self { span: node.span, schemes: demands })
    }
}

/// Reads the name of a scheme, or a mapping from schemes to the required scopes.
fn read_schemes(node: &Node, sink: &mut Sink) -> Option<Vec<SchemeRequirement>> {
    match &node.value {
        Value::Map(_) => {
            let named = Named::<Vec<Text>>::read(node, sink)?;
            Some(named.0.into_iter().map(|(scheme, scopes)| SchemeRequirement { scheme, scopes }).collect())
        }
        Value::Scalar(..) => Some(vec![SchemeRequirement { scheme: Text::read(node, sink)?, scopes: Vec::new() }]),
        Value::List(_) => wrong_kind(node, "the name of a scheme, or a mapping from schemes to scopes", sink),
    }
}
