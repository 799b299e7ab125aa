//! Settings of a run: from the command line, the settings file of the repository, or the defaults of this repository
//! for its own crates.

use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, bail};
use fs_err as fs;
use wireform_codegen::settings::{SETTINGS_FILE, Settings, parse_settings};
use wireform_codegen::{Diagnostic, Options, RuntimeDependency, Source};

use crate::home::CommandContext;
use crate::options::GenOptions;

/// Resolved settings of a run.
#[derive(Debug)]
pub struct Resolved {
    /// Schemas folder.
    pub schemas: PathBuf,
    /// Output folder.
    pub out: PathBuf,
    /// Options of the generator.
    pub codegen: Options,
    /// Settings file, if it contains the dependency on the runtime and the command line does not override it.
    pub runtime_setting: Option<(Source, Settings)>,
    /// True if there is a settings file, as in other repositories, whose command is not known here.
    pub has_file: bool,
}

/// Resolves the settings of a run.
///
/// # Errors
/// Returns an error if the settings file cannot be read, with all its diagnostics, or if the settings cannot be used.
pub fn resolve(home: &CommandContext, options: &GenOptions) -> anyhow::Result<Resolved> {
    let resolved = match file(home)? {
        Some(file) => {
            let (source, settings) = read(&file)?;
            let merged = merge(options, &file, &settings)?;
            Resolved { runtime_setting: options.runtime.is_none().then_some((source, settings)), ..merged }
        }
        None => defaults(home, options)?,
    };
    resolved.codegen.check().map_err(anyhow::Error::msg)?;
    Ok(resolved)
}

/// Returns the settings file that applies to the current folder.
fn file(home: &CommandContext) -> anyhow::Result<Option<PathBuf>> {
    let here = std::env::current_dir().context("cannot determine the current folder")?;
    Ok(find(&here, home.repository.as_deref()))
}

/// Returns the schemas folder of the settings file, or of the generator's own repository.
///
/// # Errors
/// Returns an error if the settings file cannot be read, with all its diagnostics, or if there is neither.
pub fn schemas(home: &CommandContext) -> anyhow::Result<PathBuf> {
    match (file(home)?, home.repository.as_deref()) {
        (Some(file), _) => Ok(file.parent().unwrap_or(Path::new(".")).join(read(&file)?.1.schemas)),
        (None, Some(repository)) => Ok(repository.join("schemas")),
        (None, None) => Err(no_settings(home, "pass `--schemas`")),
    }
}

fn no_settings(home: &CommandContext, instead: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "no `{SETTINGS_FILE}` found in this folder or above it; `{} new` sets up a repository, or {instead}",
        home.name
    )
}

/// Returns the settings without a settings file: the generator's own crates are written next to its runtime.
fn defaults(home: &CommandContext, options: &GenOptions) -> anyhow::Result<Resolved> {
    let in_repository = |folder| home.repository.as_deref().map(|repository| repository.join(folder));
    let schemas = options.schemas.clone().or_else(|| in_repository("schemas"));
    let out = options.out.clone().or_else(|| in_repository("generated"));
    let (Some(schemas), Some(out)) = (schemas, out) else {
        return Err(no_settings(home, "pass `--schemas` and `--out`"));
    };
    let is_own = options.out.is_none();
    let runtime = || RuntimeDependency::Path("../../runtime".into());
    let base = Options {
        license: is_own.then(|| "MIT OR Apache-2.0".to_owned()),
        runtime: if is_own { runtime() } else { Options::default().runtime },
        ..Options::default()
    };
    Ok(Resolved { schemas, out, codegen: with_flags(options, base), runtime_setting: None, has_file: false })
}

fn with_flags(options: &GenOptions, base: Options) -> Options {
    Options {
        prefix: options.prefix.clone().unwrap_or(base.prefix),
        version: options.crate_version.clone().unwrap_or(base.version),
        license: options.license.clone().or(base.license),
        runtime: options.runtime.clone().unwrap_or(base.runtime),
        max_lines: options.max_lines.unwrap_or(base.max_lines),
        max_operations: options.max_operations.unwrap_or(base.max_operations),
    }
}

