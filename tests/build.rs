//! Writes the list of all resources of the three APIs with functions that decode and encode them,
//! so that a test over "every resource" cannot forget one.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use wireform_codegen::{Source, load};

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut code = String::from("&[\n");
    for api in ["script", "mailbox", "calendar"] {
        let model = load(&sources(&root.join(api))).unwrap_or_else(|output| panic!("{api}: {:?}", output.diagnostics));
        for resource in &model.resources {
            let ty = format!("::{api}_types::{}", resource.name.ident);
            let patch = match &resource.patch {
                Some(patch) => format!("Some(crate::registry::Codec::patch::<{ty}, ::{api}_types::{patch}>())"),
                None => "None".into(),
            };
            let _ = writeln!(
                code,
                "Entry {{ api: {api:?}, resource: {:?}, codec: crate::registry::Codec::of::<{ty}>(), patch: {patch} }},",
                resource.name.wire
            );
        }
    }
    code.push(']');
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    fs_err::write(out.join("registry.rs"), code).expect("the build folder can be written");
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
    sources
}
