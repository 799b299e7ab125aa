//! Evaluation of conditions: the conformance cases of the CEL specification, and our own cases about fields. Each is a
//! rule of one schema, and all are compiled as one crate.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use wireform_codegen::diagnostics::Code;
use wireform_codegen::{Options, RuntimeDependency, Source, generate};
use wireform_tests::{Dependencies, Workspace, root};

/// Conformance case.
struct Case {
    name: String,
    expected: String,
    expression: String,
}

fn cases() -> Vec<Case> {
    let mut found = Vec::new();
    let mut files: Vec<_> = fs_err::read_dir(root().join("tests/conformance"))
        .expect("the folder is there")
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "tsv"))
        .collect();
    files.sort();
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if stem == "members" {
            continue;
        }
        let text = fs_err::read_to_string(&file).expect("cases are text");
        for line in text.lines() {
            let mut parts = line.splitn(3, '\t').map(str::to_owned);
            let (Some(name), Some(expected), Some(expression)) = (parts.next(), parts.next(), parts.next()) else {
                panic!("{stem}: invalid case: {line}");
            };
            let expression = expression.replace('␉', "\t").replace('⏎', "\n").replace('␍', "\r");
            found.push(Case { name: format!("{stem}/{name}"), expected, expression });
        }
    }
    found
}

/// Returns conditions that hold if the case has the expected result; for an expected error, conditions without a value,
/// in order of preference.
fn conditions(case: &Case) -> Vec<String> {
    let of = &case.expression;
    match case.expected.split_once(' ').unwrap_or((&case.expected, "")) {
        ("=", "true") => vec![of.clone()],
        ("=", "false") => vec![format!("!({of}\n)")],
        ("=", "nan") => vec![format!("isNan({of}\n)")],
        ("=", "inf") => vec![format!("isInf(({of}\n), 1)")],
        ("=", "-inf") => vec![format!("isInf(({of}\n), -1)")],
        ("=", value) => vec![format!("({of}\n) == {value}")],
        ("!", _) => vec![of.clone(), format!("({of}\n) == ({of}\n)")],
        _ => Vec::new(),
    }
}

/// Formats a rule on one line.
fn rule(id: &str, condition: &str) -> String {
    // YAML accepts the escapes of JSON, and this character only escaped.
    let text = serde_json::to_string(condition).expect("a text is JSON").replace('\u{7f}', "\\x7f");
    format!("      - {{ id: {id}, cel: {text}, message: it does not hold }}\n")
}

const HEAD: &str = "api: conformance\nresources:\n  Nothing:\n    doc: Nothing.\n    external: true\n    rules:\n";

/// Returns the diagnostics of conditions that the generator rejects, by index.
fn rejected_conditions(conditions: &[String]) -> BTreeMap<usize, String> {
    let mut text = HEAD.to_owned();
    for (index, condition) in conditions.iter().enumerate() {
        text.push_str(&rule(&format!("rule_{index}"), condition));
    }
    let output = generate(&[Source::new("api.yaml", text)], &Options::default());
    let mut found = BTreeMap::new();
    // Cases with literals only are constant; these warnings are ignored.
    let messages = output.diagnostics.iter().filter(|one| one.code != Code::ConstantCondition);
    for one in messages {
        let (line, _) = one.line_column(&output.sources);
        let index = line - 1 - HEAD.lines().count();
        found.entry(index).or_insert_with(|| format!("{} {}", one.code.text(), one.message));
    }
    found
}

/// Returns the cases that are valid rules, with their ids and expected results, and the reasons why others are not.
fn classify_cases() -> (Vec<(String, String, bool)>, String) {
    let cases = cases();
    // A case without a condition counts as valid.
    let or_true = |condition: Option<&String>| condition.map_or("true", String::as_str).to_owned();
    let first: Vec<String> = cases.iter().map(|case| or_true(conditions(case).first())).collect();
    let second: Vec<String> = cases.iter().map(|case| or_true(conditions(case).last())).collect();
    let (refused_first, refused_second) = (rejected_conditions(&first), rejected_conditions(&second));
    let (mut rules, mut rest) = (Vec::new(), String::new());
    for (index, case) in cases.iter().enumerate() {
        let is_error = case.expected == "!";
        let why = match case.expected.strip_prefix("? ") {
            Some("variables") => Some("a variable of the test's own".to_owned()),
            Some(what) => Some(format!("a value that conditions do not have: {what}")),
            None => None,
        };
        let condition = match (&why, refused_first.get(&index), refused_second.get(&index)) {
            (Some(_), ..) => None,
            (None, None, _) => Some(&first[index]),
            (None, Some(_), None) => Some(&second[index]),
            _ => None,
        };
        match condition {
            Some(condition) => rules.push((case.name.clone(), condition.clone(), is_error)),
            None => {
                let why = why.or_else(|| refused_first.get(&index).cloned()).unwrap_or_default();
                let formatted: String = case.expression.escape_debug().to_string().chars().take(80).collect();
                let _ = writeln!(rest, "{}: {why}\n    {formatted}", case.name);
            }
        }
    }
    (rules, rest)
}

/// Returns the cases about fields: the expected result, the JSON, the condition.
fn members() -> Vec<(String, String, String)> {
    let text = fs_err::read_to_string(root().join("tests/conformance/members.tsv")).expect("cases are text");
    text.lines()
        .map(|line| {
            let parts: Vec<&str> = line.splitn(3, '\t').collect();
            let [expected, json, condition] = parts[..] else { panic!("invalid case: {line}") };
            (expected.to_owned(), json.to_owned(), condition.to_owned())
        })
        .collect()
}

