//! Paths compared with RFC 6570 and its tests: a path variable is simple expansion (`{name}`, level 1), one that can
//! contain slashes is reserved expansion (`{+name}`, level 2). The other operators do not expand to paths: `{#name}` is
//! a fragment, which requests do not have, and `{?name}` and `{&name}` are queries, which have their own parameters.

use serde_json::{Map, Value};
use wireform_codegen::diagnostics::Code;
use wireform_codegen::{Options, Source, generate};
use wireform_runtime::naming::AliasedName;
use wireform_runtime::operation::{Api, AuthRequirement, ErrorFields, Operation, Parameter, RoleValues, Segment};
use wireform_runtime::{__private::RequestEncoder, Naming, Request, RequestError, RequestErrorKind};
use wireform_test_data::requires;
use wireform_tests::shared;

const FILES: [&str; 3] = ["spec-examples.json", "spec-examples-by-section.json", "extended-tests.json"];

/// Differences from the RFC: template, value, expansion, reason.
const DEVIATIONS: &[(&str, &str, Result<&str, RequestErrorKind>, &str)] = &[
    ("{+hello}", "Hello World!", Ok("Hello%20World%21"), RESERVED),
    ("{+id}", "admin%2F", Ok("admin%252F"), ENCODED),
    ("{+path}/here", "/foo/bar", Err(RequestErrorKind::InvalidSegment), LEADING),
];

const RESERVED: &str = "a reserved character may mean something to who reads the path: `:` begins a verb";
const ENCODED: &str = "a value is never encoded already, or no value could hold a percent sign and two digits";
const LEADING: &str = "a slash in front makes an empty segment, which servers take for another path";

/// Templates that are invalid or have another meaning in the RFC, and are paths in a schema: the text in braces is the
/// name of a parameter, and wire names can contain these characters.
const NAMES: &[&str] = &["/{default-graph-uri}", "{$var}"];
/// Segments that combine text with a variable.
const OTHER_TEMPLATES: &[&str] = &["'{var}'", "'{count}'", "O{empty}X", "O{undef}X", "{base}index"];

struct Case {
    template: String,
    variables: Map<String, Value>,
    expected: Value,
}

fn cases(file: &str) -> Vec<Case> {
    let text = fs_err::read(shared("corpora/uri-template").join(file)).expect("a file can be read");
    let sections: Map<String, Value> = serde_json::from_slice(&text).expect("JSON");
    let of = |section: &Value| -> Vec<Case> {
        let variables = section["variables"].as_object().expect("variables");
        let tests = section["testcases"].as_array().expect("cases");
        let case = |test: &Value| Case {
            template: test[0].as_str().expect("a template").to_owned(),
            variables: variables.clone(),
            expected: test[1].clone(),
        };
        tests.iter().map(case).collect()
    };
    sections.values().flat_map(of).collect()
}

/// Segment of a template, if a path can have it.
enum Piece<'t> {
    Literal(&'t str),
    Variable { name: &'t str, rest: bool },
}

fn pieces(template: &str) -> Option<Vec<Piece<'_>>> {
    let segment = |text| match inside(text) {
        Some(name) => {
            let (name, rest) = name.strip_prefix('+').map_or((name, false), |name| (name, true));
            let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            is_name.then_some(Piece::Variable { name, rest })
        }
        None => text.bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(Piece::Literal(text)),
    };
    template.split('/').map(segment).collect()
}

fn inside(text: &str) -> Option<&str> {
    text.strip_prefix('{')?.strip_suffix('}')
}

static API: Api = Api {
    name: "paths",
    version: "v1",
    root_url: None,
    base_path: AliasedName::new(""),
    endpoints: &[],
    batch: None,
    unimplemented: &[],
    scopes: &[],
    standard_parameters: &[],
    role_values: RoleValues::STANDARD,
    errors: ErrorFields::NONE,
};

const PARAMETERS: &[Parameter] = &[Parameter::path("value")];

const fn operation(path: &'static [Segment]) -> Operation {
    Operation {
        name: "get",
        method: "GET",
        path,
        verb: None,
        parameters: PARAMETERS,
        scopes: AuthRequirement::None,
        api_key: false,
        safe: true,
        idempotent: true,
        cost: 1,
    }
}

/// Request whose path is one variable.
#[derive(Clone, Debug)]
struct Expand<const REST: bool>(String);

