//! Workspace with the crates of the schema and the runner, in the target folder.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use wireform_codegen::model::Api;
use wireform_codegen::{Options, RuntimeDependency, Severity, generate};
use wireform_tests::{Dependencies, Workspace, root, sources, target};

/// Generates and compiles, and returns the path of the program.
pub fn build(folder: &Path, api: &Api) -> PathBuf {
    let runtime = root().join("runtime").to_string_lossy().replace('\\', "/");
    let options = Options { runtime: RuntimeDependency::Path(runtime.clone()), ..Options::default() };
    let output = generate(&sources(&folder.join("schema")), &options);
    let errors = output.diagnostics.iter().filter(|one| one.code.severity() == Severity::Error);
    let diagnostics: Vec<String> = errors.map(|one| one.render(&output.sources, false)).collect();
    let mut files = output.files.unwrap_or_else(|| panic!("{}", diagnostics.join("\n\n")));
    for entry in fs_err::read_dir(folder.join("runner")).expect("the runner is there") {
        let path = entry.expect("an entry can be read").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        files.insert(format!("runner/src/{name}"), fs_err::read_to_string(path).expect("a program is text"));
    }
    files.insert("runner/src/dispatch.rs".into(), super::dispatch::write(api));
    files.insert("runner/Cargo.toml".into(), manifest(&runtime));
    let workspace = Workspace::new(root().join("target/smithy"), ["runner"], Dependencies::Generated);
    workspace.write(&files);
    let done = workspace.cargo("build", &["runner"], &[]);
    assert!(done.status.success(), "cargo build:\n{}", String::from_utf8_lossy(&done.stderr));
    target().join("debug").join(format!("runner{}", std::env::consts::EXE_SUFFIX))
}

/// Features of the client: not needed by the program, but equal to those of the cases.
const CLIENT: &str = "\"blocking\", \"fake\", \"validation\"";

/// Returns the manifest. Sockets are disabled, because the TLS library takes a minute to build.
fn manifest(runtime: &str) -> String {
    format!(
        "[package]\nname = \"runner\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n[dependencies]\n\
         axum = {{ version = \"0.8\", default-features = false }}\n\
         bytes = \"1\"\nhttp = \"1\"\nhttp-body-util = \"0.1\"\nserde_json = \"1\"\ntower-service = \"0.3\"\n\
         smithy-client = {{ path = \"../smithy-client\", default-features = false, features = [{CLIENT}] }}\n\
         smithy-server = {{ path = \"../smithy-server\", default-features = false }}\n\
         tokio = {{ version = \"1\", default-features = false, features = [\"rt\", \"time\"] }}\n\
         wireform-runtime = {{ path = {runtime:?} }}\n\
         wireform-server = {{ path = \"{runtime}/server\", default-features = false }}\n"
    )
}

/// Returns the results of the tasks, in order.
pub fn run(program: &Path, tasks: &[Value]) -> Vec<Value> {
    let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("it reads");
    let lines: String = tasks.iter().map(|task| format!("{task}\n")).collect();
    // Written by another thread, so that full pipes cannot block both processes.
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let done = child.wait_with_output().expect("it ends");
    writer.join().expect("the tasks are written").expect("it reads to the end");
    assert!(done.status.success(), "the runner failed");
    let text = String::from_utf8(done.stdout).expect("it writes text");
    text.lines().map(|line| serde_json::from_str(line).expect("it writes JSON")).collect()
}
