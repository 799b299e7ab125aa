use super::*;

#[test]
fn messages() {
    let length = |min, max, found| Constraint::Length(Bounds { min, max, actual: found }).message().into_owned();
    assert_eq!(length(5, 1024, Some(3)), "must have 5 to 1024 characters, found 3");
    assert_eq!(length(1, usize::MAX, Some(0)), "must have at least 1 character, found 0");
    assert_eq!(length(0, 40, None), "must have at most 40 characters");
    assert_eq!(length(26, 26, Some(1)), "must have 26 characters, found 1");
    let range = |min, max| Constraint::Range { min, max }.message().into_owned();
    assert_eq!(range(Some(SchemaNumber::Int(0)), Some(SchemaNumber::Int(40320))), "must be 0 to 40320");
    assert_eq!(range(Some(SchemaNumber::Int(-3)), None), "must be at least -3");
    assert_eq!(range(None, Some(SchemaNumber::Float(0.5))), "must be at most 0.5");
    let schemes = Constraint::Schemes(&["http", "https", "tel"]).message().into_owned();
    assert_eq!(schemes, "must be a URI whose scheme is http, https or tel");
    let forbidden = |value| Constraint::Excludes { other: "syncToken", value }.message().into_owned();
    assert_eq!(forbidden(None), "cannot be combined with `syncToken`");
    assert_eq!(forbidden(Some("false")), "cannot be false in combination with `syncToken`");
    let known = Constraint::known("EventStatus", &"x\n".repeat(100), false).message().into_owned();
    assert!(known.starts_with(r#""x\nx\n"#) && known.ends_with("… is not a value of EventStatus"), "{known}");
    assert_eq!(Constraint::known("EventStatus", "x", true).message(), "is not a value of EventStatus");
}

#[test]
fn an_ignored_field_names_its_condition() {
    let parts = |unless| {
        let constraint = Constraint::Ignored { unless };
        (constraint.message().into_owned(), serde_json::to_value(&constraint).unwrap())
    };
    let (message, json) = parts(Some("params.supportsAttachments"));
    assert_eq!(message, "has no effect unless `params.supportsAttachments`: the server ignores it");
    assert_eq!(json, serde_json::json!({ "unless": "params.supportsAttachments" }));
    let (message, json) = parts(None);
    assert_eq!(message, "has no effect in this operation: the server ignores it");
    assert_eq!(json, serde_json::json!({}));
}

#[test]
fn ranges_in_schema_notation() {
    let text = |min, max| Bounds { min, max, actual: None }.to_string();
    assert_eq!([text(5, 1024), text(1, usize::MAX), text(0, 40)], ["5..=1024", "1..", "..=40"]);
}
