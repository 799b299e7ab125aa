//! `new`: creates a repository with a first schema, its crates, the command that generates them, and continuous
//! integration.

mod files;

use std::path::Path;

use anyhow::{bail, ensure};
use fs_err as fs;
use wireform_codegen::resolve::names::{API_NAME_SYNTAX, is_api_name};
use wireform_codegen::{Options, RuntimeDependency, Source};

use crate::home::CommandContext;
use crate::options::{GenOptions, NewOptions};
use crate::{generate, output_folder, settings};
use files::Scaffold;

/// Runs the command and returns false if the crates of the new schema cannot be generated.
pub fn run(home: &CommandContext, options: &NewOptions) -> anyhow::Result<bool> {
    let dir = &options.dir;
    let runtime = match (&options.runtime, home.repository.as_deref()) {
        (Some(runtime), _) => runtime.clone(),
        (None, Some(repository)) => RuntimeDependency::Path(settings::relative_path(dir, &repository.join("runtime"))?),
        (None, None) => Options::default().runtime,
    };
    let scaffold = Scaffold { api: &options.api, runtime: &runtime };
    check_name(&scaffold)?;
    for folder in [dir.clone(), dir.join("generated")] {
        output_folder::resolve(&folder)?;
    }
    let mut owned = scaffold.owned_files().into_iter();
    if let Some((path, _)) = owned.find(|(path, _)| output_folder::is_occupied(&dir.join(path))) {
        bail!("`{}` already exists; nothing was written", dir.join(path).display());
    }
    generate::check_runtime(&generation(dir, &runtime)?)?;
    for (path, text) in scaffold.owned_files() {
        write(dir, &path, &text)?;
    }
    for (path, text, add) in scaffold.shared_files() {
        if output_folder::is_occupied(&dir.join(path)) {
            println!("kept {path}: {add}")
        } else {
            write(dir, path, &text)?
        }
    }
    let of_dir = CommandContext { name: home.name.clone(), repository: None };
    let generated = generate::run(&of_dir, &generation(dir, &runtime)?)?;
    if generated {
        println!("edit schemas/{}/api.yaml, then run `cargo xtask gen`", options.api);
    }
    Ok(generated)
}

/// Checks the name of the API before anything is written.
///
/// # Errors
///
/// Returns an error if the name is not valid.
fn check_name(scaffold: &Scaffold<'_>) -> anyhow::Result<()> {
    ensure!(
        is_api_name(scaffold.api),
        "`{}` is not a valid API name: use {API_NAME_SYNTAX}",
        scaffold.api.escape_debug()
    );
    let output = wireform_codegen::check(&[Source::new("api.yaml", scaffold.schema())]);
    let formatted = output.diagnostics.iter().map(|one| one.render(&output.sources, false));
    ensure!(
        output.diagnostics.is_empty(),
        "`{}` is not a valid API name:\n{}",
        scaffold.api,
        formatted.collect::<String>()
    );
    Ok(())
}

fn write(dir: &Path, path: &str, text: &str) -> anyhow::Result<()> {
    let file = dir.join(path);
    fs::create_dir_all(file.parent().unwrap_or(dir))?;
    fs::write(file, text)?;
    println!("wrote {path}");
    Ok(())
}

/// Returns the options that generate the crates of the new repository from any current folder.
fn generation(dir: &Path, runtime: &RuntimeDependency) -> anyhow::Result<GenOptions> {
    let dir = std::path::absolute(dir)?;
    let out = dir.join("generated");
    let runtime = match runtime {
        RuntimeDependency::Path(path) => {
            RuntimeDependency::Path(settings::relative_path(&out.join("crate"), &dir.join(path))?)
        }
        other => other.clone(),
    };
    Ok(GenOptions {
        warnings: false,
        check: false,
        dry_run: false,
        watch: false,
        api: Vec::new(),
        schemas: Some(dir.join("schemas")),
        out: Some(out),
        prefix: None,
        crate_version: None,
        license: None,
        runtime: Some(runtime),
        max_lines: None,
        max_operations: None,
    })
}
