//! Manifest of a project.

use script_server::types::{Access, Manifest, ManifestLibrary};
use script_validation::Violation;

/// Name of the manifest among the files of a project.
pub const NAME: &str = "manifest";

/// Maximum size of a manifest in bytes. It is within a string of a body, whose values are not counted; fifty libraries have
/// less than a quarter of that.
pub const MAX_BYTES: usize = 64 << 10;

/// Returns the manifest of a new project.
#[must_use]
pub fn default_source() -> String {
    "{\n  \"timeZone\": \"UTC\",\n  \"exceptionLogging\": \"STACKDRIVER\",\n  \"runtimeVersion\": \"V8\"\n}\n"
        .to_owned()
}

/// Parses a manifest and checks it by the rules of the schema.
///
/// # Errors
/// Returns an error with all violations and their locations.
pub fn parse(source: &str) -> Result<Manifest, Vec<String>> {
    let described = |violation: &Violation| {
        let path = violation.path.to_string();
        let subject = if path.is_empty() { "the manifest".to_owned() } else { format!("`{path}`") };
        let message = violation.message();
        // The message of a syntax error is complete; others are predicates.
        let colon = if violation.rule == "json" { ":" } else { "" };
        let place = violation
            .position
            .map_or_else(String::new, |place| format!(" (line {}, column {})", place.line, place.column));
        format!("{subject}{colon} {message}{place}")
    };
    match script_validation::read::<Manifest>(source.as_bytes()) {
        Ok((manifest, _)) => Ok(manifest),
        Err(violations) => Err(violations.errors().map(described).collect()),
    }
}

/// Parses a stored manifest, which was checked before. One that newer rules refuse is treated as empty.
#[must_use]
pub fn parse_stored(source: &str) -> Manifest {
    parse(source).unwrap_or_default()
}

/// Returns who may run functions.
#[must_use]
pub fn execution_access(manifest: &Manifest) -> Option<Access> {
    manifest.execution_api.as_ref()?.access.clone()
}

/// Returns the libraries of a script.
#[must_use]
pub fn libraries(manifest: &Manifest) -> &[ManifestLibrary] {
    manifest.dependencies.as_ref().map_or(&[], |dependencies| &dependencies.libraries)
}
