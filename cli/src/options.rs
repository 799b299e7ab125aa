//! Options of the commands.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use wireform_codegen::RuntimeDependency;
use wireform_codegen::schema::resource::UnknownMembers;

/// Description formats that can be imported.
#[derive(Subcommand)]
pub enum ImportCommand {
    /// Import Google API Discovery documents.
    Discovery(ImportOptions),
    /// Import OpenAPI documents of versions 3.0 and 3.1, in JSON or YAML.
    Openapi(ImportOptions),
}

/// Options of `import`.
#[derive(Args)]
pub struct ImportOptions {
    /// Documents to import.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Schemas folder, in which each API gets its own folder.
    #[arg(long, value_name = "DIR")]
    pub into: PathBuf,
    /// Name of the API and its folder; only for a single document [default: made from the document].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Succeed even if schemas cannot express everything in the documents.
    #[arg(long)]
    pub allow_losses: bool,
    /// Further folder whose files the documents may refer to, besides those below the folder of each document; can be
    /// repeated.
    #[arg(long, value_name = "DIR")]
    pub include_dir: Vec<PathBuf>,
    /// Maximum size of a document with the files that it refers to, in MiB [default: 32].
    #[arg(long, value_name = "MIB")]
    pub max_mib: Option<std::num::NonZeroUsize>,
    /// Keep types of OpenAPI documents that no operation refers to.
    #[arg(long)]
    pub all_types: bool,
    /// Handling of members that the documents do not declare: `preserve` keeps them and writes them back, `ignore`
    /// skips them [default: `preserve` for OpenAPI documents, `ignore` for Discovery documents].
    #[arg(long, value_parser = unknown_members, value_name = "WORD")]
    pub unknown_members: Option<UnknownMembers>,
    /// Show every loss instead of one of each kind.
    #[arg(long)]
    pub losses: bool,
    /// Show every guess instead of 20 of each kind.
    #[arg(long)]
    pub guesses: bool,
    /// Show every warning about the written schema instead of one of each kind.
    #[arg(long)]
    pub warnings: bool,
    /// Show every loss, warning, guess and note instead of some of each kind.
    #[arg(long)]
    pub all: bool,
    /// Write even if the folder has files that no import wrote, which are kept, and overwrite files with manual
    /// changes.
    #[arg(long)]
    pub force: bool,
}

/// Options of `corpus`.
#[derive(Args)]
pub struct CorpusOptions {
    /// Folder with the documents, or a single document: Discovery documents, or OpenAPI documents in JSON or YAML.
    /// Other files in the folder are counted and skipped.
    pub dir: PathBuf,
    /// File with the expected counts of the documents [default: `MANIFEST.json` in the folder or above it, if there is
    /// one].
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// Check the generated crates, warnings included; this is the default.
    #[arg(long, overrides_with = "no_check")]
    pub check: bool,
    /// Import and generate only.
    #[arg(long)]
    pub no_check: bool,
    /// List every loss, and every warning about the schemas apart from missing descriptions, with its location.
    #[arg(long)]
    pub losses: bool,
    /// Handling of members that the documents do not declare, as for `import`.
    #[arg(long, value_parser = unknown_members, value_name = "WORD")]
    pub unknown_members: Option<UnknownMembers>,
    /// Number of documents, and then crates, to process in parallel [default: the number of processors].
    #[arg(long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// Process only documents whose path contains this text; can be repeated.
    #[arg(long, value_name = "NAME")]
    pub filter: Vec<String>,
    /// Dependency of generated crates on the runtime, as for `gen` [default: the generator's own repository].
    #[arg(long, value_parser = runtime, value_name = "HOW")]
    pub runtime: Option<RuntimeDependency>,
    /// Keep schemas and crates in this folder, and process only changed documents the next time.
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
}

