//! Application of the operations of a patch.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use super::{JsonPatchOperation, JsonPointer};

/// Maximum depth of the result, the depth that can be parsed again.
const MAX_DEPTH: usize = 127;

/// Maximum number of bytes that are copied, moved or shifted within arrays. A patch of a few kilobytes could otherwise
/// multiply a value without limit.
const MAX_WORK: usize = 64 << 20;

/// Cost of a value with its slot in an array or an object.
const VALUE_COST: usize = 64;
/// Cost of a shifted element, which takes time but no memory.
const SHIFT_COST: usize = 16;
/// Cost of an object with members: its allocation has room for eleven.
const OBJECT_COST: usize = 640;

/// Error of applying an operation of a patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonPatchError {
    /// Index of the operation in the patch; absent if the result of all of them is invalid.
    pub operation: Option<usize>,
    /// Location within the value.
    pub path: JsonPointer,
    /// Kind of the error.
    pub kind: JsonPatchErrorKind,
}

/// Kind of a [`JsonPatchError`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonPatchErrorKind {
    /// No value exists at the location.
    NotFound,
    /// The location leads through a value that is neither an object nor an array.
    NotAContainer,
    /// The index of an element is malformed or out of bounds.
    InvalidIndex,
    /// The value is not equal to that of a `test`.
    NotEqual,
    /// A value cannot be moved into itself.
    MoveIntoSelf,
    /// The result would be nested too deeply.
    TooDeep,
    /// The patch would copy or move too much.
    TooLarge,
    /// The result is not a value of its type, for this reason.
    Invalid(String),
}

impl fmt::Display for JsonPatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operation) = self.operation {
            let path = self.path.as_str().escape_debug().to_string();
            write!(f, "operation {operation} at `{path:.200}`: ")?;
        }
        match &self.kind {
            JsonPatchErrorKind::NotFound => f.write_str("the value does not exist"),
            JsonPatchErrorKind::NotAContainer => f.write_str("a parent value is neither an object nor an array"),
            JsonPatchErrorKind::InvalidIndex => f.write_str("invalid index of an element"),
            JsonPatchErrorKind::NotEqual => f.write_str("the value differs from that of the test"),
            JsonPatchErrorKind::MoveIntoSelf => f.write_str("a value cannot be moved into itself"),
            JsonPatchErrorKind::TooDeep => f.write_str("the result is nested too deep"),
            JsonPatchErrorKind::TooLarge => f.write_str("the patch copies or moves too much data"),
            JsonPatchErrorKind::Invalid(reason) => write!(f, "invalid result: {reason}"),
        }
    }
}

impl std::error::Error for JsonPatchError {}

/// Creates the error of a patch whose result is not a valid value.
pub(super) fn invalid_result(error: &dyn fmt::Display) -> JsonPatchError {
    let kind = JsonPatchErrorKind::Invalid(error.to_string());
    JsonPatchError { operation: None, path: JsonPointer::root(), kind }
}

/// Applies operations to a value that no one else sees until all of them succeeded.
pub(super) fn apply(operations: &[JsonPatchOperation], value: Value) -> Result<Value, JsonPatchError> {
    let mut document = Document { root: value, work: MAX_WORK };
    for (index, operation) in operations.iter().enumerate() {
        document.apply(operation).map_err(|(path, kind)| JsonPatchError {
            operation: Some(index),
            path: path.clone(),
            kind,
        })?;
    }
    Ok(document.root)
}

/// Result with the path of the operation that failed.
type OperationResult<'p, T> = Result<T, (&'p JsonPointer, JsonPatchErrorKind)>;

/// Document to which operations are applied.
struct Document {
    root: Value,
    /// Remaining work.
    work: usize,
}

