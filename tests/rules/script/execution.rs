//! Rows about remote execution.

use crate::row::{Row, request, response};

/// Failed execution with error details.
macro_rules! failed {
    ($details:literal) => {
        concat!(r#"{"done":true,"error":{"code":3,"details":["#, $details, "]}}")
    };
}

pub const ROWS: &[Row] = &[
    request("scripts.run", "required", "function").breaks(r#"{"function":null}"#).passes(r#"{"devMode":true}"#),
    request("scripts.run", "execution_request.bare_function_name", "function")
        .breaks(r#"{"function":"main("}"#)
        .passes(r#"{"function":"Library.libFunction1"}"#),
    request("scripts.run", "execution_request.bare_function_name", "function")
        .breaks(r#"{"function":"main)"}"#)
        .passes(r#"{"function":"$_"}"#),
    request("scripts.run", "execution_request.primitive_parameters", "parameters")
        .breaks(r#"{"parameters":[1,null]}"#)
        .passes(r#"{"parameters":["text",1.5,[null],{"a":null},false]}"#),
    request("scripts.run", "deprecated", "sessionState").warns().breaks(r#"{"sessionState":"a"}"#).passes("{}"),
    // The operation is in exactly one of three states.
    response("scripts.run", "type", "")
        .breaks(r#"{"done":true,"response":{"result":1},"error":{"details":[{}]}}"#)
        .passes(r#"{"done":true,"response":{"result":1}}"#),
    response("scripts.run", "type", "").breaks(r#"{"done":true}"#).passes(r#"{"done":false}"#),
    response("scripts.run", "type", "").breaks(r#"{"done":false,"response":{}}"#).passes(failed!("{}")),
    response("scripts.run", "type", "").breaks(r#"{"error":{"details":[{}]}}"#).passes("{}"),
    response("scripts.run", "items", "error.details").breaks(failed!("{},{}")).passes(failed!("{}")),
    response("scripts.run", "status.has_details", "error.details").breaks(failed!("")).passes(failed!("{}")),
    response("scripts.run", "constant", "response[\"@type\"]")
        .breaks(r#"{"done":true,"response":{"@type":"type.googleapis.com/google.rpc.Status"}}"#)
        .passes(r#"{"done":true,"response":{"@type":"type.googleapis.com/google.apps.script.v1.ExecutionResponse"}}"#),
];
