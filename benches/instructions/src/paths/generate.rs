//! Generation of the crates of all schemas in memory, on one thread, compared with formatting the same output: from
//! text to syntax trees and back. Whole processes are counted, since the generator parses conditions on a separate
//! thread.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use fs_err as fs;
use proc_macro2::TokenStream;
use wireform_codegen::{Options, Source, generate, with_includes};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

pub fn ours(_: u32) -> Result<()> {
    // Otherwise the generator would use every core, and the count would differ between machines.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    for folder in entries(&Path::new(ROOT).join("schemas"))?.iter().filter(|path| path.is_dir()) {
        let output = generate(&sources(folder)?, &Options::default());
        let first = || output.diagnostics.first().map(|one| one.render(&output.sources, false)).unwrap_or_default();
        output.files.as_ref().with_context(first)?;
    }
    Ok(())
}

pub fn by_hand(_: u32) -> Result<()> {
    for file in files_below(&Path::new(ROOT).join("generated"))? {
        if file.extension().is_some_and(|extension| extension == "rs") {
            let tokens: TokenStream = fs::read_to_string(file)?.parse().map_err(|error| anyhow!("{error}"))?;
            std::hint::black_box(prettyplease::unparse(&syn::parse2(tokens)?));
        }
    }
    Ok(())
}

fn sources(folder: &Path) -> Result<Vec<Source>> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let source = |path: &PathBuf| {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Source::from_bytes(format!("{name}/{file}"), &fs::read(path)?))
    };
    let sources = entries(folder)?.iter().map(source).collect::<Result<Vec<_>>>()?;
    with_includes(sources, |path| Ok(Some(fs::read(Path::new(ROOT).join("schemas").join(path))?)))
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() { files.extend(files_below(&path)?) } else { files.push(path) }
    }
    Ok(files)
}

/// Lists a folder in the order of the names.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
