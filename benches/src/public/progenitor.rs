//! Types and client of public APIs, compared with progenitor's for the same operations, each as a whole process: its
//! library in both styles, which reads a file and writes one, and its command, which writes a crate like ours does and
//! formats it with rustfmt.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context as _;
use fs_err as fs;
use wireform_rounds::{Rounds, Side};

use super::{KNOWN, api, import_known};
use crate::client::openapi;
use crate::project::{Goal, Project};
use crate::tool::Tool;
use crate::{child, place};

/// Dependencies of our program, including the allocator of the command.
const OURS: &str = "mimalloc = { version = \"0.1\", default-features = false }\n";
/// Both programs are built with the repository's profile.
const PROFILE: &str = "[profile.release]\nlto = \"thin\"\ncodegen-units = 4\n";

/// Measures and prints.
pub fn run(tool: &Tool, documents: &Path, scratch: &Path, pairs: usize) -> anyhow::Result<()> {
    let schemas = scratch.join("schemas");
    import_known(tool, documents, &schemas)?;
    let programs = Programs::build()?;
    println!("public: types and client as whole processes, compared with progenitor\n");
    for document in KNOWN {
        let api = api(document);
        one(&programs, &schemas.join(&api), &scratch.join(format!("progenitor-{api}")), document, pairs)?;
    }
    Ok(())
}

fn one(programs: &Programs, schema: &Path, folder: &Path, name: &str, pairs: usize) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    let model = openapi::read(schema)?;
    let document = folder.join("openapi.json");
    fs::write(&document, serde_json::to_vec_pretty(&openapi::document(&model))?)?;
    let (ours, theirs) = (folder.join("ours"), folder.join("client.rs"));
    let log = folder.join("log");
    let run = |program: &Path, first: &str, from: &Path, to: &Path| {
        let mut command = Command::new(program);
        command.args(Some(first).filter(|style| !style.is_empty())).arg(from).arg(to);
        Ok(child::run(&mut command, &log)?.wall)
    };
    let generated = folder.join("crate");
    let sides = vec![
        Side::new("types and client", || {
            place::remove(&ours)?;
            run(&programs.ours, "", schema, &ours)
        }),
        Side::new("progenitor, positional", || run(&programs.progenitor, "positional", &document, &theirs)),
        Side::new("cargo progenitor, positional", || {
            place::remove(&generated)?;
            let mut command = Command::new(&programs.command);
            command.args(["progenitor", "--name", "peer", "--version", "0.0.0", "--input"]).arg(&document);
            Ok(child::run(command.arg("--output").arg(&generated), &log)?.wall)
        }),
        Side::new("progenitor, builders", || run(&programs.progenitor, "builder", &document, &theirs)),
    ];
    let rounds = Rounds::measure(pairs, sides)?;
    rounds.print(&format!("{name}: {} operations, {} resources", model.operations.len(), model.resources.len()));
    println!();
    Ok(())
}

/// Release builds of the programs.
struct Programs {
    ours: PathBuf,
    progenitor: PathBuf,
    /// Progenitor's own command, `cargo-progenitor`.
    command: PathBuf,
}

impl Programs {
    fn build() -> anyhow::Result<Self> {
        let scratch = place::kept("public")?;
        let codegen = Project::path_dependency("wireform-codegen", &place::root().join("codegen"));
        let ours = include_str!("programs/ours.rs");
        let ours = Project::program(&scratch.join("ours"), &(OURS.to_owned() + &codegen), &[], ours)?;
        let ours = ours.with_lock_file()?.fetch()?;
        let progenitor = include_str!("programs/progenitor.rs");
        let generator = crate::client::progenitor::GENERATOR;
        let progenitor = Project::program(&scratch.join("progenitor"), generator, &[], progenitor)?.fetch()?;
        ours.write(".cargo/config.toml", PROFILE)?;
        progenitor.write(".cargo/config.toml", PROFILE)?;
        ours.make(Goal::Release)?;
        progenitor.make(Goal::Release)?;
        Ok(Self { ours: ours.binary(), progenitor: progenitor.binary(), command: command(&scratch)? })
    }
}

/// Installs progenitor's command into a folder, and returns its path.
fn command(scratch: &Path) -> anyhow::Result<PathBuf> {
    let root = scratch.join("command");
    let mut install = child::cargo();
    install.args(["install", "--quiet", "--locked", "--version", "=0.15.1", "cargo-progenitor", "--root"]).arg(&root);
    child::run(&mut install, &scratch.join("install.log")).context("cargo-progenitor cannot be installed")?;
    Ok(root.join("bin/cargo-progenitor"))
}
