//! Lower bound for a generator that emits tokens and formats them through a syntax tree, for the same output: from
//! tokens through the tree of a file to text, on one thread, with the system's allocator. Creating the tokens, reading
//! schemas and writing files are not part of the bound.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, anyhow};
use fs_err as fs;
use proc_macro2::TokenStream;

/// Reads all Rust files below a folder.
pub fn read(folder: &Path) -> anyhow::Result<Vec<String>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            texts.extend(read(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            texts.push(fs::read_to_string(&path)?);
        }
    }
    Ok(texts)
}

/// Returns the seconds that one thread takes, in CPU time if available, since the machine may be busy. The tokens are
/// created beforehand, untimed.
pub fn seconds(texts: &[String]) -> anyhow::Result<f64> {
    let parsed = texts.iter().map(|text| text.parse::<TokenStream>().map_err(|error| anyhow!("{error}")));
    let tokens = parsed.collect::<Result<Vec<_>, _>>()?;
    let (start, before) = (Instant::now(), processor());
    for file in tokens {
        let file: syn::File = syn::parse2(file).context("not a Rust file")?;
        std::hint::black_box(prettyplease::unparse(&file));
    }
    let wall = start.elapsed().as_secs_f64();
    Ok(before.zip(processor()).map_or(wall, |(before, after)| after - before))
}

/// Returns the CPU time of this thread in seconds, if the system has a file for it.
fn processor() -> Option<f64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
