use wireform_codegen::schema::yaml::{Entry, Node};

use super::{Kind, SerializedDefinition, is_unmodified, split, text};

/// Returns a definition with a number of lines.
fn item(bucket: &str, kind: Kind, name: &str, lines: usize) -> SerializedDefinition {
    let fields = (0..lines).map(|line| Entry::new(format!("f{line}"), Node::plain("1")));
    let body = Node::map(vec![Entry::new("fields", Node::map(fields.collect()))]);
    SerializedDefinition { bucket: bucket.to_owned(), owner: name.to_owned(), kind, name: name.to_owned(), body }
}

fn names(items: Vec<SerializedDefinition>) -> Vec<String> {
    split(items).into_keys().collect()
}

#[test]
fn long_files_are_split_by_groups() {
    let operation = |name: &str, lines| item("operations-x", Kind::Operation, name, lines);
    let small = vec![operation("a.b.get", 10), operation("c.get", 10), operation("get", 10)];
    assert_eq!(names(small), ["operations.yaml"]);
    let large = vec![
        operation("p.get", 10),
        operation("p.l.a.get", 2000),
        operation("p.l.b.c.get", 1000),
        operation("p.l.b.get", 1000),
        operation("p.l.list", 10),
    ];
    let expected = ["operations-p-l-a.yaml", "operations-p-l-b.yaml", "operations-p-l.yaml", "operations-p.yaml"];
    assert_eq!(names(large), expected);
    let flat = vec![operation("p.a", 2000), operation("p.b", 2000)];
    assert_eq!(names(flat), ["operations-p-2.yaml", "operations-p.yaml"]);
}

#[test]
fn types_are_split_by_distinguishing_letters() {
    let ty = |name: &str, lines| item("types-g", Kind::Resource, name, lines);
    assert_eq!(names(vec![ty("GoogleA", 10), ty("GoogleB", 10)]), ["types.yaml"]);
    let large = vec![ty("GoogleAnt", 2000), ty("GoogleBee", 10), ty("GoogleBeeAct", 2000), ty("GoogleBeeArt", 2000)];
    assert_eq!(names(large), ["types-a.yaml", "types-bee-a-c.yaml", "types-bee-a-r.yaml", "types-bee.yaml"]);
}

#[test]
fn modified_file_is_detected() {
    let file = text("api: notes\n");
    assert!(is_unmodified(file.as_bytes()));
    assert!(is_unmodified(file.replace('\n', "\r\n").as_bytes()));
    for changed in
        [file.replace("notes", "nodes"), file.replace(": ", ":  "), format!("{file}#"), "api: notes\n".to_owned()]
    {
        assert!(!is_unmodified(changed.as_bytes()), "{changed}");
    }
    assert!(!is_unmodified(b"\xff"));
}
