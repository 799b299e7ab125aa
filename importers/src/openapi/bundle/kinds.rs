//! Kinds of the objects of OpenAPI, which determine where a document can contain references.

/// Kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Callback,
    Components,
    Discriminator,
    Document,
    Encoding,
    Example,
    Header,
    Link,
    MediaType,
    Operation,
    Parameter,
    PathItem,
    /// Object without further references.
    Plain,
    RequestBody,
    Response,
    Schema,
    SecurityScheme,
}

/// Meaning of a value by its position in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Position {
    /// Object of this kind, or a list of such objects in a schema of an older dialect.
    One(Kind),
    /// List of objects of this kind.
    List(Kind),
    /// Object whose members are of this kind.
    Map(Kind),
    /// Names and references of the schemas of a union.
    Mapping,
    /// Value in which nothing is a reference, such as an example.
    Opaque,
}

impl Kind {
    /// Returns the section of the components for this kind, whose objects can be replaced by references.
    pub const fn section(self) -> Option<&'static str> {
        Some(match self {
            Self::Callback => "callbacks",
            Self::Example => "examples",
            Self::Header => "headers",
            Self::Link => "links",
            Self::Parameter => "parameters",
            Self::PathItem => "pathItems",
            Self::RequestBody => "requestBodies",
            Self::Response => "responses",
            Self::Schema => "schemas",
            Self::SecurityScheme => "securitySchemes",
            _ => return None,
        })
    }
}

impl Kind {
    /// Returns the name of an object of this kind, with its article.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Callback => "a callback",
            Self::Example => "an example",
            Self::Header => "a header",
            Self::Link => "a link",
            Self::Parameter => "a parameter",
            Self::PathItem => "a path item",
            Self::RequestBody => "a request body",
            Self::Response => "a response",
            Self::Schema => "a schema",
            Self::SecurityScheme => "a security scheme",
            _ => "another object",
        }
    }
}

use Kind as K;
use Position::{List, Map, Mapping, One, Opaque};

/// Positions by the kind and the key of the object that contains them.
const POSITIONS: [(Kind, &[&str], Position); 41] = [
    (K::Document, &["paths", "webhooks"], Map(K::PathItem)),
    (K::Document, &["components"], One(K::Components)),
    (K::Document, &["info", "servers", "tags"], One(K::Plain)),
    (K::Components, &["callbacks"], Map(K::Callback)),
    (K::Components, &["examples"], Map(K::Example)),
    (K::Components, &["headers"], Map(K::Header)),
    (K::Components, &["links"], Map(K::Link)),
    (K::Components, &["parameters"], Map(K::Parameter)),
    (K::Components, &["pathItems"], Map(K::PathItem)),
    (K::Components, &["requestBodies"], Map(K::RequestBody)),
    (K::Components, &["responses"], Map(K::Response)),
    (K::Components, &["schemas"], Map(K::Schema)),
    (K::Components, &["securitySchemes"], Map(K::SecurityScheme)),
    (K::PathItem, &["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"], One(K::Operation)),
    (K::PathItem, &["parameters"], List(K::Parameter)),
    (K::PathItem, &["servers"], One(K::Plain)),
    (K::Operation, &["parameters", "x-wireform-path-parameters"], List(K::Parameter)),
    (K::Operation, &["requestBody"], One(K::RequestBody)),
    (K::Operation, &["responses"], Map(K::Response)),
    (K::Operation, &["callbacks"], Map(K::Callback)),
    (K::Operation, &["x-wireform-long-running"], Map(K::Schema)),
    (K::Operation, &["servers"], One(K::Plain)),
    (K::Parameter, &["schema"], One(K::Schema)),
    (K::Parameter, &["content"], Map(K::MediaType)),
    (K::Parameter, &["examples"], Map(K::Example)),
    (K::Header, &["schema"], One(K::Schema)),
    (K::Header, &["content"], Map(K::MediaType)),
    (K::Header, &["examples"], Map(K::Example)),
    (K::RequestBody, &["content"], Map(K::MediaType)),
    (K::Response, &["content"], Map(K::MediaType)),
    (K::Response, &["headers"], Map(K::Header)),
    (K::Response, &["links"], Map(K::Link)),
    (K::MediaType, &["schema"], One(K::Schema)),
    (K::MediaType, &["examples"], Map(K::Example)),
    (K::MediaType, &["encoding"], Map(K::Encoding)),
    (K::Encoding, &["headers"], Map(K::Header)),
    (K::Schema, &["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"], Map(K::Schema)),
    (
        K::Schema,
        &[
            "additionalItems",
            "additionalProperties",
            "contains",
            "contentSchema",
            "else",
            "if",
            "items",
            "not",
            "propertyNames",
            "then",
            "unevaluatedItems",
            "unevaluatedProperties",
        ],
        One(K::Schema),
    ),
    (K::Schema, &["allOf", "anyOf", "oneOf", "prefixItems"], List(K::Schema)),
    (K::Schema, &["discriminator"], One(K::Discriminator)),
    (K::Discriminator, &["mapping"], Mapping),
];

impl Position {
    /// Returns the position of a part of a document.
    pub fn of_path(path: &[String]) -> Self {
        path.iter().fold(One(K::Document), |position, segment| match position {
            List(_) => position.element(),
            _ => position.member(segment),
        })
    }

    /// Returns the position of a member.
    pub fn member(self, key: &str) -> Self {
        match self {
            Map(K::PathItem) | One(K::Callback) if key.starts_with("x-") => Opaque,
            Map(kind) => One(kind),
            One(K::Callback) => One(K::PathItem),
            One(kind) => {
                let found = POSITIONS.iter().find(|(of, keys, _)| *of == kind && keys.contains(&key));
                found.map_or(Opaque, |(.., position)| *position)
            }
            List(_) | Mapping | Opaque => Opaque,
        }
    }

    /// Returns the kind of the component that a reference at this position leads to, and the section of these.
    pub fn component(self) -> Option<(Kind, &'static str)> {
        match self {
            One(kind) => kind.section().map(|section| (kind, section)),
            Mapping => Some((K::Schema, "schemas")),
            List(_) | Map(_) | Opaque => None,
        }
    }

    /// Returns the position of the elements of a list.
    pub const fn element(self) -> Self {
        match self {
            One(kind) | List(kind) => One(kind),
            Map(_) | Mapping | Opaque => Opaque,
        }
    }
}
