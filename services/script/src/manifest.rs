//! What the manifest of a project says.

use script_server::types::{Access, Manifest, ManifestLibrary};
use script_validation::Violation;

/// The name of the manifest among the files of a project.
pub const NAME: &str = "manifest";

/// Returns the text of the manifest that a project starts with.
#[must_use]
pub fn initial() -> String {
    "{\n  \"timeZone\": \"UTC\",\n  \"exceptionLogging\": \"STACKDRIVER\",\n  \"runtimeVersion\": \"V8\"\n}\n"
        .to_owned()
}

/// Reads a manifest and checks it by the rules of the schema.
///
/// # Errors
/// All that is wrong, with the place of each in the text.
pub fn read(source: &str) -> Result<Manifest, Vec<String>> {
    let described = |violation: &Violation| {
        let path = violation.path.to_string();
        let place = violation
            .place
            .map_or_else(String::new, |place| format!(" (line {}, column {})", place.line, place.column));
        match path.as_str() {
            "" => format!("the manifest {}{place}", violation.message()),
            _ => format!("`{path}` {}{place}", violation.message()),
        }
    };
    match script_validation::read::<Manifest>(source.as_bytes()) {
        Ok((manifest, _)) => Ok(manifest),
        Err(violations) => Err(violations.errors().map(described).collect()),
    }
}

/// Reads a manifest that is stored, which was checked before. One that a later version of the rules refuses says nothing.
#[must_use]
pub fn stored(source: &str) -> Manifest {
    read(source).unwrap_or_default()
}

/// Returns who may run functions.
#[must_use]
pub fn execution_access(manifest: &Manifest) -> Option<Access> {
    manifest.execution_api.as_ref()?.access.clone()
}

/// Returns the libraries that a script uses.
#[must_use]
pub fn libraries(manifest: &Manifest) -> &[ManifestLibrary] {
    manifest.dependencies.as_ref().map_or(&[], |dependencies| &dependencies.libraries)
}