fn merge(options: &GenOptions, file: &Path, settings: &Settings) -> anyhow::Result<Resolved> {
    let dir = file.parent().unwrap_or(Path::new("."));
    let out = options.out.clone().unwrap_or_else(|| dir.join(&settings.out));
    let mut base = settings.options.clone();
    if let (None, RuntimeDependency::Path(path)) = (&options.runtime, &base.runtime) {
        // Any name will do for the crate: all of them are siblings.
        base.runtime = RuntimeDependency::Path(relative_path(&out.join("crate"), &dir.join(path))?);
    }
    Ok(Resolved {
        schemas: options.schemas.clone().unwrap_or_else(|| dir.join(&settings.schemas)),
        out,
        codegen: with_flags(options, base),
        runtime_setting: None,
        has_file: true,
    })
}

/// Finds the settings file of a folder, in it or in the nearest ancestor. The search ends at the generator's own
/// repository.
fn find(from: &Path, boundary: Option<&Path>) -> Option<PathBuf> {
    let boundary = boundary.filter(|boundary| from.starts_with(boundary));
    let reached = from.ancestors().take_while(|dir| boundary.is_none_or(|boundary| dir.starts_with(boundary)));
    reached.map(|dir| dir.join(SETTINGS_FILE)).find(|file| file.is_file())
}

fn read(file: &Path) -> anyhow::Result<(Source, Settings)> {
    let bytes = fs::read(file)?;
    let source = Source::from_bytes(file.display().to_string(), &bytes);
    match parse_settings(&source) {
        Ok(settings) => Ok((source, settings)),
        Err(diagnostics) => Err(report_errors(&source, &diagnostics)),
    }
}

/// Prints the diagnostics of a settings file, and returns the error that ends the run.
pub fn report_errors(source: &Source, diagnostics: &[Diagnostic]) -> anyhow::Error {
    diagnostics.iter().for_each(|one| eprintln!("{}\n", one.render(std::slice::from_ref(source), false)));
    anyhow::anyhow!("invalid settings in `{}`; nothing was written", source.path)
}

/// Returns the relative path from one folder to another, computed lexically: neither has to exist.
pub fn relative_path(from: &Path, to: &Path) -> anyhow::Result<String> {
    let (from, to) = (absolute_components(from)?, absolute_components(to)?);
    let common = from.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..", from.len() - common).map(str::to_owned);
    Ok(up.chain(to.into_iter().skip(common)).collect::<Vec<_>>().join("/"))
}

/// Returns the components of the absolute path of a folder.
fn absolute_components(path: &Path) -> anyhow::Result<Vec<String>> {
    let mut parts = Vec::new();
    for part in std::path::absolute(path)?.components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::CurDir | Component::RootDir => {}
            Component::Prefix(_) | Component::Normal(_) => match part.as_os_str().to_str() {
                Some(name) => parts.push(name.to_owned()),
                None => bail!("`{}` is not UTF-8 and cannot be written to a manifest", path.display()),
            },
        }
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runtime_path_is_relative_to_crates() {
        for (from, to, expected) in [
            ("/mine/generated/crate", "/mine/../wireform/runtime", "../../../wireform/runtime"),
            ("/mine/generated/crate", "/mine/runtime", "../../runtime"),
            ("/a/b", "/a/b/c", "c"),
        ] {
            assert_eq!(relative_path(Path::new(from), Path::new(to)).ok().as_deref(), Some(expected));
        }
    }

    #[test]
    fn nearest_settings_file_within_repository_is_used() -> anyhow::Result<()> {
        let dir = tempfile::tempdir()?;
        let top = dir.path();
        fs::create_dir_all(top.join("repository/inner"))?;
        fs::write(top.join(SETTINGS_FILE), "")?;
        assert_eq!(find(&top.join("repository/inner"), Some(Path::new("/elsewhere"))), Some(top.join(SETTINGS_FILE)));
        assert_eq!(find(&top.join("repository/inner"), Some(&top.join("repository"))), None);
        fs::write(top.join("repository").join(SETTINGS_FILE), "")?;
        let nearest = Some(top.join("repository").join(SETTINGS_FILE));
        assert_eq!(find(&top.join("repository/inner"), Some(Path::new("/elsewhere"))), nearest);
        assert_eq!(find(&top.join("repository/inner"), Some(&top.join("repository"))), nearest);
        Ok(())
    }
}
