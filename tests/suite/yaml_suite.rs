//! The YAML Test Suite: a file has the same meaning for our parser as in YAML, or is rejected with a location. Schemas
//! use a subset of YAML, and every unsupported feature is listed here.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;
use wireform_codegen::diagnostics::{Code, Sink, Source};
use wireform_codegen::schema::yaml::{Node, Style, Value, parse};
use wireform_codegen::{Diagnostic, Output};
use wireform_test_data::requires;
use wireform_tests::shared;

/// Valid YAML that is rejected on purpose: the code, a part of the message, the reason. For an alias the message is
/// about its anchor, which precedes it.
const REFUSED: &[(Code, &str, &str)] = &[
    (Code::YamlFeature, "anchors", "what a node means would be written elsewhere"),
    (Code::YamlFeature, "tags", "the key decides about the type, not the value"),
    (Code::YamlFeature, "expected a scalar as key", "every key of the language is a word"),
    (Code::YamlFeature, "directives", "the version is fixed and there are no tags"),
    (Code::OneDocument, "a second YAML document", "one file, one document"),
    (Code::OneDocument, "the file is empty", "an empty file is an error"),
    (Code::DuplicateKey, "duplicate key", "an error in YAML 1.2 too; the suite has a case of it all the same"),
];

struct Case {
    id: String,
    yaml: String,
    fails: bool,
    json: Option<String>,
    tree: String,
}

fn cases() -> Vec<Case> {
    let dir = shared("corpora/yaml-test-suite/src");
    let mut cases = Vec::new();
    for entry in fs_err::read_dir(dir).expect("the folder is there") {
        let path = entry.expect("an entry can be read").path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs_err::read_to_string(&path).expect("a file");
        let list: Vec<BTreeMap<String, serde_yaml::Value>> =
            serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{stem}: {error}"));
        let text_of = |test: &BTreeMap<String, serde_yaml::Value>, key: &str| {
            test.get(key).and_then(serde_yaml::Value::as_str).map(str::to_owned)
        };
        let (mut yaml, mut json, mut tree, mut fails) = (String::new(), None, String::new(), false);
        for (index, test) in list.iter().enumerate() {
            // A missing key has the value of the previous test.
            if let Some(text) = text_of(test, "yaml") {
                yaml = unmark(&text);
                fails = test.contains_key("fail");
            }
            if let Some(text) = text_of(test, "tree") {
                (tree, json) = (unmark(&text), text_of(test, "json"));
            }
            cases.push(Case {
                id: format!("{stem}/{index}"),
                yaml: yaml.clone(),
                fails,
                json: json.clone(),
                tree: tree.clone(),
            });
        }
    }
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    cases
}

/// Replaces the suite's marks for invisible characters.
fn unmark(text: &str) -> String {
    let mut text =
        text.replace('␣', " ").replace('↵', "").replace('←', "\r").replace('⇔', "\u{feff}").replace("∎\n", "");
    for tab in ["————»", "———»", "——»", "—»", "»"] {
        text = text.replace(tab, "\t");
    }
    text
}

/// Converts a node to JSON by YAML's core schema, or returns `None` if JSON cannot represent it.
fn json(node: &Node) -> Option<Json> {
    Some(match &node.value {
        Value::List(items) => Json::Array(items.iter().map(json).collect::<Option<_>>()?),
        Value::Map(entries) => Json::Object(
            entries.iter().map(|entry| Some((entry.key.clone(), json(&entry.value)?))).collect::<Option<_>>()?,
        ),
        Value::Scalar(text, Style::Text) => Json::String(text.clone()),
        Value::Scalar(text, Style::Plain) => match text.as_str() {
            "" | "~" | "null" | "Null" | "NULL" => Json::Null,
            "true" | "True" | "TRUE" => Json::Bool(true),
            "false" | "False" | "FALSE" => Json::Bool(false),
            text => number(text).unwrap_or_else(|| Json::String(text.to_owned())),
        },
    })
}

fn number(text: &str) -> Option<Json> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let radix =
        |prefix: &str, radix| text.strip_prefix(prefix).and_then(|digits| i64::from_str_radix(digits, radix).ok());
    if let Some(value) = radix("0x", 16).or_else(|| radix("0o", 8)) {
        return Some(value.into());
    }
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        || !digits.bytes().all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte))
    {
        return None;
    }
    let whole = text.strip_prefix('+').unwrap_or(text).parse::<i64>().ok().map(Json::from);
    whole.or_else(|| text.parse::<f64>().ok().map(Json::from))
}

fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Formats the events of a node in the notation of the suite, without styles.
fn events(node: &Node, out: &mut String) {
    let escape = |text: &str| {
        text.replace('\\', "\\\\")
            .replace('\n', "\\n")
            .replace('\t', "\\t")
            .replace('\r', "\\r")
            .replace('\u{8}', "\\b")
    };
    match &node.value {
        Value::Scalar(text, _) => out.push_str(&format!("=VAL {}\n", escape(text))),
        Value::List(items) => {
            out.push_str("+SEQ\n");
            items.iter().for_each(|item| events(item, out));
            out.push_str("-SEQ\n");
        }
        Value::Map(entries) => {
            out.push_str("+MAP\n");
            for entry in entries {
                out.push_str(&format!("=VAL {}\n", escape(&entry.key)));
                events(&entry.value, out);
            }
            out.push_str("-MAP\n");
        }
    }
}

/// Returns whether a node has the events of a tree of the suite, ignoring styles.
fn has_events(node: &Node, tree: &str) -> bool {
    let mut found = String::new();
    events(node, &mut found);
    let lines =
        tree.lines().map(str::trim_start).filter(|line| !line[1..].starts_with("STR") && !line[1..].starts_with("DOC"));
    let plain = lines.map(|line| match line.strip_prefix("=VAL ") {
        Some(text) => format!("=VAL {}\n", text.chars().skip(1).collect::<String>()),
        None => format!("{}\n", line.split(' ').next().unwrap_or_default()),
    });
    plain.collect::<String>() == found
}

fn documents(text: &str) -> Vec<Json> {
    serde_json::Deserializer::from_str(text).into_iter().map(|value| value.expect("the suite's JSON is JSON")).collect()
}

/// Parses a case, and checks that its diagnostics have locations.
fn read(case: &Case) -> (Option<Node>, Vec<Diagnostic>) {
    let mut sink = Sink::new();
    let node = parse(0, &case.yaml, &mut sink);
    let output = Output {
        files: None,
        diagnostics: sink.into_sorted(),
        sources: vec![Source::new("case.yaml", case.yaml.as_str())],
    };
    for diagnostic in &output.diagnostics {
        wireform_tests::assert_inside(&output, diagnostic, &case.id);
    }
    assert!(node.is_some() || !output.diagnostics.is_empty(), "{}: rejected without a diagnostic", case.id);
    (node.filter(|_| output.diagnostics.is_empty()), output.diagnostics)
}

#[requires("corpora/yaml-test-suite")]
#[test]
fn a_file_means_what_it_means_to_yaml_or_is_refused() {
    let cases = cases();
    let (mut agreed, mut by_events, mut reasons) = (0, 0, BTreeMap::<String, usize>::new());
    let mut wrong = Vec::new();
    for case in &cases {
        match (read(case), case.fails) {
            ((None, diagnostics), true) => {
                *reasons.entry(format!("invalid, {}", diagnostics[0].code.text())).or_default() += 1
            }
            ((Some(node), _), true) => wrong.push(format!("{}: invalid and accepted as {:?}", case.id, json(&node))),
            ((Some(node), _), false) => match &case.json {
                Some(text)
                    if json(&node).is_some_and(|json| documents(text).first().is_some_and(|one| same(one, &json))) =>
                {
                    agreed += 1
                }
                Some(text) => wrong.push(format!("{}: {:?} is not\n{text}", case.id, json(&node))),
                None if has_events(&node, &case.tree) => by_events += 1,
                None => wrong.push(format!("{}: {node:?} is not\n{}", case.id, case.tree)),
            },
            ((None, diagnostics), false) => {
                let known = REFUSED
                    .iter()
                    .find(|(code, part, _)| diagnostics[0].code == *code && diagnostics[0].message.contains(part));
                match known {
                    Some((code, part, _)) => *reasons.entry(format!("valid, {} {part}", code.text())).or_default() += 1,
                    None => {
                        wrong.push(format!("{}: valid and refused: {}\n{}", case.id, diagnostics[0].message, case.yaml))
                    }
                }
            }
        }
    }
    println!(
        "{} cases: {agreed} agree with the JSON and {by_events} with the events, refused: {reasons:#?}",
        cases.len()
    );
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(agreed > 100, "a parser that rejects everything would pass: {agreed}");
}

/// An unused reason is an error.
#[requires("corpora/yaml-test-suite")]
#[test]
fn every_reason_to_refuse_occurs() {
    let cases = cases();
    let reported: BTreeSet<(Code, String)> =
        cases.iter().flat_map(|case| read(case).1).map(|one| (one.code, one.message)).collect();
    for (code, part, _) in REFUSED {
        let occurs = reported.iter().any(|(reported, message)| reported == code && message.contains(part));
        assert!(occurs, "no case is rejected because of {part}");
    }
}
