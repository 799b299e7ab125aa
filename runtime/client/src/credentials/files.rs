//! Files with credentials. All access to files and to the environment is in this module.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use super::{CredentialsError, CredentialsErrorKind};

/// Environment variable with the path of a file.
const PATH_VARIABLE: &str = "GOOGLE_APPLICATION_CREDENTIALS";

/// File that `gcloud` writes to its configuration directory.
const DEFAULT_FILE_NAME: &str = "application_default_credentials.json";

/// Maximum size of a file of credentials in bytes.
const MAX_FILE_BYTES: u64 = 64 * 1024;

/// Returns an environment variable of this process.
pub(super) fn env_var(name: &str) -> Option<OsString> {
    env::var_os(name)
}

/// Returns the path of the file of the application default credentials.
pub(super) fn find_default_file(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, CredentialsError> {
    // An empty variable counts as unset, as is usual in shells.
    let path = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(named) = path(PATH_VARIABLE) {
        if named.exists() {
            return Ok(named);
        }
        let message = format!("`{PATH_VARIABLE}` is set to `{}`, but this file does not exist", named.display());
        return Err(CredentialsError::new(CredentialsErrorKind::Missing, message));
    }
    let settings = path("CLOUDSDK_CONFIG").or_else(|| {
        if cfg!(windows) {
            path("APPDATA").map(|folder| folder.join("gcloud"))
        } else {
            path("HOME").map(|folder| folder.join(".config").join("gcloud"))
        }
    });
    let known = settings.map(|folder| folder.join(DEFAULT_FILE_NAME));
    match known {
        Some(file) if file.exists() => Ok(file),
        Some(file) => Err(missing_credentials(&format!("the file `{}` does not exist", file.display()))),
        None => Err(missing_credentials("the configuration directory of `gcloud` is unknown")),
    }
}

/// Creates the error that no credentials file was found, with help. `why` says which other location was tried.
fn missing_credentials(why: &str) -> CredentialsError {
    let message = format!(
        "no application default credentials: `{PATH_VARIABLE}` is not set, and {why}; help: set the variable to the \
         path of a credentials file, or run `gcloud auth application-default login`"
    );
    CredentialsError::new(CredentialsErrorKind::Missing, message)
}

/// Reads the text of a file of credentials.
pub(super) fn read_credentials_file(path: &Path) -> Result<String, CredentialsError> {
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(MAX_FILE_BYTES + 1).read_to_string(&mut text));
    let (kind, why) = match read {
        Ok(_) if text.len() as u64 <= MAX_FILE_BYTES => return Ok(text),
        Ok(_) => (CredentialsErrorKind::Invalid, format!("it is longer than {MAX_FILE_BYTES} bytes")),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound => (CredentialsErrorKind::Missing, "the file does not exist".to_owned()),
            io::ErrorKind::PermissionDenied => (CredentialsErrorKind::Invalid, "permission denied".to_owned()),
            io::ErrorKind::InvalidData => (CredentialsErrorKind::Invalid, "invalid UTF-8".to_owned()),
            _ => (CredentialsErrorKind::Invalid, error.to_string()),
        },
    };
    Err(CredentialsError::new(kind, format!("cannot read the credentials file `{}`: {why}", path.display())))
}
