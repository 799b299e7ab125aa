//! `wireform-http-specs DIR`: reads the schemas below `DIR/schemas` and writes `DIR/driver`, a program that calls each
//! operation with the generated clients in `DIR/crates` and the values of a scenario. `.ci/http-specs` runs it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use fs_err as fs;
use wireform_codegen::model::{Api, Operation};
use wireform_codegen::{Source, load};

/// Files of the driver that do not depend on the operations.
const SUPPORT: [(&str, &str); 3] = [
    ("main.rs", include_str!("../driver/main.rs")),
    ("paths.rs", include_str!("../driver/paths.rs")),
    ("values.rs", include_str!("../driver/values.rs")),
];

fn main() -> anyhow::Result<()> {
    let Some(dir) = std::env::args_os().nth(1).map(PathBuf::from) else { bail!("expected a folder") };
    let runtime = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime").canonicalize()?;
    let mut apis = Vec::new();
    for entry in fs::read_dir(dir.join("schemas"))? {
        apis.extend(Some(api(&entry?.path())?).filter(|api| !api.operations.is_empty()));
    }
    apis.sort_by(|one, other| one.name.cmp(&other.name));
    let source = dir.join("driver/src");
    fs::create_dir_all(&source)?;
    write(&dir.join("driver/Cargo.toml"), &manifest(&apis, &runtime)?)?;
    write(&source.join("calls.rs"), &calls(&apis)?)?;
    SUPPORT.iter().try_for_each(|(name, text)| write(&source.join(name), text))
}

/// Loads the API of a folder of schemas.
fn api(dir: &Path) -> anyhow::Result<Api> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        sources.push(Source::new(path.to_string_lossy(), fs::read_to_string(&path)?));
    }
    let first_message = |output: wireform_codegen::Output| output.diagnostics.first().map(|it| it.message.clone());
    load(&sources).map_err(|output| anyhow::anyhow!("{}: {:?}", dir.display(), first_message(output)))
}

/// Keeps the modification time of an unchanged file, so that cargo does not rebuild it.
fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    if fs::read_to_string(path).is_ok_and(|current| current == text) {
        return Ok(());
    }
    fs::write(path, text).with_context(|| path.display().to_string())
}

fn manifest(apis: &[Api], runtime: &Path) -> anyhow::Result<String> {
    let mut text = String::from(
        "[package]\nname = \"http-specs-driver\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [profile.dev]\ndebug = false\n\n[workspace]\n\n[dependencies]\n",
    );
    writeln!(text, "wireform-client = {{ path = {:?} }}", runtime.join("client"))?;
    writeln!(text, "wireform-runtime = {{ path = {runtime:?}, features = [\"xml\"] }}")?;
    writeln!(text, "serde_json = \"1\"\ntokio = {{ version = \"1\", features = [\"rt\"] }}")?;
    writeln!(text, "base64 = \"0.22\"")?;
    for api in apis {
        writeln!(text, "{0}-client = {{ path = \"../crates/{0}-client\" }}", api.name)?;
    }
    Ok(text)
}

/// Returns the table of operations, with lines such as
///
/// ```text
/// call!("encode-bytes", encode_bytes_client, QueryBase64 { value: 0 }, none, none),
/// ```
fn calls(apis: &[Api]) -> anyhow::Result<String> {
    let mut text = String::from("use crate::{Call, call};\n\npub const CALLS: &[Call] = &[\n");
    for api in apis {
        let library = format!("{}_client", api.name.replace('-', "_"));
        for operation in &api.operations {
            let members: Vec<String> = operation
                .settable_parameters()
                .map(|(index, parameter)| format!("{}: {index}", parameter.name.ident))
                .collect();
            let (body, headers) = (body(operation), headers(operation));
            let request = &operation.types.request;
            writeln!(
                text,
                "    call!({:?}, {library}, {request} {{ {} }}, {body}, {headers}),",
                api.title,
                members.join(", ")
            )?;
        }
    }
    text.push_str("];\n");
    Ok(text)
}

fn body(operation: &Operation) -> &'static str {
    match &operation.body {
        None => "none",
        Some(body) if body.required => "required",
        Some(_) => "optional",
    }
}

fn headers(operation: &Operation) -> &str {
    if operation.types.headers.is_empty() { "none" } else { &operation.types.headers }
}
