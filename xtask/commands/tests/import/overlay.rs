//! Overlays in the folder of an API.

use super::place::{NOTES, Place};

#[test]
fn overlay_is_applied_to_next_import() {
    let place = Place::new();
    let overlay = "change:\n  resources: { Note: { fields: { text: { doc: The words. } } } }\n";
    place.write("schemas/notes-v1/overlay.yaml", overlay);
    for _ in 0..2 {
        let (success, output) = place.import(&["notes.json"]);
        assert!(success, "{output}");
        assert!(place.files()["types.yaml"].contains("doc: The words."), "{:?}", place.files());
        assert_eq!(place.files()["overlay.yaml"], overlay);
    }
    // The import has applied the overlay, and the generator does not read it as a schema.
    let (success, output) = place.command(&["gen", "--schemas", "schemas", "--out", "out"]);
    assert!(success, "{output}");
    let before = place.files();
    place.write("notes.json", &NOTES.replace("\"text\"", "\"words\""));
    let (success, output) = place.import(&["notes.json"]);
    let place_of_it = "schemas/notes-v1/overlay.yaml:2:34: `resources.Note.fields.text`: not in the document";
    assert!(!success && output.contains(place_of_it), "{output}");
    assert_eq!(place.files(), before);
}

#[test]
fn schema_errors_of_overlay_are_located_in_overlay() {
    let place = Place::new();
    assert!(place.import(&["notes.json"]).0);
    let before = place.files();
    for (value, at) in
        [("{ dok: x }", "2:42: `resources.Note.fields.text.dok`"), ("{ type: stirng }", "2:42: `resources")]
    {
        let overlay = format!("change:\n  resources: {{ Note: {{ fields: {{ text: {value} }} }} }}\n");
        place.write("schemas/notes-v1/overlay.yaml", &overlay);
        let (success, reported) = place.import(&["notes.json"]);
        assert!(!success && reported.contains(&format!("schemas/notes-v1/overlay.yaml:{at}")), "{reported}");
    }
    place.write("schemas/notes-v1/overlay.yaml", "add:\n  resources: { Note: { fields: { pen: { type: Pen } } } }\n");
    let (success, reported) = place.import(&["notes.json"]);
    assert!(
        !success
            && reported.contains("overlay.yaml:2:41: `resources.Note.fields.pen.type`")
            && reported.contains("Pen"),
        "{reported}"
    );
    fs_err::remove_file(place.path("schemas/notes-v1/overlay.yaml")).expect("a file");
    assert_eq!(place.files(), before);
    // Definitions in the user's own files next to the imported ones are known.
    place.write("schemas/notes-v1/mine.yaml", "enums: { Pen: { doc: A pen., values: { blue: Is blue. } } }\n");
    place.write("schemas/notes-v1/overlay.yaml", "add:\n  resources: { Note: { fields: { pen: { type: Pen } } } }\n");
    let (success, reported) = place.import(&["notes.json", "--force"]);
    assert!(success, "{reported}");
}
