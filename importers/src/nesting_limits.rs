//! Limits of the nesting of types.

pub use wireform_codegen::schema::types::MAX_DEPTH;

/// Maximum number of nested inlined schemas: a longer chain would only create types that are too deep, and deep
/// recursion.
pub const MAX_OPEN: usize = 16;

/// Maximum nesting depth of unnamed schemas.
pub const MAX_NESTED: usize = 64;

/// Maximum total number of members of all objects: schemas that include the members of each other can multiply them
/// without bound. The largest public documents have some ten thousand.
pub const MAX_MEMBERS: usize = 1_000_000;

/// Loss of a type that is too deep.
pub const TOO_DEEP: &str = "becomes `any`: types are nested at most 8 levels deep";

/// Maximum number of schemas that are merged into others, by `allOf`, references and alternatives. Schemas that include
/// each other can multiply them without bound. A public document of a megabyte has some ten thousand.
pub const MAX_MERGES: usize = 1_000_000;

/// Maximum total size of the patterns of a document, and of their tables. A pattern that is too large counts as one of the
/// maximum size. The largest public documents have some hundred different patterns of a kibibyte each.
pub const MAX_PATTERN_WORK: usize = 4 << 20;

/// Loss of a pattern that is not compiled any more.
pub const TOO_MANY_PATTERNS: &str = "the patterns of the document are too large in total";

/// Loss of a schema that is not merged any more.
pub const TOO_MANY_MERGES: &str = "left out: the schemas of the document include each other too often";
