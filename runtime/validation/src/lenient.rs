//! Reads a body that may be wrong, and tells everything that is wrong with it at once.
//!
//! A body that decodes is decoded in one pass, as ever. One that does not is read again into a tree, and decoded
//! from there: each member that cannot be decoded is told of and cut off, until the rest decodes. Then the rules are
//! checked on what is left, and what they say about members that were cut off is left out.
//!
//! Members that a server drops from the body of a request are cut off first, whatever they hold, and nothing is said of
//! them.

mod cut;
mod decode;
mod fault;
mod order;
mod tree;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

use serde::Deserializer;
use serde::de::IgnoredAny;
use wireform_runtime::FromWire;
use wireform_runtime::fields::Shape;
use wireform_runtime::json::{self, DecodeError, DecodeErrorKind};

use crate::checker::Checker;
use crate::context::Context;
use crate::path::{Path, PathStep, Within};
use crate::shapes::{self, Sources};
use crate::validates::Validates;
use crate::violation::{Kind, TextPlace, Violation};
use crate::violations::{Violations, Warnings};

use cut::Cut;
pub(crate) use cut::path as tree_path;
use decode::Decoder;
pub(crate) use tree::{NodeKind, Tree};

/// How a body is read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'a> {
    /// What it is checked for.
    pub context: Context<'a>,
    /// How much is done for a body that is wrong.
    pub limits: Limits,
    /// The members of the body.
    pub shape: Option<&'static Shape>,
    /// The lines of the schema.
    pub sources: &'static Sources,
    /// Whether warnings about a body that passes are placed in its text, too. It costs a second look at the text,
    /// which a server spares that passes the body on.
    pub places_warnings: bool,
}

/// How much is done for a body that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most values, those in lists and objects included. Of a body with more only the first mistake is told.
    pub most_values: usize,
    /// How often the body is decoded, which is once for each member of a wrong type.
    pub most_rounds: usize,
    /// How many bytes are decoded in all rounds together. Two rounds there are always.
    pub most_bytes: usize,
}

