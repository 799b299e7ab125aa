//! What a schema can say.

/// Keys that say something about a value, and not which values there are.
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

/// Keys that limit a value whose type something else says.
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

/// Keys that say what kind of values there are; with [`LIMITS`], all that say which there are.
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
