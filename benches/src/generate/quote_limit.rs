//! How fast any generator can be that emits tokens: for the same output, tokens to a syntax tree to text.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, anyhow};
use fs_err as fs;
use proc_macro2::TokenStream;

/// All Rust files below a folder.
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

/// The seconds that one thread takes. The tokens are made beforehand, as if that were free.
pub fn seconds(texts: &[String]) -> anyhow::Result<f64> {
    let parsed = texts.iter().map(|text| text.parse::<TokenStream>().map_err(|error| anyhow!("{error}")));
    let tokens = parsed.collect::<Result<Vec<_>, _>>()?;
    let start = Instant::now();
    for file in tokens {
        let file: syn::File = syn::parse2(file).context("no Rust file")?;
        std::hint::black_box(prettyplease::unparse(&file));
    }
    Ok(start.elapsed().as_secs_f64())
}
