//! `Cargo.toml` of a generated crate, complete, so that the crate can be published or moved.

use super::features::ALL_GROUPS;
use crate::model::{Api, Feature};
use crate::options::{MARKER, Options, RuntimeDependency};

/// Returns the manifest of the types crate, whose only dependency is the runtime.
pub fn types(api: &Api, name: &str, description: &str, options: &Options) -> String {
    let features = if api.operations.is_empty() {
        String::new()
    } else {
        let default =
            if api.features.has_group_features() { format!("default = [\"{ALL_GROUPS}\"]\n") } else { String::new() };
        let groups = group_features(api, &[]);
        format!(
            "[features]\n\
             {default}\
             # Request types and field selections, which clients and servers need.\n\
             requests = []\n\
             {groups}\n"
        )
    };
    let xml: &[&str] = if api.has_xml() { &["features = [\"xml\"]"] } else { &[] };
    let runtime = runtime_dependency("wireform-runtime", "", xml, options);
    format!("{}{features}[dependencies]\n{runtime}", package(name, description, Examples::None, options))
}

/// Returns the manifest of the client crate.
pub fn client(api: &Api, name: &str, description: &str, options: &Options) -> String {
    let types = options.crate_name(&api.name, "types");
    let validation = options.crate_name(&api.name, "validation");
    let version = &options.version;
    let runtime = runtime_dependency("wireform-client", "client", &["default-features = false"], options);
    let divided = api.features.has_group_features();
    let (all, part) = if divided { (format!(", \"{ALL_GROUPS}\""), NO_DEFAULT_FEATURES) } else { (String::new(), "") };
    let groups = group_features(api, &[&types, &format!("{validation}?")]);
    format!(
        "{package}\
         [features]\n\
         default = [\"tls\"{all}]\n\
         # HTTP over TCP.\n\
         sockets = [\"wireform-client/sockets\"]\n\
         # HTTPS over TCP, with rustls, which needs a C compiler.\n\
         tls = [\"sockets\", \"wireform-client/tls\"]\n\
         # HTTP through reqwest; in a browser, through `fetch`.\n\
         reqwest = [\"wireform-client/reqwest\"]\n\
         # Calls and iterators for programs without an async runtime.\n\
         blocking = [\"wireform-client/blocking\"]\n\
         # Application default credentials.\n\
         adc = [\"wireform-client/adc\"]\n\
         # Interactive OAuth 2.0 flow: the user consents in a browser.\n\
         oauth = [\"wireform-client/oauth\"]\n\
         # A fake service for unit tests, handled by closures.\n\
         fake = [\"wireform-client/fake\"]\n\
         # Validation of requests before they are sent.\n\
         validation = [\"wireform-client/validation\", \"dep:{validation}\"]\n\
         {groups}\
         \n\
         [dependencies]\n\
         {types} = {{ path = \"../{types}\", version = \"{version}\"{part}, features = [\"requests\"] }}\n\
         {validation} = {{ path = \"../{validation}\", version = \"{version}\"{part}, optional = true }}\n\
         {runtime}",
        package = package(name, description, Examples::Tested, options),
    )
}

/// Returns the manifest of the validation crate.
pub fn validation(api: &Api, name: &str, description: &str, options: &Options) -> String {
    let types = options.crate_name(&api.name, "types");
    let version = &options.version;
    let requests = if api.operations.is_empty() { "" } else { ", features = [\"requests\"]" };
    let runtime = runtime_dependency("wireform-validation", "validation", &[], options);
    let (features, part) = if api.features.has_group_features() {
        (format!("[features]\ndefault = [\"{ALL_GROUPS}\"]\n{}\n", group_features(api, &[&types])), NO_DEFAULT_FEATURES)
    } else {
        (String::new(), "")
    };
    format!(
        "{package}\
         {features}\
         [dependencies]\n\
         {types} = {{ path = \"../{types}\", version = \"{version}\"{part}{requests} }}\n\
         {runtime}",
        package = package(name, description, Examples::None, options),
    )
}

