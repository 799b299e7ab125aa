//! How deep types are.

pub use wireform_codegen::schema::types::MAX_DEPTH;

/// The most schemas without members that are written out one in another: a longer chain would only make types that are
/// too deep, and is followed by functions that call one another.
pub const MAX_OPEN: usize = 16;

/// The most schemas without names that are written one in another.
pub const MAX_NESTED: usize = 64;

/// The most members that all objects have together: schemas that take over the members of each other can multiply them
/// without end. The largest documents in public have some ten thousand.
pub const MAX_MEMBERS: usize = 1_000_000;

/// What is told of a type that is deeper.
pub const TOO_DEEP: &str = "becomes `any`: a type has at most 8 levels";