impl Document {
    /// Applies one operation. After an error the document may be partly changed.
    fn apply<'p>(&mut self, operation: &'p JsonPatchOperation) -> OperationResult<'p, ()> {
        match operation {
            JsonPatchOperation::Add { path, value } => {
                Self::check_depth(value, path)?;
                self.add(path, value.clone())
            }
            JsonPatchOperation::Remove { path } => self.remove(path).map(drop),
            JsonPatchOperation::Replace { path, value } => {
                Self::check_depth(value, path)?;
                *find(&mut self.root, path)? = value.clone();
                Ok(())
            }
            JsonPatchOperation::Move { from, path } => {
                if from.is_ancestor_of(path) {
                    return Err((path, JsonPatchErrorKind::MoveIntoSelf));
                }
                if from == path {
                    return find(&mut self.root, from).map(drop);
                }
                let value = self.remove(from)?;
                self.charge(&value, path)?;
                self.add(path, value)
            }
            JsonPatchOperation::Copy { from, path } => {
                // Measured before it is copied.
                let value = std::mem::take(find(&mut self.root, from)?);
                let measured = self.charge(&value, path);
                let copy = measured.map(|()| value.clone());
                if let Ok(slot) = find(&mut self.root, from) {
                    *slot = value;
                }
                self.add(path, copy?)
            }
            JsonPatchOperation::Test { path, value } => {
                let equal = json_eq(find(&mut self.root, path)?, value);
                if equal { Ok(()) } else { Err((path, JsonPatchErrorKind::NotEqual)) }
            }
        }
    }

    /// Checks that a value of the patch is not too deep at a location. The patch itself bounds its size.
    fn check_depth<'p>(value: &Value, path: &'p JsonPointer) -> OperationResult<'p, ()> {
        Self { root: Value::Null, work: usize::MAX }.charge(value, path)
    }

    /// Subtracts the size of a value from the remaining work, and checks that it is not too deep at a location.
    fn charge<'p>(&mut self, value: &Value, path: &'p JsonPointer) -> OperationResult<'p, ()> {
        let above = path.tokens().take(MAX_DEPTH + 1).count();
        let mut open = vec![(value, above)];
        while let Some((value, depth)) = open.pop() {
            let is_object = matches!(value, Value::Object(members) if !members.is_empty());
            self.spend_work(if is_object { VALUE_COST + OBJECT_COST } else { VALUE_COST }, path)?;
            let within = depth + usize::from(matches!(value, Value::Array(_) | Value::Object(_)));
            if within > MAX_DEPTH {
                return Err((path, JsonPatchErrorKind::TooDeep));
            }
            match value {
                Value::Array(items) => open.extend(items.iter().map(|item| (item, within))),
                Value::Object(members) => {
                    for (name, member) in members {
                        self.spend_work(name.len(), path)?;
                        open.push((member, within));
                    }
                }
                Value::String(text) => self.spend_work(text.len(), path)?,
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        Ok(())
    }

    /// Subtracts from the remaining work; an error at the path if it is exhausted.
    fn spend_work<'p>(&mut self, work: usize, path: &'p JsonPointer) -> OperationResult<'p, ()> {
        self.work = self.work.checked_sub(work).ok_or((path, JsonPatchErrorKind::TooLarge))?;
        Ok(())
    }

    /// Inserts a value: replaces a field or the root, shifts later elements of a list, or appends at `-`.
    fn add<'p>(&mut self, path: &'p JsonPointer, value: Value) -> OperationResult<'p, ()> {
        let Some((parent, last)) = split(&mut self.root, path)? else {
            self.root = value;
            return Ok(());
        };
        match parent {
            Value::Object(members) => drop(members.insert(last.into_owned(), value)),
            Value::Array(items) => {
                let at =
                    if last == "-" { Some(items.len()) } else { parse_index(&last).filter(|at| *at <= items.len()) };
                let at = at.ok_or((path, JsonPatchErrorKind::InvalidIndex))?;
                let shifted = items.len() - at;
                items.insert(at, value);
                self.spend_work(shifted * SHIFT_COST, path)?;
            }
            _ => return Err((path, JsonPatchErrorKind::NotAContainer)),
        }
        Ok(())
    }

    /// Removes and returns the value at the path; the root becomes null.
    fn remove<'p>(&mut self, path: &'p JsonPointer) -> OperationResult<'p, Value> {
        let Some((parent, last)) = split(&mut self.root, path)? else {
            return Ok(std::mem::take(&mut self.root));
        };
        match parent {
            Value::Object(members) => members.remove(&*last).ok_or((path, JsonPatchErrorKind::NotFound)),
            Value::Array(items) => {
                let at = parse_index(&last).filter(|at| *at < items.len());
                let at = at.ok_or((path, JsonPatchErrorKind::InvalidIndex))?;
                let shifted = items.len() - at;
                let value = items.remove(at);
                self.spend_work(shifted * SHIFT_COST, path)?;
                Ok(value)
            }
            _ => Err((path, JsonPatchErrorKind::NotAContainer)),
        }
    }
}

