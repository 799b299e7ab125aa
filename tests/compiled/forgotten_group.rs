//! Compiler errors for a service that does not implement the trait of a group.

use wireform_tests::{Dependencies, Workspace, root};

/// Service of the script API without `projects.versions`, converted to a router.
const SERVICE: &str = r#"
use script_server::service;

struct Forgetful;

impl service::Scripts for Forgetful {}
impl service::Processes for Forgetful {}
impl service::Projects for Forgetful {}
impl service::ProjectsDeployments for Forgetful {}
"#;

/// Returns the errors of a crate with this code: the first line of each, and the whole output.
fn errors(name: &str, main: &str) -> (Vec<String>, String) {
    let server = root().join("generated/script-server");
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nscript-server = {{ path = '{}', default-features = false }}\n",
        server.display()
    );
    let workspace =
        Workspace::new(root().join("target/forgotten-group").join(name), ["program"], Dependencies::Generated);
    let program = [("program/Cargo.toml", manifest), ("program/src/main.rs", format!("{SERVICE}\n{main}"))];
    workspace.write(&program.map(|(path, text)| (path.to_owned(), text)).into());
    let done = workspace.cargo("check", &[name], &[]);
    let output = String::from_utf8_lossy(&done.stderr).into_owned();
    let is_error = |line: &&str| line.starts_with("error") && !line.contains("could not compile");
    let found = output.lines().filter(is_error).map(str::to_owned).collect();
    (found, output)
}

#[test]
fn a_forgotten_group_is_one_error_that_names_it() {
    let main = "fn main() {
    let server = script_server::server(Forgetful).public_url(\"https://example.com\");
    drop(server.limits(script_server::runtime::Limits::DEFAULT).router());
}";
    let (found, output) = errors("forgotten", main);
    assert_eq!(found, ["error[E0277]: `Forgetful` does not implement the group `projects.versions`"], "{output}");
    let note = "write `impl script_server::service::ProjectsVersions for Forgetful {}`";
    assert!(output.contains(note) && output.contains("src/main.rs"), "{output}");
}

#[test]
fn the_short_way_to_a_router_names_the_trait_that_is_missing() {
    let (found, output) = errors("forgotten-shortly", "fn main() {\n    drop(script_server::router(Forgetful));\n}");
    assert_eq!(found, ["error[E0277]: `Forgetful` does not implement all groups of operations"], "{output}");
    assert!(output.contains("`ProjectsVersions` is not implemented for `Forgetful`"), "{output}");
}

#[test]
fn a_service_of_all_groups_compiles() {
    let main = "impl service::ProjectsVersions for Forgetful {}
fn main() {
    drop(script_server::server(Forgetful).router());
}";
    let (found, output) = errors("remembered", main);
    assert!(found.is_empty(), "{output}");
}
