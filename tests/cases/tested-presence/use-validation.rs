//! Null is present in a nullable field, and so is an empty list that is distinguished from an absent one.

use tested_presence_types::Message;
use tested_presence_validation::read;

fn violations_of(text: &str) -> Vec<String> {
    match read::<Message>(text.as_bytes()) {
        Ok(_) => Vec::new(),
        Err(violations) => violations.iter().map(|violation| violation.rule.to_string()).collect(),
    }
}

#[test]
fn presence_does_not_depend_on_the_type() {
    let table: [(&str, &[&str]); 9] = [
        ("{}", &["message.content"]),
        (r#"{"to": "a"}"#, &[]),
        (r#"{"to": 1}"#, &[]),
        (r#"{"note": "a"}"#, &[]),
        (r#"{"note": null}"#, &[]),
        (r#"{"tags": []}"#, &[]),
        (r#"{"count": null}"#, &["message.content"]),
        (r#"{"to": 1, "gaps": []}"#, &["message.one"]),
        (r#"{"to": 1, "count": null, "gaps": [null]}"#, &["message.one"]),
    ];
    for (text, expected) in table {
        assert_eq!(violations_of(text), expected, "{text}");
    }
}
