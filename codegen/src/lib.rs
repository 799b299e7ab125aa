//! Turns YAML descriptions of an API into Rust crates: a library without I/O, text in and a tree
//! of files out.
//!
//! ```text
//! sources ─▶ schema ─▶ resolve ─▶ rules ─▶ model ─▶ emit ─▶ render ─▶ FileTree
//! ```
//!
//! The stages stand here in the order in which data flows, and each forgets the one before:
//!
//! * [`schema`] is the only one that sees YAML: it reads constructs, each with its place;
//! * [`resolve`] gives names their Rust form and references their target;
//! * [`rules`] gives the conditions written in CEL their meaning, and is the last stage that can
//!   fail: mistakes gather within a stage, and a gate stands behind it;
//! * [`model`] is plain data, without YAML and without Rust tokens;
//! * [`emit`] turns it into tokens and cannot fail;
//! * [`render`] formats the tokens.
//!
//! No time, no path of the machine and no hash order reaches the output: the same sources make
//! the same bytes, in whatever order they are given. No input makes this library panic.
//!
//! From a build script or an xtask of your own:
//!
//! ```
//! use wireform_codegen::{Options, Source, generate};
//!
//! let schema = "api: greeter\nresources: { Greeting: { doc: A greeting., external: true, fields: { text: { type: string, doc: What it says. } } } }";
//! let output = generate(&[Source::new("greeter/api.yaml", schema)], &Options::default());
//! let files = output.files.expect("the schema has no mistakes");
//! assert!(files["greeter-types/src/api.rs"].contains("pub struct Greeting"));
//! ```

pub mod diagnostics;
pub mod emit;
pub mod markdown;
pub mod model;
pub mod render;
pub mod resolve;
pub mod schema;

pub mod patterns;
pub mod reference;
pub mod rules;
pub mod settings;

mod includes;
mod options;

pub use diagnostics::{Diagnostic, Severity, Source};
pub use includes::with_includes;
pub use options::{Options, RuntimeDependency};
pub use render::FileTree;

use diagnostics::{Code, Sink, Span, Stopped};
use model::Api;

/// What came of one API.
#[derive(Clone, Debug)]
pub struct Output {
    /// The files by path, unless the schema has errors.
    pub files: Option<FileTree>,
    /// Everything there is to say about the schema, in the order of its files and lines.
    pub diagnostics: Vec<Diagnostic>,
    /// The sources in the order to which the diagnostics refer.
    pub sources: Vec<Source>,
}

/// Generates the crates of one API from all files of its schema.
#[must_use]
pub fn generate(sources: &[Source], options: &Options) -> Output {
    let mut sink = Sink::new();
    let sources = sorted(sources);
    if let Err(problem) = options.check() {
        // Settings come from code, not from a file; the first file stands in for the place.
        sink.report(Code::BadName, Span::default(), format!("a setting cannot be used: {problem}"))
            .help("change the options that `generate` is called with");
        return Output { files: None, diagnostics: sink.into_sorted(), sources };
    }
    let files =
        parse(&sources, &mut sink).ok().map(|api| render::render(&emit::emit(&api, &sources, options), options));
    Output { files, diagnostics: sink.into_sorted(), sources }
}

/// Reads and resolves the schema of one API, without emitting anything.
///
/// # Errors
/// The diagnostics, when there are errors among them.
pub fn load(sources: &[Source]) -> Result<Api, Output> {
    let mut sink = Sink::new();
    let sources = sorted(sources);
    parse(&sources, &mut sink).map_err(|Stopped| Output { files: None, diagnostics: sink.into_sorted(), sources })
}

/// Reads and resolves the schema of one API and tells what [`generate`] says of it, without emitting anything.
#[must_use]
pub fn check(sources: &[Source]) -> Output {
    let mut sink = Sink::new();
    let sources = sorted(sources);
    // What stops it is among the diagnostics.
    drop(parse(&sources, &mut sink));
    Output { files: None, diagnostics: sink.into_sorted(), sources }
}

fn parse(sources: &[Source], sink: &mut Sink) -> Result<Api, Stopped> {
    let files = schema::read(sources, sink);
    includes::check(&files, sources, sink);
    let files = sink.gate(files)?;
    let stems: Vec<&str> = sources.iter().map(|source| stem(&source.path)).collect();
    let files = resolve::expand(files, sink);
    let mut allowed = resolve::Allowed::collect(&files, sink);
    let api = resolve::resolve(&files, &stems, sink);
    allowed.apply(sink);
    let mut api = sink.gate(api)?.ok_or(Stopped)?;
    rules::verify::references(&api, sink);
    api = sink.gate(api)?;
    let conditions = rules::compile(&api, sources, sink);
    allowed.apply(sink);
    api.conditions = sink.gate(conditions)?;
    rules::verify::conditions(&api, sink);
    let api = sink.gate(api)?;
    allowed.report_unused(sink);
    Ok(api)
}

/// The order of the output must not depend on the order of the input.
fn sorted(sources: &[Source]) -> Vec<Source> {
    let mut sources = sources.to_vec();
    // By their own names first: a file takes the same place where it is included.
    sources.sort_by(|a, b| (file_name(&a.path), &a.path, &a.text).cmp(&(file_name(&b.path), &b.path, &b.text)));
    sources
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn stem(path: &str) -> &str {
    let file = file_name(path);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}
