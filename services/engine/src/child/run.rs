//! Run of a function.

use rquickjs::context::EvalOptions;
use rquickjs::function::Args;
use rquickjs::promise::PromiseState;
use rquickjs::{Context, Ctx, Error, Function, Object, Persistent, Value as Js};

use super::channel::Channel;
use super::natives::Platform;
use super::value::{ConversionError, to_json};
use super::{exception, natives};
use crate::wire::RunRequest;
use crate::{FileKind, Library, Outcome, Program, ScriptError};

/// Functions of a web app, which may return a page.
const WEB_APP: [&str; 2] = ["doGet", "doPost"];

/// Exports of a library.
type Exports = Persistent<Object<'static>>;

/// Maximum depth of nested libraries.
const MAX_LIBRARY_DEPTH: usize = 8;

/// Run in its process.
struct Run<'r> {
    channel: &'r Channel,
    platform: &'r Platform,
    start: &'r RunRequest<Program>,
}

/// Evaluates the program and calls the function.
pub(super) fn run(context: &Context, platform: &Platform, channel: &Channel, start: &RunRequest<Program>) -> Outcome {
    let run = Run { channel, platform, start };
    match run.complete(context) {
        Ok(outcome) | Err(outcome) => outcome,
    }
}

impl Run<'_> {
    /// Loads the program and calls the function. Both variants are outcomes; an error is one that ends the run early.
    fn complete(&self, context: &Context) -> Result<Outcome, Outcome> {
        let save = |ctx: Ctx<'_>| self.function(&ctx).map(|(_, found)| Persistent::save(&ctx, found));
        let existing = context.with(save);
        self.load(context, self.platform, &self.start.program, "", 0)?;
        context.with(|ctx| self.call(&ctx, existing))
    }

    /// Calls the function and converts its result. `existing` is what had the function's name before the program ran.
    fn call(&self, ctx: &Ctx<'_>, existing: Option<Persistent<Function<'static>>>) -> Result<Outcome, Outcome> {
        let Some((receiver, function)) = self.function(ctx) else { return Err(Outcome::UnknownFunction) };
        // A built-in function of the engine is not a function of the program.
        if existing.and_then(|existing| existing.restore(ctx).ok()).is_some_and(|existing| existing == function) {
            return Err(Outcome::UnknownFunction);
        }
        let result = self.arguments(ctx).and_then(|mut arguments| {
            arguments.this(receiver)?;
            function.call_arg::<Js<'_>>(arguments)
        });
        let result = result.map_err(|_| exception::pending_outcome(ctx))?;
        let result = self.settle(ctx, result)?;
        let result = if WEB_APP.contains(&self.start.function.as_str()) {
            self.platform.web_output(ctx, result).map_err(|_| exception::pending_outcome(ctx))?
        } else {
            result
        };
        match to_json(ctx, self.platform, &result, self.start.limits.output) {
            Ok(value) => Ok(Outcome::Returned(value)),
            Err(ConversionError::NotSerializable(what)) => Err(Outcome::NotSerializable(what)),
            Err(ConversionError::TooLong) => Err(Outcome::OutputTooLong),
            Err(ConversionError::Threw) => Err(exception::pending_outcome(ctx)),
        }
    }

    /// Returns the function by its name, with the object that it is called on.
    fn function<'js>(&self, ctx: &Ctx<'js>) -> Option<(Object<'js>, Function<'js>)> {
        let mut receiver = ctx.globals();
        let mut name = self.start.function.as_str();
        if let Some((library, rest)) = name.split_once('.') {
            receiver = own_property(&receiver, library)?.into_object()?;
            name = rest;
        }
        let function = own_property(&receiver, name)?.into_function()?;
        Some((receiver, function))
    }

    /// Parses the parameters of the run as arguments in the engine.
    fn arguments<'js>(&self, ctx: &Ctx<'js>) -> Result<Args<'js>, Error> {
        let mut arguments = Args::new(ctx.clone(), self.start.parameters.len());
        for parameter in &self.start.parameters {
            arguments.push_arg(ctx.json_parse(parameter.to_string())?)?;
        }
        Ok(arguments)
    }

    /// Waits for a promise and all pending jobs of the script.
    fn settle<'js>(&self, ctx: &Ctx<'js>, result: Js<'js>) -> Result<Js<'js>, Outcome> {
        while ctx.execute_pending_job() {}
        let Some(promise) = result.as_promise() else { return Ok(result) };
        if promise.state() == PromiseState::Pending {
            return Err(Outcome::NotSerializable("a promise that never settles at result".to_owned()));
        }
        promise.result::<Js<'js>>().unwrap_or(Ok(result.clone())).map_err(|_| exception::pending_outcome(ctx))
    }

    /// Evaluates a program after its libraries.
    fn load(
        &self,
        context: &Context,
        platform: &Platform,
        program: &Program,
        prefix: &str,
        depth: usize,
    ) -> Result<(), Outcome> {
        for library in &program.libraries {
            let exports = self.library(context, library, prefix, depth)?;
            context.with(|ctx| {
                let exports = exports.restore(&ctx);
                let installed = exports.and_then(|exports| ctx.globals().set(library.symbol.as_str(), exports));
                installed.map_err(|_| exception::pending_outcome(&ctx))
            })?;
        }
        context.with(|ctx| {
            platform.begin(&ctx, program, self.start.program.ahead).map_err(|_| exception::pending_outcome(&ctx))?;
            for file in program.files.iter().filter(|file| file.kind == FileKind::Server) {
                let name = format!("{prefix}{}", file.name);
                evaluate(&ctx, &name, &file.source, Mode::Sloppy).map_err(|_| load_exception(&ctx, &name))?;
            }
            Ok(())
        })
    }

    /// Evaluates a library in its own global scope and returns its exports as one object.
    fn library(&self, context: &Context, library: &Library, prefix: &str, depth: usize) -> Result<Exports, Outcome> {
        if depth >= MAX_LIBRARY_DEPTH {
            let message = format!("libraries are nested deeper than {MAX_LIBRARY_DEPTH} levels");
            return Err(Outcome::Threw(ScriptError { kind: "Error".to_owned(), message, stack: Vec::new() }));
        }
        let scope = Context::full(context.runtime()).map_err(|_| Outcome::OutOfMemory)?;
        let (platform, before) = scope.with(|ctx| {
            let installed = Platform::install(&ctx, self.channel, Some(self.platform));
            let installed = installed.and_then(|platform| Ok((platform, natives::global_names(&ctx)?)));
            installed.map_err(|_| exception::pending_outcome(&ctx))
        })?;
        self.load(&scope, &platform, &library.program, &format!("{prefix}{}/", library.symbol), depth + 1)?;
        scope.with(|ctx| {
            let exports = natives::exports(&ctx, &before).map_err(|_| exception::pending_outcome(&ctx))?;
            Ok(Persistent::save(&ctx, exports))
        })
    }
}