/// Returns the value at a location.
fn find<'d, 'p>(root: &'d mut Value, path: &'p JsonPointer) -> OperationResult<'p, &'d mut Value> {
    path.tokens().try_fold(root, |at, token| descend(at, &token).map_err(|kind| (path, kind)))
}

/// Returns the parent of a location, and the last name or index; `None` for the whole value.
#[allow(clippy::type_complexity)]
fn split<'d, 'p>(
    root: &'d mut Value,
    path: &'p JsonPointer,
) -> OperationResult<'p, Option<(&'d mut Value, Cow<'p, str>)>> {
    let mut tokens = path.tokens();
    let Some(last) = tokens.next_back() else { return Ok(None) };
    let parent = tokens.try_fold(root, |at, token| descend(at, &token).map_err(|kind| (path, kind)))?;
    Ok(Some((parent, last)))
}

/// Returns the member or element of a value that a token of a pointer names.
fn descend<'d>(at: &'d mut Value, token: &str) -> Result<&'d mut Value, JsonPatchErrorKind> {
    match at {
        Value::Object(members) => members.get_mut(token).ok_or(JsonPatchErrorKind::NotFound),
        Value::Array(items) => {
            let element = parse_index(token).and_then(|at| items.get_mut(at));
            element.ok_or(JsonPatchErrorKind::InvalidIndex)
        }
        _ => Err(JsonPatchErrorKind::NotAContainer),
    }
}

/// Parses the index of an element (RFC 6901, section 4): digits without a leading zero.
fn parse_index(token: &str) -> Option<usize> {
    let is_plain = token == "0" || !token.starts_with('0');
    (is_plain && token.bytes().all(|byte| byte.is_ascii_digit())).then(|| token.parse().ok()).flatten()
}

/// Returns whether two values are equal (RFC 6902, section 4.6): numbers numerically, objects regardless of the order
/// of their members.
fn json_eq(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            a == b || {
                // Integers beyond 53 bits are not exact as floats, so a float is compared with an integer exactly.
                let float = |number: &serde_json::Number| if number.is_f64() { number.as_f64() } else { None };
                match (float(a), float(b)) {
                    (Some(float), None) => float_equals_integer(float, b),
                    (None, Some(float)) => float_equals_integer(float, a),
                    (Some(a), Some(b)) => a == b,
                    (None, None) => false,
                }
            }
        }
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| json_eq(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| json_eq(a, b)))
        }
        (a, b) => a == b,
    }
}

/// Returns whether a float equals an integer exactly.
#[allow(clippy::cast_possible_truncation)]
fn float_equals_integer(float: f64, number: &serde_json::Number) -> bool {
    // All integers of JSON values are within these limits, and conversions within them are exact.
    let is_near = float.fract() == 0.0 && float.abs() < 2_f64.powi(65);
    let whole = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    is_near && whole == Some(float as i128)
}