/// Returns the test of the crate, which compares the result of each rule with the expected one.
fn test_file(rules: &[(String, String, bool)], members: &[(String, String, String)]) -> String {
    let mut text = String::from(
        "//! Verdicts of all cases.\n\n\
         use conformance_validation::runtime::{Constraint, Validates as _, ValidationContext};\n\
         use conformance_validation::types::runtime::json;\n\
         use conformance_validation::types::{Nothing, Sample};\nuse conformance_validation::Rules;\n\n\
         type Verdicts = std::collections::BTreeMap<String, bool>;\n\n\
         /// The rules that do not hold; true for those without a value.\n\
         fn verdicts<T>(value: &T) -> Verdicts\nwhere\n    Rules: conformance_validation::runtime::Validates<T>,\n{\n\
         \x20   match Rules.validate(value, ValidationContext::VALUE.with_max_violations(100_000)) {\n\
         \x20       Ok(_) => Verdicts::new(),\n\
         \x20       Err(violations) => violations\n            .iter()\n            .map(|one| (one.rule.to_owned(), \
         matches!(one.constraint, Some(Constraint::NotEvaluated(_)))))\n            .collect(),\n    }\n}\n\n",
    );
    text.push_str("const PUBLISHED: &[(&str, &str, bool)] = &[\n");
    for (index, (name, condition, is_error)) in rules.iter().enumerate() {
        let _ = writeln!(text, "    (\"rule_{index}\", {:?}, {is_error}),", format!("{name}: {condition}"));
    }
    text.push_str("];\n\nconst MEMBERS: &[(&str, &str, &str)] = &[\n");
    for (expected, json, condition) in members {
        let _ = writeln!(text, "    ({expected:?}, {json:?}, {condition:?}),");
    }
    text.push_str(
        "];\n\n#[test]\nfn published_cases() {\n    let verdicts = verdicts(&Nothing::default());\n    \
         let mut wrong = Vec::new();\n    for (id, case, is_error) in PUBLISHED {\n        \
         let expected = is_error.then_some(true);\n        if verdicts.get(*id).copied() != expected {\n            \
         wrong.push(format!(\"{case}: {:?}\", verdicts.get(*id)));\n        }\n    }\n    \
         assert!(wrong.is_empty(), \"{}\", wrong.join(\"\\n\"));\n}\n\n\
         #[test]\nfn members() {\n    let mut wrong = Vec::new();\n    \
         for (index, (expected, text, condition)) in MEMBERS.iter().enumerate() {\n        \
         let sample: Sample = json::from_str(text).expect(\"a sample\");\n        \
         let found = match verdicts(&sample).get(&format!(\"member_{index}\")) {\n            None => \"true\",\n            \
         Some(false) => \"false\",\n            Some(true) => \"fault\",\n        };\n        \
         let expected = if *expected == \"skipped\" { \"true\" } else { expected };\n        \
         if found != expected {\n            wrong.push(format!(\"{text} {condition}: {found}\"));\n        }\n    }\n    \
         assert!(wrong.is_empty(), \"{}\", wrong.join(\"\\n\"));\n}\n",
    );
    // A condition with quadratic time would not finish.
    text.push_str(
        "\n#[test]\nfn long_lists() {\n    let mut sample = Sample::default();\n    \
         sample.tags = (0..100_000).map(|number| number.to_string()).collect();\n    \
         sample.more = sample.tags.clone();\n    sample.numbers = (0..100_000).collect();\n    \
         sample.large = (0..100_000).collect();\n    assert!(!verdicts(&sample).is_empty());\n}\n",
    );
    text
}

#[test]
fn conditions_evaluate_to_what_the_specification_says() {
    let (rules, rest) = classify_cases();
    let members = members();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path(root().join("tests/conformance"));
    let count = format!("{} cases are rules, {} are not:\n\n", rules.len(), rest.lines().count() / 2);
    settings.bind(|| insta::assert_snapshot!("not-applicable", count + &rest.replace("\n    ", "  ")));

    let mut api = HEAD.to_owned();
    for (index, (_, condition, _)) in rules.iter().enumerate() {
        api.push_str(&rule(&format!("rule_{index}"), condition));
    }
    let sample = fs_err::read_to_string(root().join("tests/conformance/sample.yaml")).expect("the schema is there");
    let (before, after) = sample.split_once("  Part:\n").expect("the sections follow the sample");
    let mut written = format!("{before}    rules:\n");
    for (index, (_, _, condition)) in members.iter().enumerate() {
        written.push_str(&rule(&format!("member_{index}"), condition));
    }
    let written = format!("{written}  Part:\n{after}");
    let runtime = root().join("runtime").to_string_lossy().replace('\\', "/");
    let options = Options { runtime: RuntimeDependency::Path(runtime), ..Options::default() };
    let output = generate(&[Source::new("api.yaml", api), Source::new("sample.yaml", written)], &options);
    let messages: Vec<String> = output.diagnostics.iter().map(|one| one.render(&output.sources, false)).collect();
    let mut files = output.files.unwrap_or_else(|| panic!("{}", messages.join("\n\n")));
    files.insert("conformance-validation/tests/verdicts.rs".into(), test_file(&rules, &members));
    compile_and_run(files);
}

/// Compiles a crate with its types in a separate folder and runs its test, reusing artifacts of other cases.
fn compile_and_run(mut files: BTreeMap<String, String>) {
    files.retain(|path, _| !path.starts_with("conformance-client/"));
    let members = ["conformance-types", "conformance-validation"];
    let workspace = Workspace::new(root().join("target/conformance"), members, Dependencies::Generated);
    workspace.write(&files);
    let done = workspace.cargo("test", &["conformance-validation"], &["--test", "verdicts"]);
    let (out, err) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{out}\n{err}");
}
