//! Reports of losses, and of warnings about imported schemas.

use super::place::{NOTES, Place, SHOP};

#[test]
fn losses_are_located_and_must_be_allowed() {
    let place = Place::new();
    place.write(
        "notes.json",
        &NOTES.replace(
            r#""id": {"type": "string", "description": "Its"#,
            r#""id": {"type": "string", "format": "runes", "description": "Its"#,
        ),
    );
    let (success, output) = place.import(&["notes.json"]);
    let reported = "notes.json:5:11#/schemas/Note/properties/id: the format `runes` is left out";
    assert!(!success && output.contains(&format!("loss: {reported}")) && output.contains("error: 1 loss;"), "{output}");
    assert!(place.import(&["notes.json", "--allow-losses"]).0);
}

#[test]
fn losses_are_grouped_by_kind() {
    let place = Place::new();
    let members: String = (0..30)
        .map(|at| {
            format!(r#""m{at}": {{"type": "string", "format": "f{at}"}}, "n{at}": {{"not": {{}}, "type": "string"}}, "#)
        })
        .collect();
    place.write("notes.json", &NOTES.replace(r#""text": {"#, &format!(r#"{members}"text": {{"#)));
    let (success, output) = place.import(&["notes.json"]);
    assert!(!success && output.contains("error: 60 losses;"), "{output}");
    assert_eq!(output.matches("loss: ").count(), 2, "{output}");
    assert_eq!(output.matches("(and 29 more of this kind, see `--losses`)").count(), 2, "{output}");
    for flag in ["--losses", "--all"] {
        let (_, output) = place.import(&["notes.json", flag]);
        assert_eq!(output.matches("loss: ").count(), 60, "{output}");
        assert!(!output.contains("more of this kind"), "{output}");
    }
}

#[test]
fn guesses_are_located_until_the_overlay_decides_them() {
    let place = Place::new();
    let (success, output) = place.import(&["notes.json"]);
    let profile = "guess: notes.json:1:1: `profile` is that of the publisher";
    assert!(success && output.contains(profile) && output.contains("write `change: { profile: null }`"), "{output}");
    place.write("schemas/notes-v1/overlay.yaml", "change: { profile: null }\n");
    let (success, output) = place.import(&["notes.json"]);
    assert!(success && !output.contains("guess: "), "{output}");
}

#[test]
fn warnings_about_the_schema_have_their_places() {
    let place = Place::new();
    let get = |path: &str, id: &str, security: &str| {
        format!(
            "  /{path}: {{ get: {{ operationId: {id}, {security}summary: Reads, responses: {{ '204': {{ description: Done. }} }} }} }}\n"
        )
    };
    let public = get("a", "a", "") + &get("b", "b", "") + &get("c", "c", "security: [{ key: [] }], ");
    let scheme =
        "components:\n  securitySchemes: { key: { type: apiKey, in: header, name: X-Key, description: A key. } }\n";
    let document =
        SHOP.replace("components:\n", &(public + scheme)).replace("info: {", "info: { description: A shop.,");
    place.write("shop.yaml", &document);
    let import =
        |flag: &[&str]| place.command(&[&["import", "openapi", "--into", "schemas", "shop.yaml"], flag].concat());
    let (success, output) = import(&[]);
    let located = "warning: shop.yaml:14:14#/paths/~1a/get: W0307: `a` is public: it has neither `scopes` nor `security` (`schemas/shop/operations.yaml:";
    assert!(success && output.contains(located), "{output}");
    assert_eq!(output.matches("warning: ").count(), 1, "{output}");
    assert!(output.contains("(and 2 more of this kind, see `--warnings`)"), "{output}");
    for flag in ["--losses", "--warnings", "--all"] {
        let (_, output) = import(&[flag]);
        assert_eq!(output.matches(" is public").count(), 3, "{output}");
    }
    for command in [&["check"][..], &["gen", "--out", "out"]] {
        let (_, output) = place.command(&[command, &["--schemas", "schemas"]].concat());
        assert!(output.contains("warning[W0307]: schemas/shop/operations.yaml:"), "{output}");
        assert!(output.contains("shop: 2 more of W0307; `--warnings` lists them, see docs/diagnostics.md"), "{output}");
        let (_, output) = place.command(&[command, &["--schemas", "schemas", "--warnings"]].concat());
        assert_eq!(output.matches("warning[W0307]: ").count(), 3, "{output}");
        assert!(!output.contains("more of W0307"), "{output}");
    }
}