/// Options of `gen`.
#[derive(Args, Clone)]
pub struct GenOptions {
    /// Write nothing; fail if the output folder differs from what would be generated.
    #[arg(long, conflicts_with_all = ["watch", "dry_run"])]
    pub check: bool,
    /// Write nothing; print what would change.
    #[arg(long, conflicts_with = "watch")]
    pub dry_run: bool,
    /// Generate again whenever a schema is saved, until interrupted.
    #[arg(long)]
    pub watch: bool,
    /// Show every warning about imported schemas instead of one of each kind.
    #[arg(long)]
    pub warnings: bool,
    /// Process only this API; can be repeated.
    #[arg(long, value_name = "NAME")]
    pub api: Vec<String>,
    /// Folder with a folder of schemas for each API [default: that of the settings file, or the repository's
    /// `schemas`]. Requires `--out`, since the crates of these schemas replace all others in the output folder.
    #[arg(long, value_name = "DIR", requires = "out")]
    pub schemas: Option<PathBuf>,
    /// Output folder, which the generator then owns [default: that of the settings file, or the repository's
    /// `generated`].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Prefix of the names of the generated crates [default: none].
    #[arg(long, value_name = "PREFIX")]
    pub prefix: Option<String>,
    /// Version of the generated crates [default: 0.1.0].
    #[arg(long, value_name = "VERSION")]
    pub crate_version: Option<String>,
    /// License of the generated crates, such as `MIT` [default: none, or the repository's own without `--out`].
    #[arg(long, value_name = "SPDX")]
    pub license: Option<String>,
    /// Dependency of generated crates on the runtime: `version:0.1` from a registry, `path:../../runtime` relative to
    /// the folder of a generated crate, `git:URL` or `git:URL#REV` [default: the repository's own runtime, or its
    /// version with `--out`].
    #[arg(long, value_parser = runtime, value_name = "HOW")]
    pub runtime: Option<RuntimeDependency>,
    /// Maximum number of lines of a Rust file; a longer one is split by groups, operations and resources [default:
    /// 3000].
    #[arg(long, value_name = "N")]
    pub max_lines: Option<usize>,
    /// Maximum number of operations of a group in one module; a larger group is split by common prefixes of their names
    /// [default: 64].
    #[arg(long, value_name = "N")]
    pub max_operations: Option<usize>,
}

/// Options of `check`.
#[derive(Args)]
pub struct CheckOptions {
    /// Show every warning about imported schemas instead of one of each kind.
    #[arg(long)]
    pub warnings: bool,
    /// Process only this API; can be repeated.
    #[arg(long, value_name = "NAME")]
    pub api: Vec<String>,
    /// Folder with a folder of schemas for each API [default: that of the settings file, or the repository's
    /// `schemas`].
    #[arg(long, value_name = "DIR")]
    pub schemas: Option<PathBuf>,
}

/// Options of `new`.
#[derive(Args)]
pub struct NewOptions {
    /// Folder of the repository, which is created if it does not exist.
    #[arg(default_value = ".", value_name = "DIR")]
    pub dir: PathBuf,
    /// Name of the first API.
    #[arg(long, default_value = "notes", value_name = "NAME")]
    pub api: String,
    /// Dependency of the crates on the runtime: `version:0.1` from a registry, `path:../wireform/runtime` relative to
    /// the new repository, `git:URL` or `git:URL#REV` [default: the runtime of the running generator].
    #[arg(long, value_parser = runtime, value_name = "HOW")]
    pub runtime: Option<RuntimeDependency>,
}

/// Options of `reference`.
#[derive(Args)]
pub struct ReferenceOptions {
    /// Output folder [default: the current one, or those of the generator's own repository].
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
    /// Write nothing; fail if a page differs from what would be written.
    #[arg(long)]
    pub check: bool,
}

fn runtime(text: &str) -> Result<RuntimeDependency, String> {
    match text.split_once(':') {
        Some(("version", version)) => Ok(RuntimeDependency::Version(version.into())),
        Some(("path", path)) => Ok(RuntimeDependency::Path(path.into())),
        Some(("git", url)) => Ok(match url.rsplit_once('#') {
            Some((url, rev)) => RuntimeDependency::Git { url: url.into(), rev: Some(rev.into()) },
            None => RuntimeDependency::Git { url: url.into(), rev: None },
        }),
        _ => Err("expected `version:…`, `path:…` or `git:…`".into()),
    }
}

/// Parses the handling of unknown fields.
fn unknown_members(text: &str) -> Result<UnknownMembers, String> {
    match text {
        "ignore" => Ok(UnknownMembers::Ignore),
        "preserve" => Ok(UnknownMembers::Preserve),
        _ => Err("expected `ignore` or `preserve`".into()),
    }
}

/// Formats a dependency as [`runtime`] parses it.
pub fn format_runtime(runtime: &RuntimeDependency) -> String {
    match runtime {
        RuntimeDependency::Version(version) => format!("version:{version}"),
        RuntimeDependency::Path(path) => format!("path:{path}"),
        RuntimeDependency::Git { url, rev: None } => format!("git:{url}"),
        RuntimeDependency::Git { url, rev: Some(rev) } => format!("git:{url}#{rev}"),
    }
}
