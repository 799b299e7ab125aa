//! YAML features that imported documents may have and schemas may not.

#![allow(clippy::expect_used, clippy::panic)] // a test that fails says so by panicking

use super::{Document, MAX_BYTES, Node, Style, UnknownTag, Value, parse, parse_document};
use crate::diagnostics::Sink;

/// Formats a value on one line, with quotes around strings only.
fn format_node(node: &Node) -> String {
    let all = |parts: Vec<String>| parts.join(", ");
    match &node.value {
        Value::Scalar(text, Style::Text) => format!("'{text}'"),
        Value::Scalar(text, Style::Plain) => text.clone(),
        Value::List(items) => format!("[{}]", all(items.iter().map(format_node).collect())),
        Value::Map(entries) => {
            format!("{{{}}}", all(entries.iter().map(|it| format!("{}: {}", it.key, format_node(&it.value))).collect()))
        }
    }
}

fn read(text: &str) -> Result<Document, String> {
    let mut sink = Sink::new();
    let document = parse_document(0, text, MAX_BYTES, &mut sink);
    match sink.into_sorted().into_iter().next() {
        None => document.ok_or_else(|| "no diagnostic".to_owned()),
        Some(error) => {
            let before = text.get(..error.span.start as usize).expect("a place in the text");
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            Err(format!("{}:{column} {}", before.matches('\n').count() + 1, error.message))
        }
    }
}

#[test]
fn copies_aliased_values() {
    let table = [
        ("a: &x [1, {b: c}]\nd: *x\n", "{a: [1, {b: c}], d: [1, {b: c}]}"),
        ("a: &x 1\nb: &x 2\nc: *x\n", "{a: 1, b: 2, c: 2}"),
        ("a: &x '1'\nb: *x\n", "{a: '1', b: '1'}"),
        ("&k a: 1\nb: *k\n*k : 2\n", "duplicate key `a`"),
        ("a: &k b\n*k : 2\n", "{a: b, b: 2}"),
        ("a: &outer {b: &inner [1]}\nc: *inner\nd: *outer\n", "{a: {b: [1]}, c: [1], d: {b: [1]}}"),
        ("- &x\n- *x\n", "[, ]"),
        ("%YAML 1.2\n---\na: &x 1\nb: *x\n", "{a: 1, b: 1}"),
    ];
    for (text, expected) in table {
        match read(text) {
            Ok(document) => assert_eq!(format_node(&document.root), expected, "{text}"),
            Err(error) => assert!(error.ends_with(expected), "{text}: {error}"),
        }
    }
}

#[test]
fn tolerates_what_other_parsers_accept() {
    let table = [
        ("a: [\n  b,\n]\nc: 1\n", "{a: [b], c: 1}"),
        ("a:\n  b: [\n    c\n  ]\n", "{a: {b: [c]}}"),
        ("a: {\n  b: c\n}\n", "{a: {b: c}}"),
        ("a:\n- b:\n  - [\n  c\n  ]\n", "{a: [{b: [[c]]}]}"),
    ];
    for (text, expected) in table {
        let document = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(format_node(&document.root), expected, "{text}");
        assert!(document.tolerated_error.is_some(), "{text}");
        assert!(parse(0, text, &mut Sink::new()).is_none(), "{text}");
    }
    assert!(read("a: [\n  b,\n ]\nc: 1\n").expect("YAML").tolerated_error.is_none());
}

