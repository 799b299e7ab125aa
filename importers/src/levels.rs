//! How deep types are.

use serde_yaml::Value;

/// The deepest type that the schema language reads.
pub const MAX_DEPTH: usize = 8;

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

/// Whether a type is too deep to be read back.
pub fn is_too_deep(ty: &Value) -> bool {
    levels(ty) > MAX_DEPTH
}

/// The levels of a type: one of each list or map around a name.
fn levels(ty: &Value) -> usize {
    match ty {
        Value::Sequence(items) => 1 + items.first().map_or(0, levels),
        Value::Mapping(map) => 1 + map.values().next().map_or(0, levels),
        _ => 0,
    }
}
