//! Names of files.

/// Names have at most so many characters.
const NAME: usize = 255;

/// Refuses a name that no file can have. `/` groups files in folders.
pub(crate) fn check(name: &str) -> Result<(), String> {
    let length = name.chars().count();
    if length == 0 || length > NAME {
        return Err(format!("the name of a file has 1 to {NAME} characters"));
    }
    if name.chars().any(char::is_control) {
        return Err("the name of a file has no control characters".to_owned());
    }
    Ok(())
}
