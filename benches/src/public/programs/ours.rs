//! Writes the types and the client of an API from its schema.

use std::error::Error;
use std::fs;

use wireform_codegen::{Options, Source, emit, load, render};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<_> = std::env::args_os().skip(1).collect();
    let [schema, out] = paths.as_slice() else { return Err("expected: folder of the schema, output folder".into()) };
    let mut sources = Vec::new();
    for entry in fs::read_dir(schema)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            sources.push(Source::from_bytes(path.display().to_string(), &fs::read(&path)?));
        }
    }
    let api = load(&sources).map_err(|output| format!("{} diagnostics of the schema", output.diagnostics.len()))?;
    let options = Options::default();
    let mut artifacts = emit::emit(&api, &sources, &options);
    artifacts.retain(|artifact| {
        artifact.path.split_once('/').is_some_and(|(name, _)| name.ends_with("-types") || name.ends_with("-client"))
    });
    for (path, text) in render::render(&artifacts, &options) {
        let path = std::path::Path::new(out).join(path);
        fs::create_dir_all(path.parent().ok_or("a file without a folder")?)?;
        fs::write(path, text)?;
    }
    Ok(())
}
