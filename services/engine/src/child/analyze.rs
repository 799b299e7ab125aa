//! Functions of a file.
//!
//! The engine itself parses: a script declares its functions before its first statement runs, and that statement is
//! inserted here and throws. No code of the file runs.

use rquickjs::context::intrinsic;
use rquickjs::object::Filter;
use rquickjs::{Atom, Coerced, Context, Ctx, Error, Runtime, Value as Js};

use super::exception;
use super::run::{Mode, evaluate};
use crate::{Analysis, FileKind, Function, SourceFile, SyntaxError, parameters};

/// Statement that ends the evaluation of a file before it begins; it is on the first line of the file.
const STOP_STATEMENT: &str = "throw 0;";
/// Name under which a file is evaluated, by which its frames are found in the stack of a syntax error.
const FILE_NAME: &str = "file";
/// Number of bytes in use before the engine collects cycles.
const GC_THRESHOLD: usize = 16 << 20;

/// Intrinsics needed for parsing and declaring; creating all those of a script would take longer than parsing most
/// files.
type Intrinsics = (intrinsic::Eval, intrinsic::RegExpCompiler, intrinsic::RegExp, intrinsic::Promise);

/// Number of files declared in one global scope, which takes longer to create than a short file to parse. With more,
/// the functions of earlier files would be searched again and again.
const FILES_PER_SCOPE: usize = 8;

/// Lists the functions of each file.
pub(super) fn analyze(runtime: &Runtime, files: &[SourceFile]) -> Vec<Analysis> {
    // The memory of a file is released with its context, except for cycles, which may wait.
    runtime.set_gc_threshold(GC_THRESHOLD);
    let mut scopes = Scopes { runtime, last: None, files: 0 };
    let server = |file: &SourceFile| file.kind == FileKind::Server;
    files.iter().map(|file| if server(file) { scopes.functions(&file.source) } else { Ok(Vec::new()) }).collect()
}

/// Global scopes in which files are declared.
struct Scopes<'r> {
    runtime: &'r Runtime,
    /// Scope with room for more files.
    last: Option<Context>,
    /// Number of files declared in it.
    files: usize,
}

impl Scopes<'_> {
    /// Lists the functions of a file. No code of earlier files has run, but the file can collide with their names, so a
    /// file that is refused in a shared scope is declared again in its own.
    fn functions(&mut self, source: &str) -> Analysis {
        if let Some(shared) = self.last.take_if(|_| self.files < FILES_PER_SCOPE)
            && let Ok(found) = functions(&shared, source)
        {
            self.files += 1;
            self.last = Some(shared);
            return Ok(found);
        }
        let Ok(alone) = Context::custom::<Intrinsics>(self.runtime) else { return Err(syntax_error("out of memory")) };
        let found = functions(&alone, source);
        (self.last, self.files) = (found.is_ok().then_some(alone), 1);
        found
    }
}

/// Declares a file in the context, and returns the global functions that it added or replaced.
fn functions(context: &Context, source: &str) -> Analysis {
    context.with(|ctx| {
        // Properties keep their order, and new ones follow.
        let before: Vec<Js<'_>> = globals(&ctx).map(|(_, value)| value).collect();
        declare(&ctx, source)?;
        let declared =
            globals(&ctx).enumerate().filter(|(at, (_, value))| value.is_function() && before.get(*at) != Some(value));
        Ok(declared.filter_map(|(_, (name, value))| Some(function(&ctx, name.to_string().ok()?, &value))).collect())
    })
}

fn syntax_error(message: &str) -> SyntaxError {
    SyntaxError { line: 1, column: 1, message: message.to_owned() }
}

/// Declares the contents of a file; returns an error if that fails.
fn declare(ctx: &Ctx<'_>, source: &str) -> Result<(), SyntaxError> {
    // A directive after another statement would have no effect.
    let mode = if parameters::is_strict(source) { Mode::Strict } else { Mode::Sloppy };
    let Err(error) = evaluate(ctx, FILE_NAME, &format!("{STOP_STATEMENT}{source}"), mode) else { return Ok(()) };
    if !matches!(error, Error::Exception) {
        return Err(syntax_error(&error.to_string()));
    }
    let thrown = ctx.catch();
    if thrown.as_int() == Some(0) {
        return Ok(());
    }
    let stack = thrown.as_exception().and_then(rquickjs::Exception::stack).unwrap_or_default();
    let (line, column) = exception::parser_location(&stack, FILE_NAME).unwrap_or((1, 1));
    let shift = if line == 1 { u32::try_from(STOP_STATEMENT.len()).unwrap_or(0) } else { 0 };
    let column = column.saturating_sub(shift).max(1);
    Err(SyntaxError { line, column, message: exception::describe(ctx, &thrown).message })
}

/// Returns the own properties of the global object, without those whose getter throws.
fn globals<'js>(ctx: &Ctx<'js>) -> impl Iterator<Item = (Atom<'js>, Js<'js>)> {
    ctx.globals().own_props(Filter::new().string()).filter_map(Result::ok)
}

/// Describes a declared function, with the parameters in its source; none if the source cannot be read.
fn function<'js>(ctx: &Ctx<'js>, name: String, value: &Js<'js>) -> Function {
    let source = value.get::<Coerced<String>>();
    if source.is_err() {
        ctx.catch();
    }
    let parameters = source.map(|source| parameters::parameter_names(&source.0)).unwrap_or_default();
    Function { name, parameters }
}
