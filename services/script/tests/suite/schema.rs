//! Tests that compare the service with its schema.

use script_server::types::ProcessStatus;
use wireform_script::states::source_statuses;

/// The transitions in the schema are those of the service.
#[test]
fn point_67_transitions_are_those_of_the_schema() {
    let all = [
        ProcessStatus::Running,
        ProcessStatus::Paused,
        ProcessStatus::Completed,
        ProcessStatus::Canceled,
        ProcessStatus::Failed,
        ProcessStatus::TimedOut,
        ProcessStatus::Undetermined,
        ProcessStatus::Delayed,
        ProcessStatus::ExecutionDisabled,
    ];
    let mut made: Vec<(String, String)> =
        all.iter().flat_map(|to| source_statuses(to).iter().map(|from| (from.to_string(), to.to_string()))).collect();
    let document: serde_json::Value = serde_json::from_str(script_server::OPENAPI).unwrap();
    let states = &document["components"]["schemas"]["Process"]["x-wireform-states"][0]["transitions"];
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let mut declared: Vec<_> =
        states.as_array().unwrap().iter().map(|step| (text(&step["from"]), text(&step["to"]))).collect();
    made.sort();
    declared.sort();
    assert_eq!(made, declared);
}
