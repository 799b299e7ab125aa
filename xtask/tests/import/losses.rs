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
    let (fine, said) = place.import(&["notes.json"]);
    let reported = "notes.json:5:11#/schemas/Note/properties/id: the format `runes` is left out";
    assert!(!fine && said.contains(&format!("loss: {reported}")) && said.contains("error: 1 loss;"), "{said}");
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
    let (fine, said) = place.import(&["notes.json"]);
    assert!(!fine && said.contains("error: 60 losses;"), "{said}");
    assert_eq!(said.matches("loss: ").count(), 2, "{said}");
    assert_eq!(said.matches("(and 29 more of this kind, see `--losses`)").count(), 2, "{said}");
    for flag in ["--losses", "--all"] {
        let (_, said) = place.import(&["notes.json", flag]);
        assert_eq!(said.matches("loss: ").count(), 60, "{said}");
        assert!(!said.contains("more of this kind"), "{said}");
    }
}
