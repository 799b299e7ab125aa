//! The protocol tests of Smithy's restJson1, with crates that are generated from `tests/smithy/schema`: requests that a
//! server must reject, requests that a client encodes and a server decodes, responses that a server encodes and a
//! client decodes. Each is run, or is listed in `tests/smithy/inapplicable.txt` with a reason. Listed tests that pass
//! are reported too, so that the list stays current.

mod corpus;
mod dispatch;
mod judge;
mod listed;
mod project;
mod values;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::LazyLock;

use serde_json::{Value, json};
use wireform_codegen::load;
use wireform_codegen::model::{Api, Operation};
use wireform_test_data::requires;
use wireform_tests::{root, shared, sources};

use self::corpus::{Run, Side};
use self::listed::Listed;
use self::values::Values;

fn folder() -> PathBuf {
    root().join("tests/smithy")
}

/// Schema, and the program built with its crates.
static BUILT: LazyLock<(Api, PathBuf)> = LazyLock::new(|| {
    let folder = folder();
    let api = load(&sources(&folder.join("schema"))).unwrap_or_else(|output| panic!("{:?}", output.diagnostics));
    let runner = project::build(&folder, &api);
    (api, runner)
});

/// Checks the crates without running the protocol tests.
#[test]
fn the_crates_of_the_schema_of_smithy_compile() {
    assert!(BUILT.1.exists());
}

#[requires("corpora/smithy-restjson1")]
#[test]
fn the_protocol_tests_of_smithy_pass_or_are_listed_with_a_reason() {
    let (folder, (api, runner)) = (folder(), &*BUILT);
    let corpus = shared("corpora/smithy-restjson1/cases");
    let runs = corpus::read(&corpus);
    let mut listed = Listed::read(&folder.join("inapplicable.txt"));
    let values = Values::new(api, &folder.join("schema"));
    let (tasks, known): (Vec<Value>, Vec<&Run>) =
        runs.iter().filter_map(|run| Some((task(api, &values, &mut listed, run)?, run))).unzip();
    let done = project::run(runner, &tasks);
    assert_eq!(done.len(), tasks.len(), "every task is done");
    let mut failures: BTreeMap<String, String> = BTreeMap::new();
    let mut passed: BTreeMap<Side, usize> = BTreeMap::new();
    for ((run, task), done) in known.iter().zip(&tasks).zip(&done) {
        match (judge::judge(run, task, done), listed.reason(run)) {
            (Ok(()), None) => *passed.entry(run.side).or_default() += 1,
            (Ok(()), Some(reason)) => {
                failures.insert(run.to_string(), format!("is listed, and passes: {reason}"));
            }
            (Err(_), Some(_)) => {}
            (Err(why), None) => {
                failures.insert(run.to_string(), why);
            }
        }
    }
    let unknown = runs.iter().filter(|run| operation(api, run).is_none() && listed.reason(run).is_none());
    failures.extend(unknown.map(|run| (run.to_string(), format!("`{}` is not in the schema", run.operation))));
    failures.extend(listed.unused().map(|line| (line, "is listed, and nothing is called so".to_owned())));
    println!("of {} runs passed {passed:?}; listed are {:?}", runs.len(), listed.counts());
    let reported: Vec<String> = failures.iter().map(|(run, why)| format!("{run}: {why}")).collect();
    assert!(reported.is_empty(), "{} failures\n{}", reported.len(), reported.join("\n"));
}

fn operation<'a>(api: &'a Api, run: &Run) -> Option<&'a Operation> {
    api.operations.iter().find(|operation| operation.name == run.operation)
}

/// Returns the task for the runner, or `None` if the schema does not have the operation.
fn task(api: &Api, values: &Values<'_>, listed: &mut Listed, run: &Run) -> Option<Value> {
    let operation = operation(api, run)?;
    let mut left_out = |member: &str| listed.leaves_out(&run.operation, member);
    let (mut arguments, mut body, mut response) = (Vec::new(), Value::Null, Value::Null);
    match run.side {
        Side::RequestClient | Side::RequestServer => {
            (arguments, body) = values.request(operation, run.params(), run.has_body(), &mut left_out);
        }
        Side::ResponseClient | Side::ResponseServer => {
            response = values.response(operation, run.params(), &mut left_out);
            body = if operation.body.as_ref().is_some_and(|body| body.required) { json!({}) } else { Value::Null };
        }
        Side::Malformed => {}
    }
    Some(json!({
        "kind": run.side.word(), "operation": run.operation, "arguments": arguments, "body": body,
        "wire": run.wire(), "response": response,
    }))
}
