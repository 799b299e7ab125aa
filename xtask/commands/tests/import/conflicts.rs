//! Files and APIs that an import does not overwrite.

use super::place::{NOTES, Place, SHOP};

#[test]
fn modified_file_is_not_overwritten() {
    let place = Place::new();
    assert!(place.import(&["notes.json"]).0);
    let written = place.files();
    let edited = written["types.yaml"].replace("What it says.", "The words.");
    place.write("schemas/notes-v1/types.yaml", &edited);
    let (success, output) = place.import(&["notes.json"]);
    assert!(
        !success && output.contains("types.yaml") && output.contains("overlay.yaml") && output.contains("--force"),
        "{output}"
    );
    assert!(output.contains("-      text: { type: string, doc: The words. }"), "{output}");
    assert_eq!(place.files()["types.yaml"], edited);
    assert!(place.import(&["notes.json", "--force"]).0);
    assert_eq!(place.files(), written);
}

#[test]
fn foreign_file_is_kept() {
    let place = Place::new();
    place.write("schemas/notes-v1/mine.yaml", "enums: {}\n");
    let (success, output) = place.import(&["notes.json"]);
    assert!(!success && output.contains("`mine.yaml` was not written by an import"), "{output}");
    assert!(place.import(&["notes.json", "--force"]).0);
    assert_eq!(place.files()["mine.yaml"], "enums: {}\n");
    place.write("schemas/notes-v1/types.yaml", "enums: {}\n");
    let (success, output) = place.import(&["notes.json", "--force"]);
    assert!(!success && output.contains("would be overwritten"), "{output}");
}

#[test]
fn two_documents_of_one_api_are_rejected() {
    let place = Place::new();
    place.write("again.json", NOTES);
    let (success, output) = place.import(&["notes.json", "again.json"]);
    assert!(!success && output.contains("`notes.json` and `again.json` describe the same API, `notes-v1`"), "{output}");
    assert!(!place.path("schemas/notes-v1").exists());
}

#[test]
fn other_api_with_same_name_is_not_overwritten() {
    let place = Place::new();
    assert!(place.import(&["notes.json"]).0);
    let before = place.files();
    let songs = |path: &str| NOTES.replace("v1/notes/{id}", path).replace("notes.example.com", "songs.example.com");
    place.write("notes.json", &songs("v1/songs/{id}"));
    let (success, output) = place.import(&["notes.json"]);
    assert!(!success && output.contains("schemas/notes-v1") && output.contains("none of its operations"), "{output}");
    assert_eq!(place.files(), before);
    assert!(place.import(&["notes.json", "--force"]).0);
    // Other paths on the same server are the same API.
    place.write("notes.json", &songs("v1/tunes/{id}"));
    assert!(place.import(&["notes.json"]).0);
}

#[test]
fn other_version_of_api_is_not_overwritten() {
    let place = Place::new();
    let import =
        |more: &[&str]| place.command(&[&["import", "openapi", "--into", "schemas", "shop.yaml"], more].concat());
    let with = |version: &str, path: &str| {
        let info = format!("servers: [{{ url: 'https://shop.example.com/{path}' }}]\ninfo:");
        SHOP.replace("info:", &info).replace("version: v1", &format!("version: {version}"))
    };
    place.write("shop.yaml", &with("1.0.0", "v1"));
    assert!(import(&[]).0);
    place.write("shop.yaml", &with("1.1.0", "v1"));
    assert!(import(&[]).0, "a newer document of the same paths");
    let before = place.text("schemas/shop/api.yaml");
    place.write("shop.yaml", &with("2.0.0", "v2"));
    let (success, output) = import(&[]);
    assert!(!success && output.contains("version 1.1.0 of the API `shop`") && output.contains("`--name`"), "{output}");
    assert_eq!(place.text("schemas/shop/api.yaml"), before);
    let (success, output) = import(&["--name", "shop-v2"]);
    assert!(success && place.text("schemas/shop-v2/api.yaml").contains("api: shop-v2\n"), "{output}");
    assert_eq!(place.text("schemas/shop/api.yaml"), before);
    // The overlay in the folder of that name is applied.
    place.write("schemas/shop-v2/overlay.yaml", "change: { title: The other shop }\n");
    let (success, output) = import(&["--name", "shop-v2"]);
    assert!(success && place.text("schemas/shop-v2/api.yaml").contains("title: The other shop"), "{output}");
    assert!(!import(&["--name", "../shop"]).0);
    assert!(!import(&["--name", "shop-v3", "shop.yaml"]).0);
    assert!(import(&["--force"]).0);
}
