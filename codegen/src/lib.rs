//! Generates Rust crates from YAML descriptions of an API. The library does no I/O: it takes texts and returns a tree
//! of files.
//!
//! ```text
//! sources ─▶ schema ─▶ resolve ─▶ model ─▶ rules ─▶ emit ─▶ render ─▶ FileTree
//! ```
//!
//! The stages are listed in the order in which data flows. No stage looks back at the data of an earlier one:
//!
//! * [`schema`] is the only stage that sees YAML; it parses constructs together with their spans;
//! * [`resolve`] maps names to Rust identifiers and references to their targets, and builds the model;
//! * [`model`] is plain data, without YAML and without Rust tokens;
//! * [`rules`] parses and type-checks the conditions written in CEL against the model, and adds them to it. It is the
//!   last stage that can fail: a stage collects its diagnostics, and the next one runs only if there are no errors;
//! * [`emit`] turns the model into tokens and cannot fail;
//! * [`render`] formats the tokens.
//!
//! The output is deterministic: it depends neither on the time, nor on paths of the machine, nor on hash order, nor
//! on the order of the sources. No input makes this library panic.
//!
//! Usage from a build script or an xtask:
//!
//! ```
//! use wireform_codegen::{Options, Source, generate};
//!
//! let schema = "api: greeter\nresources: { Greeting: { doc: A greeting., external: true, fields: { text: { type: string, doc: What it says. } } } }";
//! let output = generate(&[Source::new("greeter/api.yaml", schema)], &Options::default());
//! let files = output.files.expect("the schema is valid");
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
#[cfg(test)]
mod linearity;
mod options;

pub use diagnostics::{Diagnostic, Severity, Source};
pub use includes::with_includes;
pub use options::{Options, RuntimeDependency};
pub use render::FileTree;

use diagnostics::{Code, Sink, Span, Stopped};
use model::Api;

/// Result of generating or checking one API.
#[derive(Clone, Debug)]
pub struct Output {
    /// Generated files by path; `None` if the schema has errors.
    pub files: Option<FileTree>,
    /// All diagnostics of the schema, sorted by file and line.
    pub diagnostics: Vec<Diagnostic>,
    /// Sources in the order to which the diagnostics refer.
    pub sources: Vec<Source>,
}

/// Generates the crates of one API from all files of its schema.
#[must_use]
pub fn generate(sources: &[Source], options: &Options) -> Output {
    let mut sink = Sink::new();
    let sources = sort_sources(sources);
    if let Err(problem) = options.check() {
        // Options come from code, not from a file; the first file stands in for the span.
        sink.report(Code::BadName, Span::default(), format!("invalid option: {problem}"))
            .help("change the options passed to `generate`");
        return Output { files: None, diagnostics: sink.into_sorted(), sources };
    }
    let files =
        parse(&sources, &mut sink).ok().map(|api| render::render(&emit::emit(&api, &sources, options), options));
    Output { files, diagnostics: sink.into_sorted(), sources }
}

/// Parses and resolves the schema of one API without emitting code.
///
/// # Errors
/// Returns the diagnostics if there are errors among them. Warnings alone are dropped.
pub fn load(sources: &[Source]) -> Result<Api, Output> {
    let mut sink = Sink::new();
    let sources = sort_sources(sources);
    parse(&sources, &mut sink).map_err(|Stopped| Output { files: None, diagnostics: sink.into_sorted(), sources })
}

/// Checks the schema of one API: returns the diagnostics that [`generate`] reports for it, without emitting code.
#[must_use]
pub fn check(sources: &[Source]) -> Output {
    let mut sink = Sink::new();
    let sources = sort_sources(sources);
    // The sink already has the errors.
    drop(parse(&sources, &mut sink));
    Output { files: None, diagnostics: sink.into_sorted(), sources }
}

/// Runs all stages before emitting: reads, resolves and verifies the schema. Stops at the first stage with errors.
fn parse(sources: &[Source], sink: &mut Sink) -> Result<Api, Stopped> {
    let files = schema::read_files(sources, sink);
    includes::check_includes(&files, sources, sink);
    let files = sink.gate(files)?;
    let stems: Vec<&str> = sources.iter().map(|source| stem(&source.path)).collect();
    let expanded = resolve::expand(files, sink);
    let mut allowed = resolve::AllowedWarnings::collect(&expanded.files, sink);
    let api = resolve::resolve(&expanded, &stems, sink);
    allowed.apply(sink);
    let mut api = sink.gate(api)?.ok_or(Stopped)?;
    rules::verify::references(&api, sink);
    api = sink.gate(api)?;
    let conditions = rules::compile(&api, sources, sink);
    allowed.apply(sink);
    api.conditions = sink.gate(conditions)?;
    rules::lint(&api, sink);
    allowed.apply(sink);
    rules::verify::conditions(&api, sink);
    let api = sink.gate(api)?;
    allowed.report_unused(sink);
    Ok(api)
}

/// Sorts the sources, so that the output does not depend on the order of the input.
fn sort_sources(sources: &[Source]) -> Vec<Source> {
    let mut sources = sources.to_vec();
    // By file name first, so that a file keeps its position where it is included by another API.
    sources.sort_by(|a, b| (file_name(&a.path), &a.path, &a.text).cmp(&(file_name(&b.path), &b.path, &b.text)));
    sources
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Returns the file name of a path without its extension.
fn stem(path: &str) -> &str {
    let file = file_name(path);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}
