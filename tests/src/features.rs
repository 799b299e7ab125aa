//! Third-party packages with the features that they have in this workspace. A workspace that a test writes asks for the
//! same ones, so that cargo finds them built. A feature that a manifest forgets to ask for is not missed there, so
//! `.ci/run` checks packages alone.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::LazyLock;

use crate::root;

/// Name of the package that asks for the features. Cargo unifies features among the packages that a command selects, so
/// each command selects this one too.
pub(crate) const FEATURES_PACKAGE: &str = "same-features";

/// What the packages of a workspace depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dependencies {
    /// Generated crates without sockets.
    Generated,
    /// Generated clients with sockets, whose TLS library takes a minute to build where it is not built yet.
    Sockets,
    /// The generator, and generated types.
    Generator,
}

impl Dependencies {
    /// Returns arguments of cargo that select packages of this workspace with the same dependencies.
    const fn selection(self) -> &'static [&'static str] {
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
        let used = united(&cargo_tree("normal,build", self.selection()));
        // Features of hyper bring HTTP/2, which depends on hashbrown: it may not be in the tree of the selection.
        let is_common = |package: &str| is_shared_with_macros(package) || package.starts_with("hashbrown ");
        let lines = |packages: &Packages| {
            let fits = |package: &str| is_common(package) || used.contains_key(package);
            let fitting = packages.iter().filter(|(package, _)| fits(package));
            fitting.filter_map(|(package, features)| dependency(package, features)).collect::<String>()
        };
        format!(
            "[package]\nname = \"{FEATURES_PACKAGE}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
             [dependencies]\n{}\n[build-dependencies]\n{}",
            lines(&RESOLVED.target),
            lines(&RESOLVED.host),
        )
    }
}

/// Features of packages, by name and version such as `syn v3.0.9`.
type Packages = BTreeMap<String, BTreeSet<String>>;

/// Packages of this workspace, of the target and of what runs on the host: macros and build scripts.
struct Resolved {
    target: Packages,
    host: Packages,
}

static RESOLVED: LazyLock<Resolved> = LazyLock::new(|| {
    let target = cargo_tree("normal,dev,no-proc-macro", &["--workspace"]);
    let all = cargo_tree("normal,dev,build", &["--workspace"]);
    // What is only in the tree with macros and build scripts is of the host.
    let mut host = united(all.difference(&target));
    let target = united(&target);
    for (package, features) in target.iter().filter(|(package, _)| is_shared_with_macros(package)) {
        host.entry(package.clone()).or_insert_with(|| features.clone());
    }
    Resolved { target, host }
});

/// Unites the features of each package.
fn united<'a>(lines: impl IntoIterator<Item = &'a (String, String)>) -> Packages {
    let mut packages = Packages::new();
    for (package, features) in lines {
        let features = features.split(',').filter(|feature| !feature.is_empty());
        packages.entry(package.clone()).or_default().extend(features.map(str::to_owned));
    }
    packages
}

/// Returns whether macros and the generator depend on a package.
fn is_shared_with_macros(package: &str) -> bool {
    ["proc-macro2 ", "quote ", "syn ", "unicode-ident "].iter().any(|name| package.starts_with(name))
}

/// Returns the third-party packages that packages of this workspace depend on, each with a list of features. Without a
/// selection, they are those that `cargo test` selects.
///
/// # Panics
/// Panics if cargo cannot read the workspace.
#[must_use]
pub fn cargo_tree(edges: &str, selection: &[&str]) -> BTreeSet<(String, String)> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--locked", "--prefix", "none", "--format", "{p}|{f}", "--edges", edges]).args(selection);
    let done = cargo.current_dir(root()).output().expect("cargo runs");
    // Offline, what other tests depend on may not be there yet.
    assert!(done.status.success(), "run `cargo fetch`: {}", String::from_utf8_lossy(&done.stderr));
    let text = String::from_utf8_lossy(&done.stdout);
    // Headings such as `[dev-dependencies]` have no `|`.
    let lines = text.lines().filter_map(|line| line.split_once('|'));
    let lines = lines.map(|(package, features)| {
        (package.trim_end_matches(" (proc-macro)").to_owned(), features.trim_end_matches(" (*)").to_owned())
    });
    // A path follows the version of a package of this workspace.
    lines.filter(|(package, _)| package.split(' ').count() == 2).collect()
}

/// Returns the line of a manifest that depends on a package.
fn dependency(package: &str, features: &BTreeSet<String>) -> Option<String> {
    let (name, version) = package.split_once(" v")?;
    // Two versions of a package need two names.
    let key = format!("{name}-{}", version.replace(['.', '+'], "-"));
    let version = format!("={version}");
    let features: Vec<&String> = features.iter().collect();
    Some(format!(
        "{key} = {{ package = {name:?}, version = {version:?}, default-features = false, features = {features:?} }}\n"
    ))
}