/// Returns the outcome of a failed evaluation of a file: a syntax error, or an exception of its top-level code.
fn load_exception(ctx: &Ctx<'_>, file: &str) -> Outcome {
    let thrown = ctx.catch();
    let stack = thrown.as_exception().and_then(rquickjs::Exception::stack).unwrap_or_default();
    if let Some((line, column)) = exception::parser_location(&stack, file) {
        let error = exception::describe(ctx, &thrown);
        if error.kind == "SyntaxError" {
            return Outcome::Syntax { file: file.to_owned(), line, column, message: error.message };
        }
    }
    ctx.throw(thrown);
    exception::pending_outcome(ctx)
}

/// Default strictness of code.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Strict,
    Sloppy,
}

/// Evaluates a file in the global scope.
pub(super) fn evaluate(ctx: &Ctx<'_>, name: &str, source: &str, mode: Mode) -> Result<(), Error> {
    let mut options = EvalOptions::default();
    options.strict = mode == Mode::Strict;
    options.backtrace_barrier = false;
    // Names have no control characters; one here would cause an error of another kind.
    options.filename = Some(name.replace('\0', "\u{fffd}"));
    ctx.eval_with_options::<Js<'_>, _>(source, options).map(drop)
}

fn own_property<'js>(object: &Object<'js>, name: &str) -> Option<Js<'js>> {
    let value = object.get::<_, Js<'js>>(name);
    if value.is_err() {
        object.ctx().catch();
    }
    value.ok()
}
