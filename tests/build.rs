//! Writes what a test over "everything" cannot forget a part of: the list of all resources of the three APIs with
//! functions that decode and encode them, and the list of all operations with the calls of the generated clients.

#[path = "build/calls.rs"]
mod calls;
#[path = "build/samples.rs"]
mod samples;
#[path = "build/services.rs"]
mod services;
#[path = "build/values.rs"]
mod values;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use wireform_codegen::model::Api;
use wireform_codegen::{Source, load, with_includes};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas");
    println!("cargo::rerun-if-changed={}", root.display());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=WIREFORM_DOCUMENTS");
    println!("cargo::rustc-check-cfg=cfg(large_documents)");
    let documents = std::env::var_os("WIREFORM_DOCUMENTS").map(PathBuf::from);
    if documents.is_some_and(|dir| ["openai.json", "stripe.json"].iter().all(|file| dir.join(file).is_file())) {
        println!("cargo::rustc-cfg=large_documents");
    }
    let (mut resources, mut operations) = (String::from("&[\n"), String::from("&[\n"));
    let (mut services, mut served) = (String::new(), String::from("&[\n"));
    for api in ["script", "mailbox", "calendar"] {
        let model = load(&sources(&root.join(api))).unwrap_or_else(|output| panic!("{api}: {:?}", output.diagnostics));
        registry(&model, &mut resources);
        calls::write(&model, &mut operations);
        services::write(&model, &mut services);
        services::list(&model, &mut served);
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    fs_err::write(out.join("services.rs"), services).expect("the build folder can be written");
    for (file, mut code) in [("registry.rs", resources), ("calls.rs", operations), ("served.rs", served)] {
        code.push(']');
        fs_err::write(out.join(file), code).expect("the build folder can be written");
    }
}

/// Every resource of an API with its codec.
fn registry(api: &Api, code: &mut String) {
    let name = &api.name;
    for resource in &api.resources {
        let ty = format!("::{name}_types::{}", resource.name.ident);
        let patch = match &resource.patch {
            Some(patch) => format!("Some(crate::registry::Codec::patch::<{ty}, ::{name}_types::{patch}>())"),
            None => "None".into(),
        };
        let _ = writeln!(
            code,
            "Entry {{ api: {name:?}, resource: {:?}, codec: crate::registry::Codec::of::<{ty}>(), patch: {patch} }},",
            resource.name.wire
        );
    }
}

fn sources(dir: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    for entry in fs_err::read_dir(dir).expect("the schemas are there") {
        let path = entry.expect("the folder can be read").path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            let text = fs_err::read_to_string(&path).expect("a schema is text");
            sources.push(Source::new(path.file_name().unwrap_or_default().to_string_lossy(), text));
        }
    }
    let included = |path: &str| Ok::<_, std::convert::Infallible>(fs_err::read(dir.join(path)).ok());
    let Ok(sources) = with_includes(sources, included);
    sources
}
