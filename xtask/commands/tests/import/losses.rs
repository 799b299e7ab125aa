//! Reports of losses.

use super::place::{NOTES, Place};

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
