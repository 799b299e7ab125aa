//! Keywords of schemas.

/// Annotations, which do not constrain values.
pub const ANNOTATIONS: [&str; 20] = [
    "$ref",
    "$comment",
    "$id",
    "$schema",
    "$anchor",
    "$defs",
    "default",
    "deprecated",
    "description",
    "discriminator",
    "example",
    "examples",
    "externalDocs",
    "nullable",
    "readOnly",
    "summary",
    "title",
    "writeOnly",
    "xml",
    "allOf",
];

/// Keywords that limit a value without defining its type.
pub const LIMITS: [&str; 14] = [
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "uniqueItems",
];

/// Keywords that define the kind of values; together with [`LIMITS`], all that constrain values.
pub const STRUCTURE: [&str; 14] = [
    "additionalProperties",
    "anyOf",
    "const",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "enum",
    "items",
    "oneOf",
    "prefixItems",
    "properties",
    "required",
    "type",
    "unevaluatedProperties",
];
