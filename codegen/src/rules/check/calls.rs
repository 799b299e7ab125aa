//! Calls of functions.

use super::call_node::CallNode;
use super::{Checker, ConditionError, Node, NodeKind, literals, loops};
use crate::diagnostics::Code;
use crate::model::condition::{CelType, Expr, ExprKind, Function, Literal, TimePart};
use crate::patterns;
use crate::rules::{foreign_syntax, functions};

impl Checker<'_> {
    /// Checks a call: a macro such as `has()`, a loop, or a function of the table.
    pub fn call(&mut self, called: &CallNode<'_>) -> Option<Expr> {
        if called.name == "has" && !called.receiver {
            return match called.arguments {
                [member] => self.has(member, called.range),
                _ => self.wrong_count(called, "one field"),
            };
        }
        if called.name == "same" && !called.receiver {
            return self.same(called);
        }
        if let Some(kind) = loops::loop_kind(called.name) {
            return self.check_loop(kind, called, false);
        }
        if called.name == "matches" {
            return self.matches(called);
        }
        if let (true, [Node { kind: NodeKind::Name(space), .. }, ..]) = (called.receiver, called.arguments)
            && matches!(
                space.as_str(),
                "math" | "strings" | "optional" | "base64" | "cel" | "lists" | "sets" | "ext" | "proto"
            )
            && self.variables.iter().all(|(variable, _)| variable.name != *space)
        {
            self.unsupported(called.range, &format!("the functions of `{space}`"));
            return None;
        }
        let Some(entry) = functions::find(called.name) else { return self.unknown_function(called) };
        let arguments = self.arguments(entry.function, called)?;
        self.function(entry.function, called, arguments)
    }

    /// Checks all arguments of a call; `None` if any of them has errors.
    fn arguments(&mut self, function: Function, called: &CallNode<'_>) -> Option<Vec<Expr>> {
        let checked: Vec<Option<Expr>> = called
            .arguments
            .iter()
            .map(|argument| match &argument.kind {
                // Tuples exist only to be compared by `unique()`.
                NodeKind::Call { name, name_at, receiver: true, arguments }
                    if function == Function::Unique && name == "map" =>
                {
                    let inner = CallNode { range: &argument.at, name, name_range: name_at, receiver: true, arguments };
                    self.check_loop(crate::model::condition::LoopKind::Map, &inner, true)
                }
                _ => self.expr(argument),
            })
            .collect();
        checked.into_iter().collect()
    }

    fn unknown_function(&mut self, called: &CallNode<'_>) -> Option<Expr> {
        // Errors of the arguments are reported nevertheless.
        if called.arguments.iter().all(|argument| !matches!(argument.kind, NodeKind::Name(_))) {
            called.arguments.iter().for_each(|argument| drop(self.expr(argument)));
        }
        if let Some(what) = functions::unsupported(called.name) {
            self.report(ConditionError::new(
                Code::CelUnsupported,
                called.name_range.clone(),
                format!("{what} is not supported"),
            ));
            return None;
        }
        let error = ConditionError::new(
            Code::CelUnknownName,
            called.name_range.clone(),
            format!("unknown function `{}`", called.name),
        );
        self.report(match foreign_syntax::function_replacement(called.name) {
            Some(help) => error.help(help),
            None => error.suggest(called.name, functions::names()),
        });
        None
    }

    pub fn wrong_count<T>(&mut self, called: &CallNode<'_>, expected: &str) -> Option<T> {
        self.wrong_type(called.range, format!("`{}` expects {expected}", called.name));
        None
    }

    /// Returns a call of a function with checked arguments; reports argument types without a signature.
    fn function(&mut self, function: Function, called: &CallNode<'_>, mut arguments: Vec<Expr>) -> Option<Expr> {
        if matches!(function, Function::ToTimestamp | Function::ToDuration | Function::ToDate)
            && let [Expr { kind: ExprKind::Literal(Literal::String(text)), .. }] = arguments.as_slice()
        {
            return self.time_literal(function, text, called);
        }
        if let (Function::IsNan | Function::IsInf, Some(first)) = (function, arguments.first_mut()) {
            *first = literals::adapt(first.clone(), &CelType::Double);
        }
        if let (Function::Size | Function::Unique, [Expr { kind: ExprKind::List(items), .. }]) =
            (function, arguments.as_slice())
            && items.is_empty()
        {
            let value = if function == Function::Size { Literal::Int(0) } else { Literal::Bool(true) };
            return Some(literals::literal_expr(&value));
        }
        let types: Vec<&CelType> = arguments.iter().map(|argument| &argument.ty).collect();
        let Some(ty) = result(function, &types) else {
            let found: Vec<String> = types.iter().map(|ty| self.describe(ty)).collect();
            let found = if found.is_empty() { "nothing".to_owned() } else { found.join(", ") };
            let forms = functions::find(called.name).map_or("", |entry| entry.signatures);
            let error = ConditionError::new(
                Code::CelType,
                called.range.clone(),
                format!("`{}` cannot be called with {found}", called.name),
            );
            self.report(error.help(format!(
                "call it as `{}`",
                forms.replace(", ", "`, `").replace("(version`, `strict)", "(version, strict)")
            )));
            return None;
        };
        if function == Function::IsIp || function == Function::IsIpPrefix {
            self.check_version(&arguments, called)?;
        }
        // Every function has at least one argument in the table of results.
        let mut arguments = arguments.into_iter();
        let first = Box::new(arguments.next()?);
        Some(Expr::new(ExprKind::Call(function, first, arguments.collect()), ty))
    }

    /// Checks that the version of IP addresses is 4 or 6; 0 stands for either.
    fn check_version(&mut self, arguments: &[Expr], called: &CallNode<'_>) -> Option<()> {
        if let Some(Expr { kind: ExprKind::Literal(Literal::Int(version)), .. }) = arguments.get(1)
            && !matches!(version, 0 | 4 | 6)
        {
            self.report(ConditionError::new(
                Code::CelValue,
                called.range.clone(),
                format!("unknown IP version {version}"),
            ));
            return None;
        }
        Some(())
    }

    /// Evaluates a timestamp, date or duration literal at generation time.
    fn time_literal(&mut self, function: Function, text: &str, called: &CallNode<'_>) -> Option<Expr> {
        let value = match function {
            Function::ToTimestamp => literals::is_timestamp(text).then(|| Literal::Timestamp(text.to_owned())),
            Function::ToDate => literals::date(text),
            _ => literals::duration(text),
        };
        if value.is_none() {
            let shown = text.escape_debug();
            let (what, example) = match function {
                Function::ToTimestamp => ("a timestamp", "2026-02-28T09:30:00Z"),
                Function::ToDate => ("a date", "2026-02-28"),
                _ => ("a duration", "1h30m"),
            };
            let message = format!("`{shown}` is not {what}");
            self.report(
                ConditionError::new(Code::CelValue, called.range.clone(), message)
                    .help(format!("write a value such as `{example}`")),
            );
        }
        value.map(|value| literals::literal_expr(&value))
    }

    /// Checks `s.matches('pattern')`.
    fn matches(&mut self, called: &CallNode<'_>) -> Option<Expr> {
        let [text, pattern] = called.arguments else { return self.wrong_count(called, "a string and a pattern") };
        let at = text.at.clone();
        let text = self.expr(text);
        let NodeKind::Literal(Literal::String(written)) = &pattern.kind else {
            let message = "patterns that are not literals are not supported";
            self.report(
                ConditionError::new(Code::CelUnsupported, pattern.at.clone(), message)
                    .help("write the pattern as a string literal: it is compiled when code is generated"),
            );
            return None;
        };
        let matcher = match patterns::compile_search(written) {
            Ok(matcher) => Some(matcher),
            Err(reason) => {
                let error = ConditionError::new(Code::BadPattern, pattern.at.clone(), reason.to_string());
                self.report(error.help(reason.search_help()));
                None
            }
        };
        let text = text?;
        if text.ty != CelType::String {
            let found = self.describe(&text.ty);
            self.wrong_type(&at, format!("expected a string for `matches`, found {found}"));
            return None;
        }
        Some(Expr::bool(ExprKind::Matches(Box::new(text), matcher?)))
    }
}

