//! Rules of script projects.

mod deployments;
mod execution;
mod files;
mod manifest;
mod processes;

use script_validation::Rules;
use script_validation::operation;
use script_validation::requests::{
    ProcessesList, ProcessesListScriptProcesses, ProjectsDeploymentsList, ProjectsGetMetrics, ProjectsUpdateContent,
    ProjectsVersionsList, ScriptsRun,
};
use script_validation::types::{
    Content, Deployment, EntryPoint, ErrorResponse, ListUserProcessesResponse, Manifest, Metrics, MetricsGranularity,
    Operation, Project,
};
use serde_json::{Value, json};
use wireform_validation::ValidationContext;

use crate::build_request;
use crate::row::{ReportedViolation, Row, RowValue, Side, violations_of_request, violations_of_value};

pub const ROWS: &[&[Row]] = &[deployments::ROWS, execution::ROWS, files::ROWS, manifest::ROWS, processes::ROWS];

/// Returns the base value that a row is merged into.
fn base_value(row: &Row) -> Value {
    match (row.side, row.of) {
        (Side::Request, "projects.updateContent") => json!({ "files": [{ "name": "manifest", "type": "JSON" }] }),
        (Side::Request, "scripts.run") => json!({ "function": "main" }),
        _ => json!({}),
    }
}

/// Returns the violations of a value of a row.
pub fn check(row: &Row, text: &str) -> Vec<ReportedViolation> {
    let given = RowValue::new(base_value(row), text);
    match row.side {
        Side::Request => check_request(row, given),
        Side::Response => response(row, &given),
        Side::Value => match row.of {
            "ErrorResponse" => violations_of_value::<ErrorResponse, _>(&Rules, ValidationContext::VALUE, &given),
            "EntryPoint" => violations_of_value::<EntryPoint, _>(&Rules, ValidationContext::VALUE, &given),
            "Manifest" => violations_of_value::<Manifest, _>(&Rules, ValidationContext::VALUE, &given),
            "Metrics" => violations_of_value::<Metrics, _>(&Rules, ValidationContext::VALUE, &given),
            "Content" => violations_of_value::<Content, _>(&Rules, ValidationContext::VALUE, &given),
            other => panic!("unexpected value of {other}"),
        },
    }
}

fn check_request(row: &Row, mut given: RowValue) -> Vec<ReportedViolation> {
    match row.of {
        "projects.updateContent" => violations_of_request(
            &Rules,
            &build_request!(given, ProjectsUpdateContent::new("script", given.body())),
            None,
        ),
        "projects.getMetrics" => {
            let request = build_request!(
                given, ProjectsGetMetrics::new("script", MetricsGranularity::Daily),
                metrics_granularity: "metricsGranularity",
            );
            violations_of_request(&Rules, &request, None)
        }
        "projects.deployments.list" => {
            let request = build_request!(given, ProjectsDeploymentsList::new("script"), page_size: "pageSize");
            violations_of_request(&Rules, &request, None)
        }
        "projects.versions.list" => {
            let request = build_request!(given, ProjectsVersionsList::new("script"), page_size: "pageSize");
            violations_of_request(&Rules, &request, None)
        }
        "scripts.run" => {
            violations_of_request(&Rules, &build_request!(given, ScriptsRun::new("script", given.body())), None)
        }
        "processes.list" => {
            let request = build_request!(
                given, ProcessesList::new(),
                page_size: "pageSize", start_time: "startTime", end_time: "endTime", statuses: "statuses",
            );
            violations_of_request(&Rules, &request, None)
        }
        "processes.listScriptProcesses" => {
            let request = build_request!(
                given, ProcessesListScriptProcesses::new("script"),
                page_size: "pageSize", start_time: "startTime", end_time: "endTime",
            );
            violations_of_request(&Rules, &request, None)
        }
        other => panic!("unexpected request of {other}"),
    }
}

fn response(row: &Row, given: &RowValue) -> Vec<ReportedViolation> {
    use script_validation::operation::{
        PROCESSES_LIST, PROJECTS_DEPLOYMENTS_GET, PROJECTS_GET, PROJECTS_GET_CONTENT, PROJECTS_GET_METRICS, SCRIPTS_RUN,
    };

    let context = operation::response;
    match row.of {
        "scripts.run" => violations_of_value::<Operation, _>(&Rules, context(SCRIPTS_RUN), given),
        "projects.get" => violations_of_value::<Project, _>(&Rules, context(PROJECTS_GET), given),
        "projects.getContent" => violations_of_value::<Content, _>(&Rules, context(PROJECTS_GET_CONTENT), given),
        "projects.getMetrics" => violations_of_value::<Metrics, _>(&Rules, context(PROJECTS_GET_METRICS), given),
        "projects.deployments.get" => {
            violations_of_value::<Deployment, _>(&Rules, context(PROJECTS_DEPLOYMENTS_GET), given)
        }
        "processes.list" => violations_of_value::<ListUserProcessesResponse, _>(&Rules, context(PROCESSES_LIST), given),
        other => panic!("unexpected response of {other}"),
    }
}
