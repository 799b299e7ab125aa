//! The code that README.md shows of the types and validation crates.

#![allow(clippy::expect_used)] // a failing test panics

use std::error::Error;

#[test]
fn the_types_work_as_the_readme_shows() -> Result<(), Box<dyn Error>> {
    // types
    use reading_list_types::runtime::{Merge as _, Patch, json};
    use reading_list_types::{Book, BookPatch, Progress};

    // Enums are open: an unknown value is kept, and written unchanged.
    let wire = r#"{"title":"Momo","progress":"abandoned"}"#;
    let book: Book = json::from_str(wire)?;
    assert!(matches!(&book.progress, Some(Progress::Unknown(value)) if value.as_str() == "abandoned"));
    assert_eq!(json::to_string(&book)?, wire);

    // Fields are public, setters can be chained, and `diff` returns the smallest merge patch.
    let reading = book.clone().with_progress(Progress::Reading);
    let patch = BookPatch { progress: Patch::Set(Progress::Reading), ..BookPatch::default() };
    assert_eq!(book.diff(&reading), Some(patch));
    // types
    Ok(())
}

#[test]
fn the_validation_works_as_the_readme_shows() {
    // validation
    use reading_list_types::{Book, Progress};
    use reading_list_validation::Validate as _;
    use reading_list_validation::requests::BooksCreate;

    let book = Book::default().with_pages(0).with_progress(Progress::Finished);
    let violations = BooksCreate::new(book).validate().expect_err("three violations");
    let found: Vec<String> = violations.iter().map(|one| format!("{} {}", one.path, one.rule)).collect();
    assert_eq!(found, ["title required", "pages min", "finishedOn book.finished_has_a_day"]);
    // validation
}