impl Limits {
    /// Enough for whatever a person writes, and little for whoever means harm.
    pub const DEFAULT: Self = Self { most_values: 100_000, most_rounds: 64, most_bytes: 16 << 20 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl<'a> Reading<'a> {
    /// In that context, without facts of the schema.
    #[must_use]
    pub const fn new(context: Context<'a>) -> Self {
        let (shape, sources) = (None, &Sources::NONE);
        Self { context, limits: Limits::DEFAULT, shape, sources, places_warnings: true }
    }

    /// In that context, with the facts that these rules have of `T`.
    #[must_use]
    pub const fn of<T: ?Sized, V: Validates<T>>(context: Context<'a>) -> Self {
        Self { shape: V::SHAPE, sources: V::SOURCES, ..Self::new(context) }
    }

    /// Without the places of warnings about a body that passes; they come in the order of the schema.
    #[must_use]
    pub const fn without_places_of_warnings(mut self) -> Self {
        self.places_warnings = false;
        self
    }
}

/// Reads a body and checks it. `check` is called with what could be read, and is what the rules are for; it may make
/// of it what the caller wants to have, such as the whole request.
///
/// # Errors
/// All violations in the order of the text, with the line and the column of each, when there is an error among them.
pub fn read<T, R>(
    bytes: &[u8],
    reading: &Reading<'_>,
    check: impl FnOnce(T, &mut Checker<'_>) -> R,
) -> Result<(R, Warnings), Violations>
where
    T: for<'de> FromWire<'de>,
{
    match decoded::<T>(bytes) {
        Ok(value) => checked(value, bytes, reading, check),
        Err(error) => read_again::<T, R>(bytes, &error, reading, check),
    }
}

/// Checks a body that could be decoded.
#[inline]
fn checked<T, R>(
    value: T,
    bytes: &[u8],
    reading: &Reading<'_>,
    check: impl FnOnce(T, &mut Checker<'_>) -> R,
) -> Result<(R, Warnings), Violations> {
    let mut checker = Checker::new(reading.context);
    let made = check(value, &mut checker);
    if checker.count() > 0 && checker.passes() && !reading.places_warnings {
        shapes::settle(checker.violations_mut(), reading.context.operation, reading.shape, reading.sources);
    } else if checker.count() > 0 {
        order::place(checker.violations_mut(), bytes, reading);
    }
    checker.finish().map(|warnings| (made, warnings))
}

/// Decodes a body. To know once that all of it is UTF-8 is faster than to ask of every text in it.
#[inline]
fn decoded<T: for<'de> FromWire<'de>>(bytes: &[u8]) -> Result<T, DecodeError> {
    match std::str::from_utf8(bytes) {
        Ok(text) => json::from_str(text),
        Err(_) => json::from_slice(bytes),
    }
}

/// Reads a body that does not decode: without what a server drops, and if it does not decode so, finds all that is wrong
/// with it.
#[cold]
fn read_again<T, R>(
    bytes: &[u8],
    error: &DecodeError,
    reading: &Reading<'_>,
    check: impl FnOnce(T, &mut Checker<'_>) -> R,
) -> Result<(R, Warnings), Violations>
where
    T: for<'de> FromWire<'de>,
{
    let tree = match Tree::read(bytes, reading.limits.most_values) {
        Ok(tree) => tree,
        Err(broken) => return Err(broken.unwrap_or_else(|| only(error, true))),
    };
    let mut cut = Cut::new(&tree, reading.shape);
    if cut.drop_output_only(reading)
        && let Ok(value) = decoded::<T>(cut.text().as_bytes())
    {
        return checked(value, bytes, reading, check);
    }
    Err(faults::<T>(bytes, error, reading, cut, |value, checker| drop(check(value, checker))))
}

/// Finds all that is wrong with a body that does not decode.
fn faults<T>(
    bytes: &[u8],
    error: &DecodeError,
    reading: &Reading<'_>,
    mut cut: Cut<'_>,
    check: impl FnOnce(T, &mut Checker<'_>),
) -> Violations
where
    T: for<'de> FromWire<'de>,
{
    let mut checker = Checker::new(reading.context);
    let mut rounds = Rounds::new(reading.limits);
    let mut kept = true;
    let value = loop {
        if !rounds.next(bytes.len()) {
            break None;
        }
        match T::from_wire(Decoder::root(cut.tree(), &cut)) {
            Ok(value) => break Some(value),
            Err(fault) => kept = cut.record(fault, &mut checker),
        }
        if !kept {
            break None;
        }
    };
    let unfinished = value.is_none() && kept;
    let mut rules = Checker::new(reading.context);
    if let Some(value) = value {
        check(value, &mut rules);
    }
    if checker.count() == 0 && !unfinished {
        // What the text was refused for does not show in the tree.
        checker.push(of_error(error));
    }
    merge(checker, rules, &cut, unfinished, reading)
}

/// Counts what is done.
struct Rounds {
    limits: Limits,
    rounds: usize,
    bytes: usize,
}

impl Rounds {
    const fn new(limits: Limits) -> Self {
        Self { limits, rounds: 0, bytes: 0 }
    }

    /// Returns whether there is another round.
    fn next(&mut self, bytes: usize) -> bool {
        self.rounds += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        self.rounds <= 2 || (self.rounds <= self.limits.most_rounds && self.bytes <= self.limits.most_bytes)
    }
}

/// Puts together what decoding and the rules have said.
fn merge(types: Checker<'_>, rules: Checker<'_>, cut: &Cut<'_>, unfinished: bool, reading: &Reading<'_>) -> Violations {
    let (types, rules) = (types.into_violations(), rules.into_violations());
    let mut more = types.more() + rules.more();
    let mut list: Vec<Violation> = types.into_iter().collect();
    list.extend(rules.into_iter().filter_map(|violation| cut.settle(violation)));
    order::place_in(&mut list, cut.tree(), reading);
    let most = reading.context.most.max(1);
    let mut spare = list.len().saturating_sub(most);
    more += spare;
    // Warnings go first: the body is refused, and what for is to be told.
    let mut place = list.len();
    while spare > 0 && place > 0 {
        place -= 1;
        if list.get(place).is_some_and(|violation| !violation.is_error()) {
            list.remove(place);
            spare -= 1;
        }
    }
    list.truncate(most);
    Violations::new(list, more, unfinished)
}

/// Returns a body of which only the first mistake is known.
fn only(error: &DecodeError, unfinished: bool) -> Violations {
    Violations::new(vec![of_error(error)], 0, unfinished)
}

/// Returns an error of decoding as a violation. Its message may repeat the value; what was expected is enough.
fn of_error(error: &DecodeError) -> Violation {
    let mut path = Path::new(Within::Body);
    if !error.path.is_empty() {
        path.push(PathStep::Spelled(error.path.clone()));
    }
    let (rule, kind, message) = match error.kind {
        DecodeErrorKind::Data => {
            let expected = error.message.rsplit_once(", expected ").map(|(_, expected)| format!("must be {expected}"));
            let echoes = error.message.starts_with("invalid type") || error.message.starts_with("invalid value");
            let unsaid = || if echoes { Cow::Borrowed("is not of its type") } else { error.message.clone().into() };
            ("type", Kind::Type, expected.map_or_else(unsaid, Cow::Owned))
        }
        _ => ("json", Kind::Syntax, format!("the text is not JSON: {}", error.message).into()),
    };
    let mut violation = Violation::of_text(path, rule, kind, message);
    if error.line > 0 {
        violation.place = Some(TextPlace { line: error.line, column: error.column });
    }
    violation
}

/// Reads JSON of any kind, and keeps nothing of it.
struct Skipped;

impl<'de> FromWire<'de> for Skipped {
    fn from_wire<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_ignored_any(IgnoredAny).map(|_| Self)
    }
}

/// What is wrong with a text that is not JSON.
fn broken(bytes: &[u8]) -> Option<Violations> {
    if let Err(error) = json::from_slice::<Skipped>(bytes) {
        return Some(only(&error, false));
    }
    let error = std::str::from_utf8(bytes).err()?;
    let mut violation =
        Violation::of_text(Path::new(Within::Body), "json", Kind::Syntax, "the text is not JSON: it is not UTF-8");
    violation.place = Some(order::text_place(bytes, error.valid_up_to()));
    Some(Violations::new(vec![violation], 0, false))
}
