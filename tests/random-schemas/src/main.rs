//! `cargo random-schemas --seed N --count M`: writes random valid schemas that use every feature of the language,
//! generates their crates into one workspace, and lints them with clippy as errors.
//!
//! A seed determines one schema, the same on every machine; a run uses consecutive seeds from `--seed`.

mod check;
mod fields;
mod operations;
#[path = "../../suite/random.rs"]
#[allow(dead_code, reason = "the suite uses all of it")]
mod random;
mod schema;
mod types;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use wireform_codegen::{Options, RuntimeDependency, Severity, Source, generate};

/// Generates, compiles and lints the crates of random schemas.
#[derive(Parser)]
struct Arguments {
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of schemas.
    #[arg(long, default_value_t = 20)]
    count: u64,
    /// The folder for schemas and crates, which is kept [default: a temporary one, kept if there are findings].
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// The target folder of cargo [default: `target/random-schemas/target`].
    #[arg(long, value_name = "DIR")]
    target: Option<PathBuf>,
    /// Generate the crates without linting them.
    #[arg(long)]
    no_lint: bool,
    /// Print the schemas without generating crates.
    #[arg(long)]
    print: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let seeds = arguments.seed..arguments.seed.saturating_add(arguments.count);
    if arguments.print {
        seeds.for_each(|seed| println!("{}", schema::write(seed)));
        return Ok(true);
    }
    // Within the repository, cargo uses the compiler that the repository selects.
    let folder = check::root().join("target/random-schemas");
    fs_err::create_dir_all(&folder)?;
    let temporary = tempfile::Builder::new().prefix("crates-").tempdir_in(folder)?;
    let dir = arguments.keep.clone().unwrap_or_else(|| temporary.path().to_owned());
    let mut workspace = check::Workspace::new(&dir, arguments.target.clone());
    let mut refused = BTreeMap::new();
    for seed in seeds {
        let text = schema::write(seed);
        match crates(&text) {
            Ok(files) => workspace.add(&text, seed, &files)?,
            Err(diagnostic) => {
                refused.insert(seed, diagnostic);
            }
        }
    }
    for (seed, diagnostic) in &refused {
        eprintln!("seed {seed}: the schema is refused:\n{diagnostic}\n");
    }
    let findings = if arguments.no_lint { BTreeMap::new() } else { workspace.lint()? };
    for (seed, texts) in &findings {
        println!("seed {seed}: {} findings in its crates\n{}\n", texts.len(), texts.join("\n"));
    }
    println!("{} schemas: {} refused, {} with findings", arguments.count, refused.len(), findings.len());
    if !findings.is_empty() && arguments.keep.is_none() {
        println!("schemas and crates are in {}", temporary.keep().display());
    }
    Ok(findings.is_empty() && refused.is_empty())
}

/// Returns the crates of a schema, or its errors.
fn crates(text: &str) -> Result<wireform_codegen::FileTree, String> {
    let runtime = RuntimeDependency::Path(check::root().join("runtime").to_string_lossy().replace('\\', "/"));
    let output = generate(&[Source::new("api.yaml", text)], &Options { runtime, ..Options::default() });
    let errors = output.diagnostics.iter().filter(|one| one.code.severity() == Severity::Error);
    let errors: Vec<String> = errors.map(|one| one.render(&output.sources, false)).collect();
    output.files.ok_or_else(|| errors.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_valid() {
        for seed in 0..30 {
            let refused = crates(&schema::write(seed)).err();
            assert!(refused.is_none(), "seed {seed}: {}", refused.unwrap_or_default());
        }
    }

    #[test]
    fn a_seed_determines_one_schema() {
        assert_eq!(schema::write(7), schema::write(7));
        assert_ne!(schema::write(7), schema::write(8));
    }

    /// A feature that no seed produces is not tested.
    #[test]
    fn the_schemas_have_every_feature() {
        let all: String = (0..500).map(schema::write).collect();
        let missing: Vec<&str> = FEATURES.iter().copied().filter(|feature| !all.contains(feature)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    const FEATURES: &[&str] = &[
        "?']",
        "[[",
        "202: Page",
        "{ type: int64, content_types: [text/plain] }",
        "as: merge_patch",
        "batch: ",
        "body: Form?",
        "behavior: [immutable]",
        "behavior: [input_only]",
        "conditional: [if_match]",
        "const: ",
        "content_types: [multipart/form-data]",
        "cookies: ",
        "deprecated: ",
        "discriminator: ",
        "download: true",
        "encoding: base64url_unpadded",
        "encoding: decimal_string",
        "encoding: milliseconds",
        "errors: { body: ",
        "errors: { 404: ",
        "except: [",
        "features: groups",
        "headers: ",
        "items: counted.words",
        "kind: random#thing",
        "known_values: ",
        "multiple_of: ",
        "{ exclusive: ",
        "nullable: true",
        "outcome: ",
        "pages: ",
        "pages: { in: body",
        "pattern: ",
        "presence: explicit",
        "refuse: true",
        "required: { in: ",
        "rest: ",
        "root: ",
        "rules: ",
        "schemes: [https]",
        "scopes: ",
        "security: ",
        "states: ",
        "style: assigned",
        "style: comma, doc: Words.",
        "style: deep",
        "style: pairs",
        "sync: ",
        "type: decimal",
        "type: file",
        "type: http_date",
        "type: iso_duration",
        "type: number",
        "type: time",
        "type: unix_time",
        "unique: true",
        "keys: { ",
        "unknown_members: preserve",
        "upload: [image/*]",
        "lists: { words: pipe",
        "long_running: ",
        "elements: { items: ",
        "effective_when: ",
        "ignored: { in: ",
        "constrained: { in: ",
        "ignore: true",
        "fill: uuid",
        "sensitive: true",
        "wire_name: ",
    ];
}