/// Returns the manifest of the server crate.
pub fn server(api: &Api, name: &str, description: &str, options: &Options) -> String {
    let types = options.crate_name(&api.name, "types");
    let validation = options.crate_name(&api.name, "validation");
    let version = &options.version;
    let runtime = runtime_dependency("wireform-server", "server", &["default-features = false"], options);
    let divided = api.features.has_group_features();
    let (all, part) = if divided { (format!(", \"{ALL_GROUPS}\""), NO_DEFAULT_FEATURES) } else { (String::new(), "") };
    let groups = group_features(api, &[&types, &validation]);
    format!(
        "{package}\
         [features]\n\
         default = [\"serve\", \"tokens\"{all}]\n\
         # Listening on sockets, timeouts for slow peers, graceful shutdown.\n\
         serve = [\"wireform-server/serve\"]\n\
         # Sealed page tokens and sync tokens.\n\
         tokens = [\"wireform-server/tokens\"]\n\
         {groups}\
         \n\
         [dependencies]\n\
         {types} = {{ path = \"../{types}\", version = \"{version}\"{part}, features = [\"requests\"] }}\n\
         {validation} = {{ path = \"../{validation}\", version = \"{version}\"{part} }}\n\
         {runtime}",
        package = package(name, description, Examples::Tested, options),
    )
}

/// Dependencies enable only the features that the groups' features forward to.
const NO_DEFAULT_FEATURES: &str = ", default-features = false";

/// Returns the features of the groups, which forward to the crate's dependencies; empty if there are none.
fn group_features(api: &Api, crates: &[&str]) -> String {
    if !api.features.has_group_features() {
        return String::new();
    }
    let groups = &api.features.groups;
    let all: Vec<String> = groups.iter().map(|feature| format!("    \"{}\",\n", feature.name)).collect();
    let mut text = format!("# All groups of operations.\n{ALL_GROUPS} = [\n{}]\n", all.concat());
    for Feature { name, group, merged_groups: with, parent: outer } in groups {
        let outer = outer.map(|outer| &groups[outer]).map(|outer| format!("\"{}\"", outer.name));
        let within = match with.len() {
            0 => String::new(),
            1 => ", and of one nested group".to_owned(),
            count => format!(", and of {count} nested groups"),
        };
        let brought: Vec<String> =
            outer.into_iter().chain(crates.iter().map(|of| format!("\"{of}/{name}\""))).collect();
        let what = match group.as_str() {
            "" => "Types that no operation uses".to_owned(),
            group => format!("The operations of `{}`{within}", escape(group)),
        };
        text.push_str(&format!("# {what}.\n{name} = [{}]\n", brought.join(", ")));
    }
    text
}

/// Examples in the documentation of a generated crate.
#[derive(Clone, Copy)]
enum Examples {
    /// No examples: code in descriptions is never marked as Rust.
    None,
    /// Examples, which `cargo test` compiles.
    Tested,
}

/// Returns the sections `[package]` and `[lib]` of a manifest, after the comment that marks the file as generated.
fn package(name: &str, description: &str, examples: Examples, options: &Options) -> String {
    format!(
        "# {marker}\n\
         [package]\n\
         name = \"{name}\"\n\
         version = \"{version}\"\n\
         edition = \"2024\"\n\
         rust-version = \"1.95\"\n\
         description = \"{description}\"\n\
         {license}\n\
         [lib]\n\
         # `cargo test` would build and run a program without tests.\n\
         test = false\n\
         {doctest}\n",
        marker = MARKER,
        license = options.license.as_ref().map(|license| format!("license = \"{license}\"\n")).unwrap_or_default(),
        version = options.version,
        description = escape(description),
        doctest = match examples {
            Examples::None => "doctest = false\n",
            Examples::Tested => "",
        },
    )
}

/// Returns a dependency on a crate of the runtime, which has a folder of its own in the runtime.
fn runtime_dependency(name: &str, folder: &str, more: &[&str], options: &Options) -> String {
    let source = match &options.runtime {
        RuntimeDependency::Version(version) if more.is_empty() => return format!("{name} = \"{version}\"\n"),
        RuntimeDependency::Version(version) => format!("version = \"{version}\""),
        RuntimeDependency::Path(path) => {
            let path = if folder.is_empty() { path.clone() } else { format!("{path}/{folder}") };
            format!("path = \"{path}\", version = \"{}\"", env!("CARGO_PKG_VERSION"))
        }
        RuntimeDependency::Git { url, rev: None } => format!("git = \"{url}\""),
        RuntimeDependency::Git { url, rev: Some(rev) } => format!("git = \"{url}\", rev = \"{rev}\""),
    };
    let parts: Vec<&str> = std::iter::once(source.as_str()).chain(more.iter().copied()).collect();
    format!("{name} = {{ {} }}\n", parts.join(", "))
}

/// Escapes a text for a basic string of TOML.
fn escape(text: &str) -> String {
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    folded
        .chars()
        .flat_map(|c| match c {
            '"' | '\\' => vec!['\\', c],
            c if c.is_control() => Vec::new(),
            c => vec![c],
        })
        .collect()
}
