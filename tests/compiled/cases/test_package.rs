//! Package with the tests of all cases, as modules of one test binary.

use std::fmt::Write as _;
use std::path::Path;

use wireform_codegen::FileTree;

use super::name;

/// Name of the package.
pub const TESTS: &str = "tests-of-cases";

/// Tests of the cases, and the crates that they use.
#[derive(Default)]
pub struct TestPackage {
    dependencies: String,
    modules: String,
    files: FileTree,
}

impl TestPackage {
    /// Adds the tests of a case, except those of its groups, which depend on features.
    pub fn add(&mut self, case: &Path, files: &FileTree) {
        let name = name(case);
        let members = ["types", "validation", "client", "server"];
        let sources = ["use.rs", "use-validation.rs", "use-client.rs", "use-server.rs"];
        let modules = self.files.len();
        for (source, member) in sources.into_iter().zip(members).filter(|_| name != "features") {
            if let Ok(text) = fs_err::read_to_string(case.join(source)) {
                let module = format!("{name}-{member}").replace('-', "_");
                let _ = writeln!(self.modules, "#[path = \"use/{module}/mod.rs\"]\nmod {module}_tests;");
                let dir = format!("{TESTS}/tests/use/{module}");
                self.files.insert(format!("{dir}/mod.rs"), text);
                self.files.extend(submodules(&case.join(source)).map(|(name, text)| (format!("{dir}/{name}"), text)));
            }
        }
        for member in members.map(|member| format!("{name}-{member}")) {
            if self.files.len() > modules && files.contains_key(&format!("{member}/Cargo.toml")) {
                let _ =
                    writeln!(self.dependencies, "{member} = {{ path = \"../{member}\", default-features = false }}");
            }
        }
    }

    /// Returns the files of the package.
    pub fn into_files(mut self) -> FileTree {
        let manifest = format!(
            "[package]\nname = \"{TESTS}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
             [dependencies]\n{}{SERVER_TESTS}",
            self.dependencies
        );
        self.files.insert(format!("{TESTS}/Cargo.toml"), manifest);
        self.files.insert(format!("{TESTS}/src/lib.rs"), "//! The tests are in `tests`.\n".into());
        self.files.insert(format!("{TESTS}/tests/use.rs"), self.modules);
        self.files
    }
}

/// Returns the names and texts of the modules of a source, which are in the folder with its name.
fn submodules(source: &Path) -> impl Iterator<Item = (String, String)> {
    let entries = fs_err::read_dir(source.with_extension("")).into_iter().flatten();
    entries.map(|entry| {
        let path = entry.expect("an entry can be read").path();
        (name(&path), fs_err::read_to_string(&path).expect("a source is text"))
    })
}

/// Dependencies of tests that connect a client to its server without sockets.
const SERVER_TESTS: &str = "bytes = \"1\"\nhttp-body-util = \"0.1\"\n\
                            tokio = { version = \"1\", features = [\"macros\", \"rt\"] }\ntower-service = \"0.3\"\n";
