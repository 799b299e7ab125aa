//! Names in the engine's global scope before a file is declared in it.

/// Names of the JavaScript globals, in byte order.
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

/// Set of the first bytes of names, as bits.
const FIRST: u128 = {
    let (mut bits, mut index) = (0, 0);
    while index < NAMES.len() {
        bits |= 1 << NAMES[index].as_bytes()[0];
        index += 1;
    }
    bits
};

/// Returns whether the global scope has a name.
pub(super) fn contains(name: &str) -> bool {
    let first = name.as_bytes().first().copied().unwrap_or_default();
    FIRST.checked_shr(first.into()).is_some_and(|bits| bits & 1 == 1) && NAMES.binary_search(&name).is_ok()
}