impl<const REST: bool> Request for Expand<REST> {
    const API: &'static Api = &API;
    const OPERATION: &'static Operation =
        if REST { &operation(&[Segment::CatchAll("value")]) } else { &operation(&[Segment::Variable("value")]) };
    type Response = ();
    type ErrorBody = ();

    fn write(&self, parts: &mut RequestEncoder) {
        parts.parameter(&self.0);
    }
}

/// Expands a path, and returns it without its first slash.
fn expand(pieces: &[Piece<'_>], variables: &Map<String, Value>) -> Result<String, RequestError> {
    let segment = |segment: &Piece<'_>| match *segment {
        Piece::Literal(text) => Ok(text.to_owned()),
        Piece::Variable { name, rest } => {
            let value = variables[name].as_str().expect("a text").to_owned();
            let target = if rest {
                Expand::<true>(value).to_wire(Naming::Specification)
            } else {
                Expand::<false>(value).to_wire(Naming::Specification)
            };
            Ok(target?.target.strip_prefix('/').expect("a path").to_owned())
        }
    };
    Ok(pieces.iter().map(segment).collect::<Result<Vec<_>, _>>()?.join("/"))
}

#[requires("corpora/uri-template")]
#[test]
fn paths_expand_as_the_templates_do() {
    let (mut same, mut different) = (0, Vec::new());
    for file in FILES {
        for Case { template, variables, expected } in cases(file) {
            let Some(pieces) = pieces(&template) else { continue };
            let values: Vec<&Value> = pieces
                .iter()
                .filter_map(
                    |segment| if let Piece::Variable { name, .. } = segment { variables.get(*name) } else { None },
                )
                .collect();
            // Lists and maps in a path are of level 4.
            let (true, Some(value)) = (values.iter().all(|value| value.is_string()), values.first()) else { continue };
            let expanded = expand(&pieces, &variables);
            if expanded.as_deref().ok() == expected.as_str() {
                same += 1;
                continue;
            }
            let known = DEVIATIONS
                .iter()
                .find(|(known, of, ..)| *known == template && value.as_str() == Some(*of))
                .unwrap_or_else(|| panic!("{file}: {template} of {value} is {expanded:?}, not {expected}"));
            assert_eq!(
                expanded.map_err(|error| error.kind),
                known.2.clone().map(str::to_owned),
                "{template}: {}",
                known.3
            );
            different.push(known.0);
        }
    }
    different.sort_unstable();
    different.dedup();
    println!("{same} expansions are the same");
    assert!(same >= 12, "{same}");
    assert_eq!(different, DEVIATIONS.iter().map(|(template, ..)| *template).collect::<Vec<_>>());
}

/// Returns whether a template can be the path of an operation in a schema.
fn is_path(template: &str) -> bool {
    let line = format!("GET /{}", template.strip_prefix('/').unwrap_or(template));
    let line = serde_json::to_string(&line).expect("text is JSON");
    let schema = format!("api: paths\nversion: v1\noperations:\n  get:\n    doc: Gets.\n    http: {line}\n");
    let output = generate(&[Source::from_bytes("api.yaml", schema.as_bytes())], &Options::default());
    let refused = output.diagnostics.iter().any(|diagnostic| diagnostic.code == Code::BadHttp);
    // A variable without a parameter is another error.
    assert!(!output.diagnostics.is_empty() || !template.contains('{'), "{template} is not checked");
    !refused
}

#[requires("corpora/uri-template")]
#[test]
fn a_schema_has_the_templates_that_make_a_path() {
    let (mut paths, mut others) = (0, 0);
    for file in FILES {
        for Case { template, .. } in cases(file) {
            let pieces = pieces(template.strip_prefix('/').unwrap_or(&template));
            let expected = pieces.is_some() || NAMES.iter().chain(OTHER_TEMPLATES).any(|known| *known == template);
            assert_eq!(is_path(&template), expected, "{file}: {template}");
            if expected { paths += 1 } else { others += 1 }
        }
    }
    println!("{paths} templates are paths, {others} are not");
    assert!(paths >= 20 && others >= 195, "{paths} {others}");
}

#[requires("corpora/uri-template")]
#[test]
fn a_schema_has_no_template_that_is_wrong() {
    for Case { template, expected, .. } in cases("negative-tests.json") {
        assert_eq!(expected, Value::Bool(false), "{template}");
        assert_eq!(is_path(&template), NAMES.contains(&template.as_str()), "{template}");
    }
}
