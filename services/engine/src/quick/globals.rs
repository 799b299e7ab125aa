//! The names that the global scope of the engine has before a file is declared in it.

/// The names in the order of their bytes.
pub(crate) const NAMES: &[&str] = &[
    "AggregateError",
    "Array",
    "AsyncDisposableStack",
    "BigInt",
    "Boolean",
    "DisposableStack",
    "Error",
    "EvalError",
    "Function",
    "Infinity",
    "InternalError",
    "Iterator",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "RangeError",
    "ReferenceError",
    "Reflect",
    "RegExp",
    "String",
    "SuppressedError",
    "Symbol",
    "SyntaxError",
    "TypeError",
    "URIError",
    "decodeURI",
    "decodeURIComponent",
    "encodeURI",
    "encodeURIComponent",
    "escape",
    "eval",
    "globalThis",
    "isFinite",
    "isNaN",
    "parseFloat",
    "parseInt",
    "queueMicrotask",
    "undefined",
    "unescape",
];

/// The bytes that names begin with, a bit for each.
const FIRST: u128 = {
    let (mut bits, mut index) = (0, 0);
    while index < NAMES.len() {
        bits |= 1 << NAMES[index].as_bytes()[0];
        index += 1;
    }
    bits
};

/// Whether the global scope has a name.
pub(super) fn contain(name: &str) -> bool {
    let first = name.as_bytes().first().copied().unwrap_or_default();
    FIRST.checked_shr(first.into()).is_some_and(|bits| bits & 1 == 1) && NAMES.binary_search(&name).is_ok()
}
