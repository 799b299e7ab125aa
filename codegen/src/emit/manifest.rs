//! The `Cargo.toml` of a generated crate: complete, so that the crate can be published or moved.

use crate::options::{MARKER, Options, RuntimeDependency};

/// The manifest of a crate whose only dependency is the runtime.
pub fn manifest(name: &str, description: &str, options: &Options) -> String {
    let runtime = match &options.runtime {
        RuntimeDependency::Version(version) => format!("\"{version}\""),
        RuntimeDependency::Path(path) => {
            format!("{{ path = \"{path}\", version = \"{}\" }}", env!("CARGO_PKG_VERSION"))
        }
        RuntimeDependency::Git { url, rev: None } => format!("{{ git = \"{url}\" }}"),
        RuntimeDependency::Git { url, rev: Some(rev) } => format!("{{ git = \"{url}\", rev = \"{rev}\" }}"),
    };
    format!(
        "# {marker}\n\
         [package]\n\
         name = \"{name}\"\n\
         version = \"{version}\"\n\
         edition = \"2024\"\n\
         rust-version = \"1.95\"\n\
         description = \"{description}\"\n\
         {license}\n\
         [dependencies]\n\
         wireform-runtime = {runtime}\n",
        marker = MARKER,
        license = options.license.as_ref().map(|license| format!("license = \"{license}\"\n")).unwrap_or_default(),
        version = options.version,
        description = escape(description),
    )
}

/// A text inside of a TOML basic string.
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
