//! The options of the commands.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use wireform_codegen::RuntimeDependency;
use wireform_codegen::schema::resource::UnknownMembers;

/// The languages that are imported.
#[derive(Subcommand)]
pub enum ImportCommand {
    /// Google API Discovery documents.
    Discovery(ImportOptions),
    /// OpenAPI documents of the versions 3.0 and 3.1, in JSON or YAML.
    Openapi(ImportOptions),
}

/// Options of `import`.
#[derive(Args)]
pub struct ImportOptions {
    /// The documents.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The folder of schemas, in which each API gets a folder.
    #[arg(long, value_name = "DIR")]
    pub into: PathBuf,
    /// The name of the API, and so of its folder, of a single document [default: made from the document].
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Succeed although the documents say things that the schemas do not.
    #[arg(long)]
    pub allow_losses: bool,
    /// The largest document, in MiB [default: 32].
    #[arg(long, value_name = "MIB")]
    pub max_mib: Option<std::num::NonZeroUsize>,
    /// Keep the types of OpenAPI documents that no operation leads to.
    #[arg(long)]
    pub all_types: bool,
    /// What types do with members that the documents do not declare: `preserve` keeps them and writes them back, `ignore`
    /// reads over them [default: `preserve` for OpenAPI documents, `ignore` for Discovery documents].
    #[arg(long, value_parser = unknown_members, value_name = "WORD")]
    pub unknown_members: Option<UnknownMembers>,
    /// Show every loss, and not one of each kind.
    #[arg(long)]
    pub losses: bool,
    /// Show every loss and every note, and not one of each kind.
    #[arg(long)]
    pub all: bool,
    /// Write also into a folder with files that no import wrote, which stay, and over files that somebody changed.
    #[arg(long)]
    pub force: bool,
}

/// Options of `corpus`.
#[derive(Args)]
pub struct CorpusOptions {
    /// The folder with the documents, or one of them: Discovery documents, OpenAPI documents in JSON or YAML. Other
    /// files in the folder are counted and left alone.
    pub dir: PathBuf,
    /// Counts to hold the documents against [default: `MANIFEST.json` in the folder or above it, where there is one].
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// Check the generated crates, warnings included; this is the default.
    #[arg(long, overrides_with = "no_check")]
    pub check: bool,
    /// Import and generate only.
    #[arg(long)]
    pub no_check: bool,
    /// List, with its place, whatever a document says and its schema does not.
    #[arg(long)]
    pub losses: bool,
    /// What types do with members that the documents do not declare, as for `import`.
    #[arg(long, value_parser = unknown_members, value_name = "WORD")]
    pub unknown_members: Option<UnknownMembers>,
    /// How many documents, and then crates, are worked on at once [default: the number of processors].
    #[arg(long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,
    /// Only documents whose path has this in it; can be repeated.
    #[arg(long, value_name = "NAME")]
    pub filter: Vec<String>,
    /// How generated crates depend on the runtime, as for `gen` [default: the generator's own repository].
    #[arg(long, value_parser = runtime, value_name = "HOW")]
    pub runtime: Option<RuntimeDependency>,
    /// Leave schemas and crates in this folder, and do only what has changed the next time.
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
}

/// Options of `gen`.
#[derive(Args, Clone)]
pub struct GenOptions {
    /// Write nothing; fail when the output folder is not exactly what would be written.
    #[arg(long, conflicts_with_all = ["watch", "dry_run"])]
    pub check: bool,
    /// Write nothing; say what would change.
    #[arg(long, conflicts_with = "watch")]
    pub dry_run: bool,
    /// Generate again whenever a schema is saved, until interrupted.
    #[arg(long)]
    pub watch: bool,
    /// Only this API; can be repeated.
    #[arg(long, value_name = "NAME")]
    pub api: Vec<String>,
    /// The folder with a folder of schemas for each API [default: that of the settings file, or the repository's
    /// `schemas`]. Needs `--out`: the crates of other schemas would give way to those of these.
    #[arg(long, value_name = "DIR", requires = "out")]
    pub schemas: Option<PathBuf>,
    /// The folder to write, which the generator then owns [default: that of the settings file, or the repository's
    /// `generated`].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// What stands before the names of the generated crates [default: nothing].
    #[arg(long, value_name = "PREFIX")]
    pub prefix: Option<String>,
    /// The version of the generated crates [default: 0.1.0].
    #[arg(long, value_name = "VERSION")]
    pub crate_version: Option<String>,
    /// The licence of the generated crates, such as `MIT` [default: none, or the repository's own without `--out`].
    #[arg(long, value_name = "SPDX")]
    pub license: Option<String>,
    /// How they depend on the runtime: `version:0.1` of a registry, `path:../../runtime` from the folder of a
    /// generated crate, `git:URL` or `git:URL#REV`
    /// [default: the repository's own runtime, or its version with `--out`].
    #[arg(long, value_parser = runtime, value_name = "HOW")]
    pub runtime: Option<RuntimeDependency>,
    /// The most lines of a Rust file; a longer one is divided by groups, operations and resources [default: 3000].
    #[arg(long, value_name = "N")]
    pub most_lines: Option<usize>,
    /// The most operations of a group that stand together; of one with more, those whose names begin alike do
    /// [default: 64].
    #[arg(long, value_name = "N")]
    pub most_operations: Option<usize>,
}

/// Options of `check`.
#[derive(Args)]
pub struct CheckOptions {
    /// Only this API; can be repeated.
    #[arg(long, value_name = "NAME")]
    pub api: Vec<String>,
    /// The folder with a folder of schemas for each API [default: that of the settings file, or the repository's
    /// `schemas`].
    #[arg(long, value_name = "DIR")]
    pub schemas: Option<PathBuf>,
}

/// Options of `new`.
#[derive(Args)]
pub struct NewOptions {
    /// The folder of the repository, which is made if it is not there.
    #[arg(default_value = ".", value_name = "DIR")]
    pub dir: PathBuf,
    /// The name of the first API.
    #[arg(long, default_value = "notes", value_name = "NAME")]
    pub api: String,
    /// How crates depend on the runtime: `version:0.1` of a registry, `path:../wireform/runtime` from the new repository,
    /// `git:URL` or `git:URL#REV` [default: the runtime of the generator that is called].
    #[arg(long, value_parser = runtime, value_name = "HOW")]
    pub runtime: Option<RuntimeDependency>,
}

/// Options of `reference`.
#[derive(Args)]
pub struct ReferenceOptions {
    /// The folder to write into [default: the current one, or those of the generator's own repository].
    #[arg(long, value_name = "DIR")]
    pub into: Option<PathBuf>,
    /// Write nothing; fail when a page is not what would be written.
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
        _ => Err("write `version:…`, `path:…` or `git:…`".into()),
    }
}

/// The word of a schema for what becomes of unknown members.
fn unknown_members(text: &str) -> Result<UnknownMembers, String> {
    match text {
        "ignore" => Ok(UnknownMembers::Ignore),
        "preserve" => Ok(UnknownMembers::Preserve),
        _ => Err("write `ignore` or `preserve`".into()),
    }
}

/// A dependency as [`runtime`] reads it.
pub fn spell(runtime: &RuntimeDependency) -> String {
    match runtime {
        RuntimeDependency::Version(version) => format!("version:{version}"),
        RuntimeDependency::Path(path) => format!("path:{path}"),
        RuntimeDependency::Git { url, rev: None } => format!("git:{url}"),
        RuntimeDependency::Git { url, rev: Some(rev) } => format!("git:{url}#{rev}"),
    }
}
