//! Names of files.

/// Maximum number of characters of a name.
const MAX_NAME: usize = 255;

/// Checks the name of a file. `/` groups files in folders.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let length = name.chars().count();
    if length == 0 || length > MAX_NAME {
        return Err(format!("a file name must have 1 to {MAX_NAME} characters"));
    }
    if name.chars().any(char::is_control) {
        return Err("a file name must not contain control characters".to_owned());
    }
    Ok(())
}
