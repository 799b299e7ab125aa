//! What README shows is what runs: its code stands here, and in the programs it is taken from.

use std::error::Error;

use wireform_tests::root;

#[test]
fn the_types_work_as_the_readme_says() -> Result<(), Box<dyn Error>> {
    // readme
    use calendar_types::runtime::{DateTime, Merge as _, Patch, json};
    use calendar_types::{Event, EventDateTime, EventPatch, EventStatus};

    // What was on the wire comes back as it was: offsets, unknown enum values, absence.
    let wire = r#"{"status":"postponed","start":{"dateTime":"2026-03-29T02:30:00.10+05:45"}}"#;
    let event: Event = json::from_str(wire)?;
    assert!(matches!(&event.status, Some(EventStatus::Unknown(value)) if value.as_str() == "postponed"));
    assert_eq!(json::to_string(&event)?, wire);

    // Values are built with setters or struct expressions; defaults are read, never written.
    let lunch = Event::default()
        .with_summary("Lunch")
        .with_start(EventDateTime::default().with_date_time(DateTime::parse("2026-05-01T12:00:00+02:00")?));
    assert_eq!(lunch.status_or_default(), &EventStatus::Confirmed);

    // A merge patch tells absent, null and a value apart at every depth; `diff` makes the smallest, and nothing of
    // what is equal. A client sends one by `events.patch(…)`, or makes it itself with `patch_with`.
    let moved = lunch.clone().with_location("Roof");
    assert_eq!(lunch.diff(&moved), Some(EventPatch { location: Patch::Set("Roof".into()), ..EventPatch::default() }));
    // readme
    Ok(())
}

/// The lines between the marks, without white space around them.
fn marked(file: &str, mark: &str) -> Vec<String> {
    let text = fs_err::read_to_string(root().join(file)).expect("the file is there");
    let between = text.split(&format!("// {mark}\n")).nth(1).expect("the marks are there").to_owned();
    between.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn the_readme_shows_the_code_that_runs() {
    let readme = fs_err::read_to_string(root().join("README.md")).expect("the file is there");
    let shown: Vec<&str> = readme.lines().map(str::trim).collect();
    for (file, mark) in [
        ("tests/suite/readme.rs", "readme"),
        ("tests/clients/readme.rs", "client"),
        ("tests/clients/readme.rs", "calls"),
        ("tests/outside/generate/src/main.rs", "five lines"),
    ] {
        for line in marked(file, mark) {
            assert!(shown.contains(&line.as_str()), "README does not show `{line}` of {file}");
        }
    }
}
