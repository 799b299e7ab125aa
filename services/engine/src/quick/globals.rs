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

/// Whether the global scope has a name.
pub(super) fn contain(name: &str) -> bool {
    NAMES.binary_search(&name).is_ok()
}
