//! Tables in `tests/tables/` of all resources and operations of the three APIs, so that no test over "everything" misses
//! a new one. They are files, because a build script that writes them compiles the generator a second time.

mod calls;
mod samples;
mod services;
mod values;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use wireform_codegen::load;
use wireform_codegen::model::Api;
use wireform_emitted::{root, sources};

const DIR: &str = "tests/tables";

/// Returns the files of the tables by name.
fn tables() -> BTreeMap<&'static str, String> {
    let (mut resources, mut operations) = (String::from("&[\n"), String::from("&[\n"));
    let (mut services, mut served) = (String::new(), String::from("&[\n"));
    for api in ["script", "mailbox", "calendar"] {
        let sources = sources(&root().join("schemas").join(api));
        let model = load(&sources).unwrap_or_else(|output| panic!("{api}: {:?}", output.diagnostics));
        registry(&model, &mut resources);
        calls::write(&model, &mut operations);
        services::write(&model, &mut services);
        services::list(&model, &mut served);
    }
    let lists = [("registry.rs", resources), ("calls.rs", operations), ("served.rs", served)];
    let mut tables: BTreeMap<_, _> = lists.map(|(file, rows)| (file, rows + "]\n")).into();
    tables.insert("services.rs", services);
    tables
}

/// Appends every resource of an API with its codec.
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

#[test]
fn tables_are_current() {
    let dir = root().join(DIR);
    let mut stale = Vec::new();
    for (file, table) in tables() {
        let path = dir.join(file);
        if fs_err::read_to_string(&path).is_ok_and(|current| current == table) {
            continue;
        }
        if std::env::var_os("UPDATE_TABLES").is_some() {
            fs_err::write(&path, table).expect("the table can be written");
        } else {
            stale.push(file);
        }
    }
    let help = "write them with `UPDATE_TABLES=1 cargo test -p wireform-emitted -- tables`";
    assert!(stale.is_empty(), "{stale:?} in {DIR} differ from the schemas; {help}");
}
