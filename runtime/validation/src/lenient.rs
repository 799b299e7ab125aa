//! Lenient reading of a body, which reports all of its violations at once.
//!
//! A valid body is decoded in one pass. One that does not decode is parsed into a tree, and decoded from there: each
//! field that cannot be decoded is reported and removed, until the rest decodes. Then the rules are checked on the
//! rest, and violations that depend on removed fields are dropped.
//!
//! Fields that a server drops from the body of a request are removed first, regardless of their values, and not
//! reported.

mod decode;
mod issue;
mod options;
mod order;
mod prune;
mod tree;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde::Deserializer;
use serde::de::IgnoredAny;
use wireform_runtime::FromWire;
use wireform_runtime::json::{self, DecodeError, DecodeErrorKind};

use crate::checker::Checker;
use crate::path::{Path, PathRoot, PathStep};
use crate::shapes;
use crate::violation::{TextPosition, Violation, ViolationKind};
use crate::violations::{Violations, Warnings};

use decode::Decoder;
pub use options::{ReadLimits, ReadOptions};
use prune::PrunedTree;
pub(crate) use prune::node_path as tree_path;
pub(crate) use tree::{NodeKind, Tree};

/// Reads and validates a body. `check` receives the decoded value and applies the rules; its result, such as the whole
/// request, is returned.
///
/// # Errors
/// Returns the violations in the order of the text, with line and column, if at least one of them is an error; as many
/// as the limits allow.
pub fn read_body<T, R>(
    bytes: &[u8],
    options: &ReadOptions<'_>,
    check: impl FnOnce(T, &mut Checker<'_>) -> R,
) -> Result<(R, Warnings), Violations>
where
    T: for<'de> FromWire<'de>,
{
    let (mut check, mut result) = (Some(check), None);
    let mut check = |value: T, checker: &mut Checker<'_>| result = check.take().map(|check| check(value, checker));
    let warnings = match json::from_slice(bytes) {
        Ok(value) => validate(value, bytes, options, &mut check),
        Err(error) => read_invalid(bytes, &error, options, &mut check),
    }?;
    result.map(|result| (result, warnings)).ok_or_else(Violations::default)
}

/// Function that checks a decoded value. It is a trait object, so that the code of invalid bodies is compiled once for
/// each type.
pub(crate) type Check<'c, T> = &'c mut dyn FnMut(T, &mut Checker<'_>);

/// Validates a body that was decoded.
fn validate<T>(value: T, bytes: &[u8], options: &ReadOptions<'_>, check: Check<'_, T>) -> Result<Warnings, Violations> {
    let mut checker = Checker::new(options.context);
    check(value, &mut checker);
    finish(checker, bytes, options)
}

/// Sorts and locates the violations of a body that was decoded.
///
/// # Errors
/// Returns the violations if at least one of them is an error.
pub(crate) fn finish(
    mut checker: Checker<'_>,
    bytes: &[u8],
    options: &ReadOptions<'_>,
) -> Result<Warnings, Violations> {
    if checker.violation_count() > 0 && checker.has_no_errors() && !options.locate_warnings {
        shapes::sort_and_annotate(checker.violations_mut(), options.context.operation, options.shape, options.sources);
    } else if checker.violation_count() > 0 {
        order::locate(checker.violations_mut(), bytes, options);
    }
    checker.finish()
}

/// Reads a body that does not decode: first without fields that a server drops, and if that fails with the collection
/// of all violations.
///
/// # Errors
/// Returns the violations if at least one of them is an error.
#[cold]
pub(crate) fn read_invalid<T>(
    bytes: &[u8],
    error: &DecodeError,
    options: &ReadOptions<'_>,
    check: Check<'_, T>,
) -> Result<Warnings, Violations>
where
    T: for<'de> FromWire<'de>,
{
    let tree = match Tree::read(bytes, options.limits.max_values) {
        Ok(tree) => tree,
        Err(broken) => return Err(broken.unwrap_or_else(|| single_violation(error, true))),
    };
    let mut pruned = PrunedTree::new(&tree, options.shape);
    if pruned.drop_output_only(options)
        && let Ok(value) = json::from_slice::<T>(pruned.remaining_text().as_bytes())
    {
        return validate(value, bytes, options, check);
    }
    Err(collect_violations(bytes, error, options, pruned, check))
}

/// Collects all violations of a body that does not decode.
fn collect_violations<T>(
    bytes: &[u8],
    error: &DecodeError,
    options: &ReadOptions<'_>,
    mut pruned: PrunedTree<'_>,
    check: Check<'_, T>,
) -> Violations
where
    T: for<'de> FromWire<'de>,
{
    let mut checker = Checker::new(options.context);
    let mut rounds = Rounds::new(options.limits);
    let mut kept = true;
    let value = loop {
        if !rounds.next(bytes.len()) {
            break None;
        }
        match T::from_wire(Decoder::root(pruned.tree(), &pruned)) {
            Ok(value) => break Some(value),
            Err(fault) => kept = pruned.prune(fault, &mut checker),
        }
        if !kept {
            break None;
        }
    };
    let unfinished = value.is_none() && kept;
    let mut rules = Checker::new(options.context);
    if let Some(value) = value {
        check(value, &mut rules);
    }
    if checker.violation_count() == 0 && !unfinished {
        // The tree does not contain the reason why the text was rejected.
        checker.push(from_decode_error(error));
    }
    merge(checker, rules, &pruned, unfinished, options)
}

/// Counter of the work.
struct Rounds {
    limits: ReadLimits,
    rounds: usize,
    bytes: usize,
}

impl Rounds {
    const fn new(limits: ReadLimits) -> Self {
        Self { limits, rounds: 0, bytes: 0 }
    }

    /// Returns whether another round is allowed.
    fn next(&mut self, bytes: usize) -> bool {
        self.rounds += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.rounds <= 2 || (self.rounds <= self.limits.max_rounds && self.bytes <= self.limits.max_bytes)
    }
}

/// Merges the violations of decoding and of the rules.
fn merge(
    types: Checker<'_>,
    rules: Checker<'_>,
    pruned: &PrunedTree<'_>,
    unfinished: bool,
    options: &ReadOptions<'_>,
) -> Violations {
    let (types, rules) = (types.into_violations(), rules.into_violations());
    let mut more = types.omitted() + rules.omitted();
    let mut list: Vec<Violation> = types.into_iter().collect();
    list.extend(rules.into_iter().filter_map(|violation| pruned.resolve(violation)));
    order::locate_in(&mut list, pruned.tree(), options);
    let max_violations = options.context.max_violations.max(1);
    let mut excess = list.len().saturating_sub(max_violations);
    more += excess;
    // Warnings are dropped first: the body is rejected, and the errors are the reason.
    let mut place = list.len();
    while excess > 0 && place > 0 {
        place -= 1;
        if list.get(place).is_some_and(|violation| !violation.is_error()) {
            list.remove(place);
            excess -= 1;
        }
    }
    list.truncate(max_violations);
    Violations::new(list, more, unfinished)
}

/// Returns the violations of a body with a single known error.
fn single_violation(error: &DecodeError, unfinished: bool) -> Violations {
    Violations::new(vec![from_decode_error(error)], 0, unfinished)
}

/// Converts an error of decoding to a violation. Its message may repeat the value, so only the expected type is kept.
fn from_decode_error(error: &DecodeError) -> Violation {
    let mut path = Path::new(PathRoot::Body);
    if !error.path.is_empty() {
        path.push(PathStep::Formatted(error.path.clone()));
    }
    let (rule, kind, message) = match error.kind {
        DecodeErrorKind::Data => {
            let expected = error.message.rsplit_once(", expected ").map(|(_, expected)| format!("must be {expected}"));
            let echoes = error.message.starts_with("invalid type") || error.message.starts_with("invalid value");
            let fallback = || if echoes { Cow::Borrowed("has the wrong type") } else { error.message.clone().into() };
            ("type", ViolationKind::Type, expected.map_or_else(fallback, Cow::Owned))
        }
        _ => ("json", ViolationKind::Syntax, format!("invalid JSON: {}", error.message).into()),
    };
    let mut violation = Violation::new(path, rule, kind, message);
    if error.line > 0 {
        violation.position = Some(TextPosition { line: error.line, column: error.column });
    }
    violation
}

/// JSON value that is skipped.
struct IgnoredValue;

impl<'de> FromWire<'de> for IgnoredValue {
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_ignored_any(IgnoredAny).map(|_| Self)
    }
}

/// Returns the violation of a text that is not JSON.
fn syntax_violations(bytes: &[u8]) -> Option<Violations> {
    if let Err(error) = json::from_slice::<IgnoredValue>(bytes) {
        return Some(single_violation(&error, false));
    }
    let error = std::str::from_utf8(bytes).err()?;
    let mut violation =
        Violation::new(Path::new(PathRoot::Body), "json", ViolationKind::Syntax, "invalid JSON: invalid UTF-8");
    violation.position = Some(order::text_position(bytes, error.valid_up_to()));
    Some(Violations::new(vec![violation], 0, false))
}