/// Returns the result type of a function, or `None` if it does not accept the argument types.
fn result(function: Function, types: &[&CelType]) -> Option<CelType> {
    use CelType::{Bool, Bytes, Date, Double, Duration, Enum, Int, List, Map, Object, String, Timestamp, Uint};
    Some(match (function, types) {
        (Function::Size, [String | Bytes | List(_) | Map(_) | Object]) => Int,
        (Function::StartsWith | Function::EndsWith | Function::Contains, [String, String]) => Bool,
        (Function::ToInt, [Int | Uint | Double | String | Timestamp]) => Int,
        (Function::ToUint, [Int | Uint | Double | String]) => Uint,
        (Function::ToDouble, [Int | Uint | Double | String]) => Double,
        (Function::ToText, [Bool | Int | Uint | Double | String | Timestamp | Date | Duration | Enum(_)]) => String,
        (Function::ToTimestamp, [String | Int | Timestamp]) => Timestamp,
        (Function::ToDuration, [String | Duration]) => Duration,
        (Function::ToDate, [String | Timestamp | Date]) => Date,
        (Function::Part(_), [Timestamp] | [Timestamp, String]) => Int,
        (Function::Part(part), [Date]) if part.is_of_dates() => Int,
        (Function::Part(part), [Duration]) if part.is_of_durations() => Int,
        (
            Function::IsEmail
            | Function::IsUri
            | Function::IsUriRef
            | Function::IsHostname
            | Function::IsTimeZone
            | Function::IsUuid
            | Function::IsDate
            | Function::IsDateTime,
            [String],
        ) => Bool,
        (Function::IsIp, [String] | [String, Int]) => Bool,
        (Function::IsIpPrefix, [String] | [String, Int | Bool] | [String, Int, Bool]) => Bool,
        (Function::IsHostAndPort, [String, Bool]) => Bool,
        (Function::IsNan, [Double]) | (Function::IsInf, [Double] | [Double, Int]) => Bool,
        (Function::Unique, [List(inner)]) if is_comparable(inner) => Bool,
        (Function::HasOffset, [Timestamp]) => Bool,
        _ => return None,
    })
}

/// Returns whether `unique()` accepts elements of a type.
fn is_comparable(ty: &CelType) -> bool {
    match ty {
        CelType::Tuple(types) => types.iter().all(is_comparable),
        CelType::Bool
        | CelType::Int
        | CelType::Uint
        | CelType::Double
        | CelType::String
        | CelType::Bytes
        | CelType::Timestamp
        | CelType::Date
        | CelType::Duration
        | CelType::Enum(_) => true,
        _ => false,
    }
}

impl TimePart {
    fn is_of_dates(self) -> bool {
        matches!(self, Self::FullYear | Self::Month | Self::DayOfMonth | Self::Date | Self::DayOfWeek | Self::DayOfYear)
    }

    fn is_of_durations(self) -> bool {
        matches!(self, Self::Hours | Self::Minutes | Self::Seconds | Self::Milliseconds)
    }
}
