//! The document contains everything in the model.

use std::collections::BTreeSet;

use serde_json::Value;
use wireform_codegen::model::{
    Location, Operation, Parameter, SchemeRequirement, ScopeRequirement, Segment, SegmentPattern,
};

use super::{Document, all};

fn operation<'d>(document: &'d Document, operation: &Operation) -> (&'d str, &'d str, &'d Value) {
    let found = document.operations().into_iter().find(|(_, _, it)| it["operationId"] == operation.name.as_str());
    found.unwrap_or_else(|| panic!("{}: there is no {}", document.name, operation.name))
}

fn place(parameter: &Parameter) -> &'static str {
    match parameter.location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Header => "header",
        Location::Cookie => "cookie",
    }
}

#[test]
fn operations_with_their_parameters_responses_and_errors() {
    for document in all() {
        assert_eq!(document.operations().len(), document.api.operations.len(), "{}", document.name);
        for model in &document.api.operations {
            let (path, method, there) = operation(&document, model);
            assert_eq!(method, model.http.method.to_ascii_lowercase(), "{}", model.name);
            let verb = model.http.verb.as_ref().map_or(String::new(), |verb| format!(":{verb}"));
            assert!(path.ends_with(&verb), "{}: {path}", model.name);
            let parameters: BTreeSet<(String, String)> = there["parameters"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|parameter| document.resolved(parameter))
                .map(|it| {
                    (it["name"].as_str().unwrap_or_default().into(), it["in"].as_str().unwrap_or_default().into())
                })
                .collect();
            let own = model.parameters.iter().filter(|one| one.location != Location::Path);
            for parameter in own.chain(&document.api.standard_parameters) {
                let expected = (parameter.name.wire.clone(), place(parameter).to_owned());
                assert!(parameters.contains(&expected), "{} {expected:?}", model.name);
            }
            // A name with several segments has a variable for each that is not literal.
            let pieces = model.http.segments.iter().flat_map(Segment::patterns);
            let variables = |piece| match piece {
                SegmentPattern::Literal(_) => 0,
                SegmentPattern::Parts(parts) => parts.iter().filter(|part| part.is_none()).count(),
                SegmentPattern::Single | SegmentPattern::Multiple => 1,
            };
            let in_path: usize = pieces.map(variables).sum();
            assert_eq!(path.matches('{').count(), in_path, "{}: {path}", model.name);
            assert_eq!(parameters.iter().filter(|(_, place)| place == "path").count(), in_path, "{}", model.name);
            let successes = model.responses.iter().map(|one| one.status.to_string());
            for status in successes.chain(model.errors.iter().map(|one| one.status.to_string())) {
                assert!(there["responses"][&status].is_object(), "{} {status}", model.name);
            }
            assert_eq!(there["requestBody"].is_object(), model.body.is_some(), "{}", model.name);
            assert_eq!(there["x-wireform-pages"].is_object(), model.pages.is_some(), "{}", model.name);
            assert_eq!(there["x-wireform-sync"].is_object(), model.sync.is_some(), "{}", model.name);
            assert_eq!(there["callbacks"].is_object(), model.watch.is_some(), "{}", model.name);
        }
    }
}

#[test]
fn scopes_and_who_needs_them() {
    for document in all().into_iter().filter(|document| document.api.security_schemes.is_empty()) {
        let flows = &document.json["components"]["securitySchemes"]["oauth2"]["flows"]["authorizationCode"];
        for scope in &document.api.scopes {
            assert!(flows["scopes"][&scope.url].is_string(), "{}: {}", document.name, scope.url);
        }
        for model in &document.api.operations {
            let (_, _, there) = operation(&document, model);
            let needs = there["security"].as_array().expect("set for every operation");
            let named: Vec<Vec<&str>> = needs
                .iter()
                .filter_map(|need| need["oauth2"].as_array())
                .map(|scopes| scopes.iter().filter_map(Value::as_str).collect())
                .collect();
            let url = |index: &usize| document.api.scopes[*index].url.as_str();
            let expected: Vec<Vec<&str>> = match &model.scopes {
                ScopeRequirement::None => Vec::new(),
                ScopeRequirement::AnyOf(scopes) => scopes.iter().map(|scope| vec![url(scope)]).collect(),
                ScopeRequirement::AllOf(scopes) => vec![scopes.iter().map(url).collect()],
            };
            assert_eq!(named, expected, "{}", model.name);
            let by_key = needs.iter().any(|need| need["key"].is_array());
            assert_eq!(by_key, model.api_key && model.scopes != ScopeRequirement::None, "{}", model.name);
        }
    }
}

#[test]
fn security_schemes_and_who_needs_them() {
    let documents = all().into_iter().filter(|document| !document.api.security_schemes.is_empty());
    for document in documents {
        let api = &document.api;
        let schemes = &document.json["components"]["securitySchemes"];
        for scheme in &api.security_schemes {
            assert!(schemes[&scheme.name]["type"].is_string(), "{}: {}", document.name, scheme.name);
        }
        for model in &api.operations {
            let (_, _, there) = operation(&document, model);
            let demand = |one: &SchemeRequirement| {
                let scopes: Vec<&str> = one.scopes.iter().map(|index| api.scopes[*index].url.as_str()).collect();
                (api.security_schemes[one.scheme].name.clone(), Value::from(scopes))
            };
            let ways = model.security.iter().flatten().map(|way| Value::Object(way.iter().map(demand).collect()));
            assert_eq!(there["security"], ways.collect::<Value>(), "{}", model.name);
        }
    }
}

#[test]
fn resources_enums_and_rules() {
    for document in all() {
        let schemas = document.json["components"]["schemas"].as_object().cloned().unwrap_or_default();
        let forms = |name: &str| -> Vec<(&String, &Value)> {
            schemas.iter().filter(|(form, _)| form.split('.').next() == Some(name)).collect()
        };
        let text = document.json.to_string();
        for resource in &document.api.resources {
            let forms = forms(&resource.name.wire);
            assert!(!forms.is_empty(), "{}: there is no {}", document.name, resource.name.wire);
            for (form, schema) in forms {
                let more = &schema["additionalProperties"];
                assert!(
                    resource.rest_field().is_none() || more.is_object(),
                    "{}: {form} and further members",
                    document.name
                );
                for field in resource.named_fields() {
                    let member = &schema["properties"][&field.name.wire];
                    assert!(member.is_object(), "{}: {form}.{}", document.name, field.name.wire);
                    let when = field.effective_when.as_ref().map(|cel| cel.text.as_str());
                    assert_eq!(member["x-wireform-effective-when"].as_str(), when, "{form}.{}", field.name.wire);
                }
            }
            for rule in &resource.rules {
                assert!(text.contains(&format!("{:?}", rule.id)), "{}: the rule {}", document.name, rule.id);
            }
        }
        for rule in document.api.operations.iter().flat_map(|operation| &operation.rules) {
            assert!(text.contains(&format!("{:?}", rule.id)), "{}: the rule {}", document.name, rule.id);
        }
        for definition in &document.api.enums {
            let forms = forms(&definition.name.wire);
            assert!(!forms.is_empty(), "{}: there is no {}", document.name, definition.name.wire);
            let formatted: String = forms.iter().map(|(_, schema)| schema.to_string()).collect();
            let response = forms.iter().any(|(form, _)| !form.contains('.'));
            for value in definition.values.iter().filter(|value| response || !value.output_only) {
                assert!(formatted.contains(&format!("{:?}", value.name.wire)), "{} {}", document.name, value.name.wire);
            }
        }
    }
}
