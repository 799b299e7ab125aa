//! Third-party packages with the features that they have in this workspace. A workspace that a test writes asks for the
//! same ones, so that cargo finds them built.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::LazyLock;

use crate::root;

/// Name of the package that asks for the features. Cargo unifies features among the packages that a command selects, so
/// each command selects this one too.
pub(crate) const FEATURES: &str = "same-features";

/// What the packages of a workspace depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Uses {
    /// Generated crates without sockets.
    Generated,
    /// Generated clients with sockets, whose TLS library takes a minute to build where it is not built yet.
    Sockets,
    /// The generator, and generated types.
    Generator,
}

impl Uses {
    /// Returns arguments of cargo that select packages of this workspace with the same dependencies.
    const fn packages(self) -> &'static [&'static str] {
        match self {
            Self::Generated => &[
                "--package=calendar-client",
                "--package=calendar-server",
                "--no-default-features",
                "--features=calendar-client/blocking,calendar-client/fake,calendar-client/validation",
            ],
            Self::Sockets => &["--package=calendar-client", "--features=calendar-client/blocking"],
            Self::Generator => &["--package=wireform-codegen", "--package=calendar-types"],
        }
    }

    /// Returns the manifest of the package.
    pub(crate) fn manifest(self) -> String {
        let own = tree("normal,build", self.packages(), "{p}|");
        // The features of hyper bring HTTP/2, which depends on hashbrown.
        let is_common = |line: &str| is_of_macros(line) || line.starts_with("hashbrown ");
        let is_used = |line: &&String| is_common(line) || own.iter().any(|one| line.starts_with(one));
        let lines = |packages: &BTreeSet<String>| {
            packages.iter().filter(is_used).filter_map(|line| dependency(line)).collect::<String>()
        };
        format!(
            "[package]\nname = \"{FEATURES}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
             [dependencies]\n{}\n[build-dependencies]\n{}",
            lines(&WORKSPACE.target),
            lines(&WORKSPACE.host),
        )
    }
}

/// Packages of this workspace and their features, as lines of `cargo tree`.
struct Packages {
    target: BTreeSet<String>,
    host: BTreeSet<String>,
}

static WORKSPACE: LazyLock<Packages> = LazyLock::new(|| {
    let target = tree("normal,dev,no-proc-macro", &["--workspace"], "{p}|{f}");
    let mut host = tree("normal,dev,build", &["--workspace"], "{p}|{f}");
    host.retain(|line| !target.contains(line) || is_of_macros(line));
    Packages { target, host }
});

/// Returns whether a line is of a package that both macros and the generator are made of.
fn is_of_macros(line: &str) -> bool {
    ["proc-macro2 ", "quote ", "syn ", "unicode-ident "].iter().any(|name| line.starts_with(name))
}

/// Returns the lines of `cargo tree` for packages of this workspace.
fn tree(edges: &str, packages: &[&str], format: &str) -> BTreeSet<String> {
    let mut cargo = Command::new(env!("CARGO"));
    // Not offline: what other tests depend on may not be downloaded yet.
    cargo.args(["tree", "--prefix", "none", "--edges", edges, "--format", format]).args(packages);
    let done = cargo.current_dir(root()).output().expect("cargo runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8_lossy(&done.stdout);
    let package = |line: &str| line.trim_end_matches(" (*)").replace(" (proc-macro)", "");
    // Headings of kinds are in brackets.
    text.lines().filter(|line| line.contains('|')).map(package).collect()
}

/// Returns the line of a manifest that depends on a third-party package.
fn dependency(line: &str) -> Option<String> {
    let (package, features) = line.split_once('|')?;
    let (name, version) = package.split_once(" v")?;
    // A path follows the version of a package of this workspace.
    if version.contains(' ') {
        return None;
    }
    let features: Vec<&str> = features.split(',').filter(|feature| !feature.is_empty()).collect();
    // Two versions of a package need two names.
    let key = format!("{name}-{}", version.replace(['.', '+'], "-"));
    Some(format!(
        "{key} = {{ package = {name:?}, version = \"={version}\", default-features = false, features = {features:?} }}\n"
    ))
}
