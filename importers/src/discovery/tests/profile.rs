//! Implicit conventions of documents: roles of parameters, and reasons of errors.

use serde_json::{Value, json};

use super::{imported, lost, read};

/// Returns the roles of the standard parameters by name.
fn roles(whole: &Value) -> Value {
    let set = whole["parameter_sets"]["standard"].as_object().cloned().unwrap_or_default();
    set.into_iter().map(|(name, parameter)| (name, parameter["role"].clone())).collect()
}

#[test]
fn standard_parameters_have_roles() {
    let query = |ty: &str| json!({"type": ty, "location": "query"});
    let alt = |values: &[&str]| json!({"type": "string", "location": "query", "enum": values});
    let import = imported(json!({"parameters": {
        "alt": alt(&["json", "media"]), "key": query("string"), "fields": query("string"), "quotaUser": query("string"),
        "prettyPrint": query("boolean"), "oauth_token": query("string"), "userIp": query("string"),
    }}));
    let expected = json!({
        "alt": "format", "key": "api_key", "fields": "fields", "quotaUser": "quota_user", "prettyPrint": "pretty_print",
        "oauth_token": "access_token", "userIp": null,
    });
    assert_eq!(roles(&read(&import)), expected);
    // A parameter of another type has another meaning.
    let import = imported(json!({"parameters": {
        "alt": alt(&["text", "html"]), "key": query("integer"), "prettyPrint": query("string"),
    }}));
    assert_eq!(roles(&read(&import)), json!({"alt": null, "key": null, "prettyPrint": null}));
}

#[test]
fn overridden_parameters_have_no_role() {
    let text = json!({"type": "string", "location": "query"});
    let import = imported(json!({
        "parameters": {"key": text, "fields": text},
        "methods": {
            "find": {"httpMethod": "GET", "path": "notes", "parameters": {"key": text}},
            "read": {"httpMethod": "GET", "path": "note"},
        },
    }));
    let whole = read(&import);
    assert_eq!(roles(&whole), json!({"fields": "fields"}));
    assert_eq!(whole["parameter_sets"]["replaced"]["key"]["role"], Value::Null);
}

#[test]
fn media_parameters_are_added() {
    let media = json!({
        "get": {"httpMethod": "GET", "path": "note", "supportsMediaDownload": true},
        "put": {
            "httpMethod": "PUT", "path": "note",
            "mediaUpload": {"protocols": {"resumable": {"path": "/resumable/note"}}},
        },
    });
    let whole = read(&imported(json!({ "methods": media })));
    assert_eq!(roles(&whole), json!({"alt": "format", "uploadType": "upload_type"}));
    assert_eq!(whole["standard_parameters"], json!(["standard"]));
    // If another parameter has the name, media cannot be requested.
    let mut taken = media.clone();
    for (method, name) in [("get", "alt"), ("put", "upload_type")] {
        taken[method]["parameters"] = json!({name: {"type": "string", "location": "query"}});
    }
    let import = imported(json!({ "methods": taken }));
    let whole = read(&import);
    assert_eq!(
        (&whole["operations"]["get"]["media"], &whole["operations"]["put"]["media"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(lost(&import).len(), 2, "{:?}", lost(&import));
}
