//! Imports OpenAPI documents and generates their crates with the libraries: `import NAME DOCUMENT …` writes
//! `generated/NAME-…`.

use wireform_codegen::{Options, RuntimeDependency, Source, generate};
use wireform_importers::openapi;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    arguments.chunks_exact(2).for_each(|pair| import(&pair[0], &pair[1]));
}

fn import(name: &str, document: &str) {
    let text = std::fs::read_to_string(document).expect("the document");
    let settings = wireform_importers::Options { name: Some(name), ..Default::default() };
    let import = openapi::import_as(&text, &settings, None).expect("an OpenAPI document");
    let sources: Vec<Source> = import.files.into_iter().map(|(path, text)| Source::new(path, text)).collect();
    let options = Options { runtime: RuntimeDependency::Path("../../../../runtime".into()), ..Options::default() };
    let output = generate(&sources, &options);
    for (path, text) in output.files.expect("a schema without errors") {
        let path = std::path::Path::new("generated").join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        std::fs::write(path, text).expect("a writable file");
    }
}
