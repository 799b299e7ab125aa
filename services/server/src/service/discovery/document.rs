//! Discovery document of an API, written from its OpenAPI document, which is generated from the schema.

use serde_json::{Map, Value, json};

use super::Api;
use super::schemas::Schemas;

/// Methods of HTTP that operations have in OpenAPI documents.
const METHODS: [&str; 6] = ["get", "put", "post", "delete", "patch", "head"];

/// Writes the parts of a document that do not depend on its root URL.
pub(super) fn write(api: &Api) -> Value {
    // The generator wrote the document, and a test reads all of them.
    let openapi: Value = serde_json::from_str(api.openapi).unwrap_or_default();
    let writer = Writer { api, openapi: &openapi, schemas: Schemas::new(api.name, &openapi) };
    let mut document = json!({
        "kind": "discovery#restDescription",
        "discoveryVersion": "v1",
        "id": format!("{}:{}", api.name, api.version),
        "name": api.name,
        "version": api.version,
        "title": openapi["info"]["title"],
        "description": openapi["info"]["description"],
        "protocol": "rest",
        "auth": { "oauth2": { "scopes": writer.scopes() } },
        "parameters": writer.standard_parameters(),
        "schemas": writer.schemas.write(),
    });
    let mut resources = json!({});
    for (path, operations) in openapi["paths"].as_object().into_iter().flatten() {
        for method in METHODS {
            if let Some(operation) = operations.get(method) {
                writer.add_method(&mut resources, path, method, operation);
            }
        }
    }
    document["resources"] = resources["resources"].take();
    document
}

struct Writer<'d> {
    api: &'d Api,
    openapi: &'d Value,
    schemas: Schemas<'d>,
}

impl Writer<'_> {
    fn scopes(&self) -> Value {
        let scopes = &self.openapi["components"]["securitySchemes"]["oauth2"]["flows"]["authorizationCode"]["scopes"];
        let scopes = scopes.as_object().into_iter().flatten();
        let scopes = scopes.map(|(url, description)| (url.clone(), json!({ "description": description })));
        Value::Object(scopes.collect())
    }

    fn standard_parameters(&self) -> Value {
        let parameters = self.openapi["components"]["parameters"].as_object().into_iter().flatten();
        let parameters = parameters.map(|(_, parameter)| parameter).filter(|parameter| is_in_url(parameter));
        Value::Object(parameters.map(|parameter| self.parameter(parameter)).collect())
    }

    /// Adds an operation to the tree of resources, by the parts of its name.
    fn add_method(&self, resources: &mut Value, path: &str, method: &str, operation: &Value) {
        let id = operation["operationId"].as_str().unwrap_or_default();
        let (groups, name) = id.rsplit_once('.').unwrap_or(("", id));
        let mut resource = resources;
        for group in groups.split('.').filter(|group| !group.is_empty()) {
            resource = &mut resource["resources"][group];
        }
        resource["methods"][name] = self.method(id, path, method, operation);
    }

    fn method(&self, id: &str, path: &str, method: &str, operation: &Value) -> Value {
        let base = if self.api.has_base_path { "" } else { self.api.base_path };
        let path = format!("{base}{}", path.trim_start_matches('/'));
        let own = operation["parameters"].as_array().into_iter().flatten();
        let own: Vec<&Value> = own.filter(|parameter| is_in_url(parameter)).collect();
        let required = own.iter().filter(|parameter| parameter["required"] == true);
        let order: Vec<&Value> = required.map(|parameter| &parameter["name"]).collect();
        let parameters: Map<String, Value> = own.iter().map(|parameter| self.parameter(parameter)).collect();
        let mut written = json!({
            "id": format!("{}.{id}", self.api.name),
            "path": path,
            "flatPath": path,
            "httpMethod": method.to_ascii_uppercase(),
            "description": operation["summary"],
            "parameters": parameters,
            "parameterOrder": order,
            "scopes": operation_scopes(operation),
        });
        let request = &operation["requestBody"]["content"]["application/json"]["schema"]["$ref"];
        if let Some(request) = request.as_str() {
            written["request"] = json!({ "$ref": self.schemas.name(request) });
        }
        let responses = operation["responses"].as_object().into_iter().flatten();
        let mut successes = responses.filter(|(status, _)| status.starts_with('2')).map(|(_, response)| response);
        let response = successes.find_map(|one| one["content"]["application/json"]["schema"]["$ref"].as_str());
        if let Some(response) = response {
            written["response"] = json!({ "$ref": self.schemas.name(response) });
        }
        if let Some(media) = operation.get("x-wireform-media").filter(|media| media.get("simple").is_some()) {
            written["supportsMediaUpload"] = true.into();
            written["mediaUpload"] = media_upload(media);
        }
        if operation["deprecated"] == true {
            written["deprecated"] = true.into();
        }
        written
    }

    /// Returns the name and the description of a parameter.
    fn parameter(&self, parameter: &Value) -> (String, Value) {
        let schema = &parameter["schema"];
        let is_list = schema["type"] == "array";
        let mut written = self.schemas.convert(if is_list { &schema["items"] } else { schema });
        written["location"] = parameter["in"].clone();
        if is_list {
            written["repeated"] = true.into();
        }
        for key in ["description", "required", "deprecated"] {
            if let Some(value) = parameter.get(key) {
                written[key] = value.clone();
            }
        }
        (parameter["name"].as_str().unwrap_or_default().to_owned(), written)
    }
}

/// Returns the description of an upload.
fn media_upload(media: &Value) -> Value {
    let mut upload = json!({ "accept": media["upload"], "protocols": { "simple": media["simple"] } });
    if let Some(resumable) = media.get("resumable") {
        upload["protocols"]["resumable"] = resumable.clone();
    }
    if let Some(max_bytes) = media.get("maxBytes") {
        upload["maxSize"] = max_bytes.to_string().into();
    }
    upload
}

/// Returns whether a parameter, which is not a reference, is in the path or the query. Discovery documents have no headers.
fn is_in_url(parameter: &Value) -> bool {
    parameter["in"] == "path" || parameter["in"] == "query"
}

/// Returns the scopes of which an operation needs one.
fn operation_scopes(operation: &Value) -> Vec<&Value> {
    let alternatives = operation["security"].as_array().into_iter().flatten();
    alternatives.filter_map(|alternative| alternative["oauth2"].get(0)).collect()
}

/// Returns the standard parameter that a parameter of an operation refers to.
#[cfg(test)]
pub(super) fn standard_parameter(parameter: &Value) -> Option<&str> {
    parameter["$ref"].as_str()?.strip_prefix("#/components/parameters/")
}
