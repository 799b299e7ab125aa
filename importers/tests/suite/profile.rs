//! The APIs of this project have the profile of the publisher whose documents are imported.

use serde_json::Value;
use wireform_importers::discovery;

#[test]
fn imported_profile_equals_that_of_schemas() {
    let own = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../schemas/profile.yaml");
    let mut own: Value = serde_yaml::from_str(&fs_err::read_to_string(own).expect("the file is there")).expect("YAML");
    let document = r#"{"kind": "discovery#restDescription", "name": "notes", "version": "v1", "methods": {}}"#;
    let import = discovery::import(document).expect("a Discovery document");
    let files = import.files.values().map(|text| serde_yaml::from_str::<Value>(text).expect("YAML"));
    let profiles: Vec<Value> = files.filter_map(|file| file.get("profile").cloned()).collect();
    // The reasons of one of the APIs have a domain of their own.
    own["profile"]["domains"].as_object_mut().expect("domains").remove("calendar");
    assert_eq!(profiles, [own["profile"].clone()]);
}
