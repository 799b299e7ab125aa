//! The code that README.md and the pages under `docs/` show is compiled and run, here and in the programs it is taken
//! from.

use std::error::Error;
use std::path::{Path, PathBuf};

use wireform_tests::root;

#[test]
fn the_types_work_as_their_page_shows() -> Result<(), Box<dyn Error>> {
    // readme
    use calendar_types::runtime::{DateTime, Merge as _, Patch, json};
    use calendar_types::{Event, EventDateTime, EventPatch, EventStatus};

    // Decoding and encoding keep the notation on the wire: offsets, unknown enum values, absence.
    let wire = r#"{"status":"postponed","start":{"dateTime":"2026-03-29T02:30:00.10+05:45"}}"#;
    let event: Event = json::from_str(wire)?;
    assert!(matches!(&event.status, Some(EventStatus::Unknown(value)) if value.as_str() == "postponed"));
    assert_eq!(json::to_string(&event)?, wire);

    // Values are built with setters or struct expressions; defaults are returned by accessors and never written.
    let lunch = Event::default()
        .with_summary("Lunch")
        .with_start(EventDateTime::default().with_date_time(DateTime::parse("2026-05-01T12:00:00+02:00")?));
    assert_eq!(lunch.status_or_default(), &EventStatus::Confirmed);

    // A merge patch distinguishes absent, null and a value at every depth. `diff` returns the smallest patch, or `None`
    // for equal values. A client sends a patch with `events.patch(…)`, or computes it in `patch_with`.
    let moved = lunch.clone().with_location("Roof");
    assert_eq!(lunch.diff(&moved), Some(EventPatch { location: Patch::Set("Roof".into()), ..EventPatch::default() }));
    // readme
    Ok(())
}

/// Returns the trimmed lines between each pair of marks.
fn marked(file: &str, mark: &str) -> Vec<String> {
    let text = fs_err::read_to_string(root().join(file)).expect("the file can be read");
    let mark = format!("// {mark}\n");
    assert!(text.contains(&mark), "{file} has no marks `{}`", mark.trim());
    let between = text.split(&mark).skip(1).step_by(2);
    between.flat_map(|lines| lines.lines().map(|line| line.trim().to_owned())).collect()
}

