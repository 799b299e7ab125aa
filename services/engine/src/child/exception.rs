//! Exceptions of a script.

use rquickjs::{Ctx, Value as Js};

use super::text::{MAX_NAME, to_text, truncate_to};
use crate::{Frame, Outcome, ScriptError};

/// Maximum length of the message of an error.
const MAX_MESSAGE: usize = 16 << 10;
/// Maximum number of frames of a stack.
const MAX_FRAMES: usize = 64;
/// Prefix of the platform's own files.
pub(super) const PLATFORM: &str = "platform:";

/// Returns the outcome of the pending exception.
pub(super) fn pending_outcome(ctx: &Ctx<'_>) -> Outcome {
    let thrown = ctx.catch();
    let error = describe(ctx, &thrown);
    if error.kind == "InternalError" && error.message == "out of memory" {
        return Outcome::OutOfMemory;
    }
    Outcome::Threw(error)
}

/// Returns whether null was thrown: by the script, or by the engine if it has no memory left for an error.
pub(super) fn is_null(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Threw(error) if error.message == "null" && error.kind.is_empty())
}

/// Describes a thrown value. Getters of the script may run, within the limits of the run.
pub(super) fn describe<'js>(ctx: &Ctx<'js>, thrown: &Js<'js>) -> ScriptError {
    let Some(object) = thrown.as_object() else {
        return ScriptError { message: truncate(display(ctx, thrown)), ..ScriptError::default() };
    };
    let member = |name: &str| match object.get::<_, Js<'js>>(name) {
        Ok(value) if value.is_undefined() => String::new(),
        Ok(value) => display(ctx, &value),
        Err(_) => {
            ctx.catch();
            String::new()
        }
    };
    if !thrown.is_error() && !object.contains_key("message").unwrap_or_default() {
        let text = ctx.json_stringify(thrown.clone()).ok().flatten().and_then(|text| text.to_string().ok());
        ctx.catch();
        return ScriptError { message: truncate(text.unwrap_or_default()), ..ScriptError::default() };
    }
    let stack = frames(&member("stack"));
    ScriptError { kind: truncate(member("name")), message: truncate(member("message")), stack }
}

/// Returns the text of a value that is not an object.
fn display<'js>(ctx: &Ctx<'js>, value: &Js<'js>) -> String {
    if value.is_string() {
        return to_text(ctx, value).unwrap_or_default();
    }
    if let Some(symbol) = value.as_symbol() {
        let description = symbol.description().ok().and_then(|text| to_text(ctx, &text).ok());
        return format!("Symbol({})", description.unwrap_or_default());
    }
    let text = value.get::<rquickjs::Coerced<String>>();
    if text.is_err() {
        ctx.catch();
    }
    text.map(|text| text.0).unwrap_or_default()
}

/// Shortens a text of a script to the maximum length of an error message.
fn truncate(text: String) -> String {
    truncate_to(text, MAX_MESSAGE)
}

/// Parses a stack trace of the engine, with lines `    at function (file:line:column)` or `    at file:line:column`.
pub(super) fn frames(stack: &str) -> Vec<Frame> {
    stack.lines().filter_map(frame).filter(|frame| !frame.file.starts_with(PLATFORM)).take(MAX_FRAMES).collect()
}

/// Parses a line of a stack, such as `at run (file:3:5)`; returns `None` for lines without a location.
fn frame(line: &str) -> Option<Frame> {
    let call = line.trim().strip_prefix("at ")?;
    let (function, location) = match call.strip_suffix(')').and_then(|call| call.split_once(" (")) {
        Some(("<eval>", location)) => ("", location),
        Some(("<anonymous>", location)) => ("(anonymous)", location),
        Some(found) => found,
        None => ("", call),
    };
    let (rest, _column) = location.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let (function, file) = (truncate_to(function.to_owned(), MAX_NAME), truncate_to(file.to_owned(), MAX_NAME));
    Some(Frame { function, file, line: line.parse().ok()? })
}

/// Returns the location of a syntax error, which comes first in the stack, without a function.
pub(super) fn parser_location(stack: &str, file: &str) -> Option<(u32, u32)> {
    let location = stack.lines().next()?.trim().strip_prefix("at ")?.strip_prefix(file)?.strip_prefix(':')?;
    let (line, column) = location.split_once(':')?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_are_read() {
        let found = frames(
            "    at g (Code:2:5)\n    at <anonymous> (a b (c):7:1)\n    at f (platform:globals:1:1)\n    at <eval> (Code:9:1)\n    at native\n",
        );
        let names: Vec<_> = found.iter().map(|f| (f.function.as_str(), f.file.as_str(), f.line)).collect();
        assert_eq!(names, [("g", "Code", 2), ("(anonymous)", "a b (c)", 7), ("", "Code", 9)]);
        assert_eq!(parser_location("    at dir/Code:3:7\n", "dir/Code"), Some((3, 7)));
        assert_eq!(parser_location("    at <eval> (Code:3:7)\n", "Code"), None);
    }
}
