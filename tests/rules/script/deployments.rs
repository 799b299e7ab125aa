//! Rows about deployments, versions, metrics and errors.

use crate::row::{Row, request, response, value};

/// Entry point of a deployment as an add-on.
macro_rules! add_on {
    ($members:literal) => {
        concat!(r#"{"entryPointType":"ADD_ON","addOn":{"#, $members, "}}")
    };
}

// Responses may be partial, so required fields are checked in values by themselves.
pub const ROWS: &[Row] = &[
    value("EntryPoint", "required", "addOn.addOnType")
        .breaks(add_on!(r#""title":"A","postInstallTipUrl":"https://example.com""#))
        .passes(add_on!(r#""addOnType":"MAIL","title":"A","postInstallTipUrl":"https://example.com""#)),
    value("EntryPoint", "required", "addOn.title")
        .breaks(add_on!(r#""addOnType":"MAIL","postInstallTipUrl":"https://example.com""#))
        .passes(add_on!(r#""addOnType":"REPORTING","title":"","postInstallTipUrl":"""#)),
    value("EntryPoint", "required", "addOn.postInstallTipUrl")
        .breaks(add_on!(r#""addOnType":"GMAIL","title":"A""#))
        .passes(add_on!(r#""addOnType":"UNKNOWN_ADDON_TYPE","title":"A","postInstallTipUrl":"https://example.com""#)),
    response("projects.deployments.get", "format", "entryPoints[0].webApp.url")
        .breaks(r#"{"entryPoints":[{"webApp":{"url":"example.com"}}]}"#)
        .passes(r#"{"entryPoints":[{"webApp":{"url":"https://example.com"}}]}"#),
    request("projects.deployments.list", "deployments_list.page_size", "?pageSize")
        .breaks(r#"{"?pageSize":0}"#)
        .passes(r#"{"?pageSize":1}"#),
    request("projects.versions.list", "versions_list.page_size", "?pageSize")
        .breaks(r#"{"?pageSize":-9223372036854775808}"#)
        .passes(r#"{"?pageSize":1}"#),
    request("projects.versions.list", "versions_list.page_size", "?pageSize")
        .breaks(r#"{"?pageSize":0}"#)
        .passes(r#"{"?pageSize":9223372036854775807}"#),
    request("projects.getMetrics", "sendable_value", "?metricsGranularity")
        .breaks(r#"{"?metricsGranularity":"UNSPECIFIED_GRANULARITY"}"#)
        .passes(r#"{"?metricsGranularity":"WEEKLY"}"#),
    request("projects.getMetrics", "known_value", "?metricsGranularity")
        .breaks(r#"{"?metricsGranularity":"MONTHLY"}"#)
        .passes(r#"{"?metricsGranularity":"DAILY"}"#),
    value("Metrics", "required", "activeUsers[0].endTime")
        .breaks(r#"{"activeUsers":[{"startTime":"2026-03-02T10:00:00Z"}]}"#)
        .passes(r#"{"activeUsers":[{"startTime":"2026-03-02T10:00:00Z","endTime":"2026-03-09T10:00:00Z"}]}"#),
    response("projects.getMetrics", "type", "activeUsers[0].value")
        .breaks(
            r#"{"activeUsers":[{"startTime":"2026-03-02T10:00:00Z","endTime":"2026-03-09T10:00:00Z","value":"many"}]}"#,
        )
        .passes(
            r#"{"activeUsers":[{"startTime":"2026-03-02T10:00:00Z","endTime":"2026-03-09T10:00:00Z","value":"9"}]}"#,
        ),
    value("ErrorResponse", "required", "error.code")
        .breaks(r#"{"error":{"message":"A"}}"#)
        .passes(r#"{"error":{"code":404,"message":"A"}}"#),
    value("ErrorResponse", "length", "error.message")
        .breaks(r#"{"error":{"code":404,"message":""}}"#)
        .passes(r#"{"error":{"code":404,"message":"A"}}"#),
];