#[test]
fn written_keys_take_precedence_over_merged_ones() {
    let table = [
        ("a: &a {x: 1, y: 2}\nb:\n  z: 0\n  <<: *a\n  y: 3\n", "{a: {x: 1, y: 2}, b: {z: 0, x: 1, y: 3}}"),
        ("- &a {x: 1, y: 1}\n- &b {y: 2, z: 2}\n- <<: [*a, *b]\n", "[{x: 1, y: 1}, {y: 2, z: 2}, {x: 1, y: 1, z: 2}]"),
        ("<<: {x: 1, <<: {x: 2, y: 2}}\n", "{x: 1, y: 2}"),
        ("- &a {x: 1}\n- &b {<<: *a, y: 2}\n- <<: *b\n", "[{x: 1}, {x: 1, y: 2}, {x: 1, y: 2}]"),
        ("!!merge <<: {x: 1}\ny: 2\n", "{x: 1, y: 2}"),
        ("'<<': {x: 1}\n", "{<<: {x: 1}}"),
        ("- &a {'<<': 1, x: 1}\n- <<: *a\n  y: 2\n", "[{<<: 1, x: 1}, {<<: 1, x: 1, y: 2}]"),
        ("- &a {'<<': 1, x: 1}\n- {<<: *a, '<<': 2}\n", "[{<<: 1, x: 1}, {x: 1, <<: 2}]"),
        ("<<: []\n", "{}"),
    ];
    for (text, expected) in table {
        assert_eq!(read(text).map(|document| format_node(&document.root)), Ok(expected.to_owned()), "{text}");
    }
}

#[test]
fn core_tags_determine_types() {
    let table = [
        ("[!!str 1, ! 2, !!str , !!str '3', !!str true]", "['1', '2', '', '3', 'true']"),
        ("[!!int '1', !!int 0x1F, !!float 1, !!float '1.5', !!bool 'true', !!null '']", "[1, 0x1F, 1, 1.5, true, ]"),
        ("!!map {a: !!seq [1], b: ! [2]}", "{a: [1], b: [2]}"),
        ("[!!timestamp 2001-01-01, !!binary AAAA]", "['2001-01-01', 'AAAA']"),
        ("[!<tag:yaml.org,2002:str> 1]", "['1']"),
        ("%TAG !y! tag:yaml.org,2002:\n---\n!y!str 1\n", "'1'"),
        ("!!str &x 1", "'1'"),
        ("a: &x !!str 1\nb: *x\n", "{a: '1', b: '1'}"),
    ];
    for (text, expected) in table {
        let document = read(text).expect(text);
        assert_eq!((format_node(&document.root).as_str(), document.unknown_tags), (expected, vec![]), "{text}");
    }
}

#[test]
fn returns_each_unknown_tag_once() {
    let document = read("a: !include b.yaml\nc:\n- 1\n- !include d\n- !<x:y> {}\n!x k: 1\n").expect("a document");
    assert_eq!(format_node(&document.root), "{a: b.yaml, c: [1, d, {}], k: 1}");
    let tag = |name: &str, path: &[&str], count| UnknownTag {
        name: name.to_owned(),
        path: path.iter().map(|piece| (*piece).to_owned()).collect(),
        count,
    };
    assert_eq!(document.unknown_tags, [tag("!include", &["a"], 2), tag("!<x:y>", &["c", "2"], 1), tag("!x", &[], 1)]);
}

#[test]
fn copied_contents_keep_their_spans() {
    let document = read("a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n").expect("a document");
    let Value::Map(entries) = &document.root.value else { panic!("a mapping") };
    let places: Vec<_> = entries
        .iter()
        .map(|entry| match &entry.value.value {
            Value::Map(inner) => (entry.value.span.start, inner[0].key_span.start, inner[0].value.span.start),
            _ => panic!("a mapping"),
        })
        .collect();
    assert_eq!(places, [(6, 7, 10), (16, 7, 10), (24, 7, 10)]);
}

