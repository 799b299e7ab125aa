//! Files of credentials.

use wireform_client::wire::serde_json::{Value, json};
use wireform_client::{ApplicationDefault, CredentialsError};

use super::keys::TEST_KEY;

pub const CLIENT_SECRET: &str = "client-secret+/&=";
pub const REFRESH_TOKEN: &str = "1//refresh-secret";

pub fn user() -> Value {
    json!({
        "type": "authorized_user",
        "client_id": "id.apps.example.com",
        "client_secret": CLIENT_SECRET,
        "refresh_token": REFRESH_TOKEN,
        "quota_project_id": "ignored",
    })
}

pub fn account() -> Value {
    json!({
        "type": "service_account",
        "client_email": "robot@project.example.com",
        "private_key": TEST_KEY,
        "private_key_id": "key-1",
        "token_uri": "https://tokens.example.com/token",
    })
}

pub fn read(file: &Value) -> Result<ApplicationDefault, CredentialsError> {
    ApplicationDefault::from_json(&file.to_string())
}

pub fn refused(file: &Value) -> CredentialsError {
    read(file).unwrap_err()
}

/// Sets a field, or removes it if the value is null.
pub fn with(mut file: Value, name: &str, value: Value) -> Value {
    file[name] = value;
    file
}
