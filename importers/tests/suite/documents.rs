//! Realistic documents: the schema reader accepts the imported parts, and all others are reported with their locations.

use serde_json::Value;
use wireform_codegen::load;
use wireform_importers::{Import, Options, openapi};

use crate::inputs::sources;

/// Imports a document, checks that the schema reader accepts the result, and returns all files as one value.
fn imported(text: &str) -> (Import, Value) {
    imported_as(text, &Options::default())
}

fn imported_as(text: &str, options: &Options<'_>) -> (Import, Value) {
    let import = openapi::import_as(text, options, None).expect("an OpenAPI document");
    load(&sources(&import)).expect("the schema reader accepts the written schema");
    let mut whole = serde_json::Map::new();
    for text in import.files.values() {
        let file: serde_json::Map<String, Value> = serde_yaml::from_str(text).expect("YAML");
        for (section, value) in file {
            match (whole.get_mut(&section).and_then(Value::as_object_mut), value) {
                (Some(there), Value::Object(more)) => there.extend(more),
                (_, value) => drop(whole.insert(section, value)),
            }
        }
    }
    (import, Value::Object(whole))
}

fn lost(import: &Import) -> Vec<String> {
    import
        .losses
        .iter()
        .map(|loss| format!("{}: {}", loss.at.rsplit('/').next().unwrap_or_default(), loss.what))
        .collect()
}

#[test]
fn imports_document_of_version_3_0() {
    let (import, found) = imported(include_str!("documents/shop.yaml"));
    assert_eq!(
        lost(&import),
        ["callbacks: left out: requests sent by a server (callbacks and webhooks) are not supported"]
    );
    assert_eq!(found["root"], "https://eu.pets.example.com");
    assert_eq!(found["unions"]["Pet"]["discriminator"], "petType");
    assert_eq!(found["unions"]["Pet"]["variants"]["dog"], "Dog");
    assert_eq!(found["resources"]["Dog"]["fields"]["packSize"]["type"], "int32");
    assert_eq!(found["resources"]["PetsListPetsResponsePagingCursors"]["fields"]["after"]["type"], "string");
    assert_eq!(found["resources"]["PetsUploadPhotoBody"]["fields"]["photo"]["type"], "file");
    let operations = &found["operations"];
    assert_eq!(operations["pets.getPet"]["conditional"][0], "if_none_match");
    assert_eq!(operations["pets.listPets"]["query"]["filter"]["style"], "deep");
    assert_eq!(operations["pets.listPets"]["headers"]["X-Trace-Id"]["doc"], "A trace.");
    assert_eq!(operations["pets.createPet"]["errors"]["422"], "Something is wrong.");
}

#[test]
fn unsupported_parts_of_version_3_1_are_reported() {
    let (import, found) = imported(include_str!("documents/modern.yaml"));
    let expected = [
        "contains: left out: the schema language does not support it",
        "items: becomes `any`: the elements of a list must have the same type",
        "0: becomes `any`: the elements of a list must have the same type",
        "patternProperties: the pattern of the keys is left out: values of other keys are of this type too",
        "0: left out: alternatives of constraints are not supported",
        "1: left out: alternatives of constraints are not supported",
        "webhooks: left out: requests sent by a server (callbacks and webhooks) are not supported",
    ];
    assert_eq!(lost(&import), expected);
    let fields = &found["resources"]["GetOrdersResponse"]["fields"];
    assert_eq!(fields["ip"]["format"], "ip");
    assert_eq!(fields["amount"]["min"]["exclusive"], 0);
    assert_eq!(fields["amount"]["max"]["exclusive"], 100);
    let rules = |name: &str| found["resources"][name]["rules"][0]["cel"].clone();
    assert_eq!(rules("GetOrdersResponseDeps"), "!has(this.a) || has(this.b)");
    assert_eq!(rules("GetOrdersResponseCond"), "!(!has(this.a) || this.a == 'x') || has(this.a)");
    assert_eq!(fields["step"]["type"], "int64");
    assert_eq!(fields["list"]["items"], "2..");
    assert_eq!(fields["local"]["length"], 3);
    assert_eq!(found["unions"]["GetOrdersResponseShape"]["variants"]["square"], "Square");
    assert_eq!(found["enums"]["GetOrdersResponseLevel"]["type"], "int64");
}

#[test]
fn imports_wrappers_cookies_and_combined_schemes() {
    let (import, found) = imported(include_str!("documents/portal.yaml"));
    assert_eq!(lost(&import), ["data: becomes `any`: its parts allow no common type"]);
    let body = &found["operations"]["search"]["body"];
    assert_eq!(body["alternatives"]["json"], "Query");
    let form = serde_json::json!({"type": "SearchFormBody", "content_types": ["application/x-www-form-urlencoded"]});
    assert_eq!((&body["alternatives"]["form"], &body["required"]), (&form, &false.into()));
    let drop = &found["operations"]["drop"];
    assert_eq!((&drop["http"], &drop["client_only"]), (&"DELETE /search/{id}/".into(), &true.into()));
    assert_eq!(found["operations"]["search"]["security"][0], serde_json::json!(["basic", "key"]));
    assert_eq!(found["operations"]["search"]["query"]["q"]["style"], "json");
    assert_eq!(found["enums"]["SearchSortItem"]["values"]["-name"]["name"], "MinusName");
    assert!(found["enums"].get("ItemKind").is_none(), "no operation leads to an item: {found}");
    let options = Options { keeps_unreferenced: true, ..Options::default() };
    let (_, found) = imported_as(include_str!("documents/portal.yaml"), &options);
    assert_eq!(found["enums"]["ItemKind"]["values"]["1"]["name"], "rich");
    assert_eq!(found["resources"]["ItemTreeAB"]["fields"]["c"]["type"], "string");
}

#[test]
fn path_segments_combine_text_and_variables() {
    let path = |path: &str, id: &str, variables: &[&str]| {
        let variables = variables
            .iter()
            .map(|name| format!("{{ name: {name}, in: path, required: true, schema: {{ type: string }} }}"));
        let parameters = variables.collect::<Vec<_>>().join(", ");
        format!(
            "  '{path}': {{ get: {{ operationId: {id}, parameters: [{parameters}], responses: {{ '204': {{ description: done }} }} }} }}\n"
        )
    };
    let document = [
        "openapi: 3.0.3\ninfo: { title: Shop, version: v1 }\nservers: [{ url: 'https://shop.example.com' }]\npaths:\n"
            .to_owned(),
        path("/galleries/{media id}/{page}t.{format}", "page", &["media id", "page", "format"]),
        path("/compare/{base}...{head}", "compare", &["base", "head"]),
        path("/compare/{one}...{two}", "again", &["one", "two"]),
        path("/compare/{base}---{head}", "other", &["base", "head"]),
    ];
    let (import, found) = imported(&document.concat());
    assert_eq!(found["operations"]["page"]["http"], "GET /galleries/{media_id}/{page}t.{format}");
    assert_eq!(found["operations"]["compare"]["http"], "GET /compare/{base}...{head}");
    assert_eq!(lost(&import), [""; 0]);
    let client_only = |name: &str| found["operations"][name]["client_only"] == true;
    assert_eq!(["compare", "again", "other"].map(client_only), [false, true, true]);
    let notes: Vec<&str> = import.notes.iter().map(|note| note.what.as_str()).collect();
    for why in [
        "the operation is generated for clients only: its path is ambiguous: another operation matches the same requests",
        "the operation is generated for clients only: another operation has the same method and path",
    ] {
        assert!(notes.contains(&why), "{notes:?}");
    }
}