#[test]
fn reports_errors_with_spans() {
    let table = [
        ("a: &x [*x]\n", "1:8 alias `*x` refers to a value that contains it"),
        ("a: &x\n  b: {<<: *x}\n", "2:11 alias `*x` refers to a value that contains it"),
        ("a: *x\nb: &x 1\n", "1:4 no anchor for alias `*x` found before it"),
        ("a: &x {b: 1}\nc: {<<: 1}\n", "2:9 `<<` requires a mapping or a list of mappings"),
        ("<<: [{a: 1}, 2]\n", "1:14 `<<` requires a mapping or a list of mappings"),
        ("<<: {a: 1}\n<<: {b: 1}\n", "2:1 duplicate key `<<`"),
        ("<<:\n", "1:3 `<<` requires a mapping or a list of mappings"),
        ("a: !!int x\n", "1:10 the value does not match its tag `!!int`"),
        ("a: !!bool yes\n", "1:11 the value does not match its tag `!!bool`"),
        ("a: !!map [1]\n", "1:10 the value does not match its tag `!!map`"),
        ("a: !!str {b: 1}\n", "1:10 the value does not match its tag `!!str`"),
        ("a: &x [1]\n*x : 2\n", "2:1 expected a scalar as key, found a list or a mapping"),
        ("a: &x 1\n---\nb: *x\n", "2:1 found a second YAML document"),
    ];
    for (text, expected) in table {
        assert_eq!(read(text).map(|document| format_node(&document.root)), Err(expected.to_owned()), "{text}");
    }
}

/// Returns a document in which every line has nine aliases of the previous one.
fn alias_bomb(lines: usize, of: impl Fn(usize) -> String) -> String {
    (0..lines).map(|line| format!("a{line}: &a{line} {}\n", of(line))).collect()
}

#[test]
fn limits_expansion_by_aliases() {
    let nine = |line: usize, open: &str, close: &str, part: &dyn Fn(usize) -> String| {
        format!("{open}{}{close}", (0..9).map(part).collect::<Vec<_>>().join(if line == 0 { ", " } else { "," }))
    };
    let list = alias_bomb(20, |line| match line {
        0 => "[x]".to_owned(),
        _ => nine(line, "[", "]", &|_| format!("*a{}", line - 1)),
    });
    let map = alias_bomb(20, |line| match line {
        0 => "{x: 1}".to_owned(),
        _ => nine(line, "{", "}", &|index| format!("k{index}: *a{}", line - 1)),
    });
    let text = "x".repeat(1 << 20);
    let long = format!("a: &a {text}\nb: [{}]\n", vec!["*a"; 100].join(", "));
    let keys = format!("a: &a {{? {text} : 1}}\nb: [{}]\n", vec!["*a"; 100].join(", "));
    // A nested anchor is stored twice.
    let within = format!("{}x{}", (0..60).map(|at| format!("&a{at} [")).collect::<String>(), "]".repeat(60));
    for text in [list, map, long, keys] {
        let error = read(&text).expect_err("it is too large");
        assert!(error.contains("anchors and aliases expand to more than"), "{error}");
    }
    assert!(read(&within).is_ok());
    // The budget is proportional to the size of the document.
    let small = |values: usize, pad: usize| {
        let items = vec!["x"; 99].join(",");
        format!("a: &a [{items}]\nb: [{}]\n# {}\n", vec!["*a"; values / 100].join(","), "x".repeat(pad))
    };
    assert!(read(&small(20_000, 0)).is_ok());
    assert!(read(&small(30_000, 0)).expect_err("it is too large").ends_with("the limit for a file of this size"));
    assert!(read(&small(30_000, 10_000)).is_ok());
    let deep = alias_bomb(80, |line| if line == 0 { "[]".to_owned() } else { format!("[*a{}]", line - 1) });
    let error = read(&deep).expect_err("it is too deep");
    assert!(error.starts_with("65:") && error.ends_with("nested more than 64 levels deep"), "{error}");
    let tags: String = (0..65).map(|at| format!("- !t{at} x\n")).collect();
    assert_eq!(read(&tags).map(|_| ()), Err("65:8 more than 64 unknown tags".to_owned()));
}

#[test]
fn schema_files_reject_anchors_and_tags() {
    for text in ["a: &x 1\n", "a: *x\n", "a: !!str 1\n", "a: ! 1\n", "<<: {a: 1}\n", "%YAML 1.2\n---\na: 1\n"] {
        let mut sink = Sink::new();
        assert!(parse(0, text, &mut sink).is_none() && sink.has_errors(), "{text}");
    }
}