#[test]
fn the_rules_work_as_their_page_shows() -> Result<(), Box<dyn std::error::Error>> {
    use calendar_types::runtime::{DateTime, Patch};
    use calendar_types::{Attendee, Event, EventDateTime, EventPatch, EventType};
    use calendar_validation::requests::{EventsInsert, EventsPatch};
    use calendar_validation::{Validate as _, read};

    // rules
    // All violations at once, each with its path and the id of its rule, in the order of the document.
    let event = Event::default()
        .with_start(EventDateTime::default().with_date("2026-05-01".parse()?))
        .with_end(EventDateTime::default().with_date_time(DateTime::parse("2026-05-01T12:00:00Z")?))
        .with_attendees([Attendee::default().with_email("nobody")]);
    let violations = EventsInsert::new("primary", event).validate().unwrap_err();
    let found: Vec<String> = violations.iter().map(|one| format!("{} {}", one.path, one.rule)).collect();
    assert_eq!(found, ["end event.same_kind_of_time", "attendees[0].email format"]);

    // `read` decodes and validates JSON in one pass: a field of the wrong type is a violation like any other.
    let violations =
        read::<Event>(br#"{"reminders":{"overrides":[{},{},{},{},{},{}]},"sequence":"three"}"#).unwrap_err();
    assert_eq!(
        violations.to_string().lines().collect::<Vec<_>>(),
        [
            "reminders.overrides: must have at most 5 elements, found 6 (items) at line 1 column 27",
            "sequence: must be a 32-bit integer, found a string (type) at line 1 column 59",
        ]
    );

    // A patch is validated against the stored resource that it changes.
    let stored = Event::default().with_event_type("birthday");
    let patch = EventPatch { event_type: Patch::Set(EventType::Default), ..EventPatch::default() };
    let violations = EventsPatch::new("primary", "id", patch).validate_against(&stored).unwrap_err();
    assert!(violations.iter().any(|one| one.path.to_string() == "eventType" && one.rule == "immutable"));
    // rules
    Ok(())
}

#[test]
fn the_pages_show_the_code_that_runs() {
    for (page, file, mark) in [
        ("README.md", "examples/reading-list/tests/readme.rs", "types"),
        ("README.md", "examples/reading-list/tests/readme.rs", "validation"),
        ("README.md", "examples/reading-list/src/main.rs", "client"),
        ("README.md", "examples/reading-list/src/unread.rs", "client"),
        ("README.md", "examples/reading-list/src/service.rs", "create"),
        ("README.md", "examples/reading-list/src/main.rs", "server"),
        ("docs/types.md", "tests/suite/readme.rs", "readme"),
        ("docs/validation.md", "tests/suite/readme.rs", "rules"),
        ("docs/client.md", "tests/calls/clients/readme.rs", "client"),
        ("docs/client.md", "tests/calls/clients/readme.rs", "calls"),
        ("docs/generator.md", "tests/outside/generate/src/main.rs", "five lines"),
        ("docs/first-api.md", "tests/calls/clients/readme.rs", "fake"),
        ("docs/first-api.md", "examples/reading-list/src/service.rs", "create"),
        ("docs/first-api.md", "examples/reading-list/tests/service.rs", "tag"),
        ("docs/first-api.md", "examples/reading-list/tests/service.rs", "violations"),
    ] {
        let text = fs_err::read_to_string(root().join(page)).expect("the page can be read");
        let shown: Vec<&str> = text.lines().map(str::trim).collect();
        for line in marked(file, mark) {
            assert!(shown.contains(&line.as_str()), "{page} does not show `{line}` of {file}");
        }
    }
}

/// The pages that people read: README.md, CONTRIBUTING.md and `docs/`.
fn pages() -> Vec<PathBuf> {
    let docs = fs_err::read_dir(root().join("docs")).expect("the folder can be read");
    let docs = docs.map(|entry| entry.expect("the entry can be read").path());
    let pages = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.chain([root().join("README.md"), root().join("CONTRIBUTING.md")]).collect()
}

/// Returns the lines of a page outside of code blocks.
fn prose(page: &Path) -> Vec<String> {
    let text = fs_err::read_to_string(page).expect("the page can be read");
    let mut in_code = false;
    let outside = text.lines().filter(|line| {
        let fence = line.starts_with("```");
        in_code ^= fence;
        !fence && !in_code
    });
    outside.map(str::to_owned).collect()
}

/// Returns the anchor of a heading as GitHub generates it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = kept.chars().filter(|char| char.is_alphanumeric() || [' ', '-', '_'].contains(char));
    kept.map(|char| if char == ' ' { '-' } else { char }).collect()
}

/// Returns the relative links of a line of Markdown.
fn links(line: &str) -> impl Iterator<Item = &str> {
    let targets = line.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    targets.filter(|target| !target.contains("://"))
}

#[test]
fn every_link_of_the_documentation_has_a_target() {
    let mut checked = 0;
    for page in pages() {
        for line in prose(&page) {
            for link in links(&line) {
                let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
                let file = if path.is_empty() { page.clone() } else { page.with_file_name("").join(path) };
                assert!(file.exists(), "{}: `{link}` is missing", page.display());
                let headings = || prose(&file).into_iter().filter(|line| line.starts_with('#'));
                let found =
                    fragment.is_empty() || headings().any(|heading| anchor(&heading) == fragment.to_lowercase());
                assert!(found, "{}: `{link}` has no such heading", page.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 100, "only {checked} links were found");
}

#[test]
fn the_readme_is_short() {
    let text = fs_err::read_to_string(root().join("README.md")).expect("the page can be read");
    assert!(text.lines().count() <= 200, "move details to a page under docs/");
}
