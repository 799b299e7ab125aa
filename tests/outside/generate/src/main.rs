//! Generates the crates of the schema with the library, in the five lines between the markers.

use wireform_codegen::{Options, RuntimeDependency, Source, generate};

fn main() {
    let runtime = RuntimeDependency::Path("../../../../runtime".into());
    let options = Options { prefix: "my-".into(), runtime, ..Options::default() };
    // five lines
    let schema = std::fs::read_to_string("schemas/pets/api.yaml").expect("the schema");
    let output = generate(&[Source::new("pets/api.yaml", schema)], &options);
    output.diagnostics.iter().for_each(|one| eprintln!("{}", one.render(&output.sources, false)));
    for (path, text) in output.files.expect("a schema without errors") {
        write(&format!("generated/{path}"), &text);
    }
    // five lines
}

fn write(path: &str, text: &str) {
    let path = std::path::Path::new(path);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
    std::fs::write(path, text).expect("a writable file");
}
