//! Preparation of attacks through the API: their events and projects, and the requests that they send.

use anyhow::Context as _;
use calendar_client::types::{Attendee, Event, EventDateTime};
use script_client::types::{Content, CreateProjectRequest, Deployment, DeploymentConfig, File, FileType, Version};
use serde_json::json;
use tokio::task::JoinSet;

use super::Attack;
use super::connection::head;
use crate::server::Server;

/// Events of 400 KiB: a list of all has 41 MB.
const EVENTS: u32 = 100;
/// Series that never have an instance.
const SERIES: u32 = 3_000;
/// Concurrent inserts.
const INSERTS: u32 = 8;
/// Bytes of a result, a page, or the files of a project.
const BYTES: usize = 9_000_000;
/// Libraries of a manifest.
const LIBRARIES: usize = 1_000_000;
/// Functions of the attacking project.
const CODE: &str = "function large() { return 'x'.repeat(9000000) }\n\
    function sleep() { Utilities.sleep(30000) }\n\
    function one() { return 1 }\n\
    function doGet() { return ContentService.createTextOutput(large()) }";
/// Manifest of that project.
const MANIFEST: &str = r#"{"timeZone":"UTC","executionApi":{"access":"ANYONE"},"webapp":{"access":"ANYONE_ANONYMOUS","executeAs":"USER_DEPLOYING"}}"#;

/// Prepared attack.
#[derive(Default)]
pub struct Prepared {
    /// Requests of the attackers.
    pub requests: Vec<String>,
    /// Project that honest clients may run.
    pub project: Option<String>,
}

/// Prepares an attack on a server as its ready user.
pub async fn prepare(attack: Attack, server: &Server) -> anyhow::Result<Prepared> {
    let token = Some(server.token.as_str());
    let get = |target: &str| head("GET", target, token, "\r\n");
    let requests = match attack {
        Attack::Lists => {
            insert_events(server, EVENTS, large_event).await?;
            let path = "/calendar/v3/calendars/primary/events?maxResults=2500";
            vec![get(path), get(&format!("{path}&singleEvents=true&orderBy=startTime"))]
        }
        Attack::Series => {
            insert_events(server, SERIES, endless_search).await?;
            vec![close("GET", "/calendar/v3/calendars/primary/events?singleEvents=true&maxResults=250", token, "")]
        }
        Attack::Runs | Attack::Sleepers => {
            let (project, _) = create_project(server).await?;
            let function = if attack == Attack::Runs { "large" } else { "sleep" };
            let body = json!({ "function": function }).to_string();
            let requests = vec![close("POST", &format!("/v1/scripts/{project}:run"), token, &body)];
            return Ok(Prepared { requests, project: Some(project) });
        }
        Attack::Pages => {
            let (_, deployment) = create_project(server).await?;
            vec![head("GET", &format!("/macros/s/{deployment}/exec"), None, "\r\n")]
        }
        Attack::Content => {
            let (project, _) = create_project(server).await?;
            // A page, since a script of this size is parsed when it is saved.
            let files = [file("Page", FileType::Html, "x".repeat(BYTES)), manifest(MANIFEST.into())];
            server.scripts()?.projects().update_content(&*project, Content::default().with_files(files)).send().await?;
            vec![get(&format!("/v1/projects/{project}/content"))]
        }
        Attack::Manifest => {
            let (project, _) = create_project(server).await?;
            let libraries = vec![r#"{"a":1}"#; LIBRARIES].join(",");
            let source = format!(r#"{{"dependencies":{{"libraries":[{libraries}]}}}}"#);
            let body = json!({ "files": [{ "name": "manifest", "type": "JSON", "source": source }] }).to_string();
            vec![close("PUT", &format!("/v1/projects/{project}/content"), token, &body)]
        }
        _ => Vec::new(),
    };
    Ok(Prepared { requests, project: None })
}

/// Returns a request after whose response the server closes the connection.
fn close(method: &str, target: &str, token: Option<&str>, body: &str) -> String {
    let length = if body.is_empty() {
        String::new()
    } else {
        format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len())
    };
    head(method, target, token, &format!("Connection: close\r\n{length}\r\n{body}"))
}

/// Returns a large event on one of the days of a month.
fn large_event(number: u32) -> Event {
    let guest = Attendee::default().with_email("guest@elsewhere.example").with_comment("x".repeat(400 << 10));
    event(number).with_attendees([guest])
}

/// Returns a series that has no instances: 30 February.
fn endless_search(number: u32) -> Event {
    let second = number % 60;
    event(number).with_recurrence([format!("RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;BYSECOND={second}")])
}

fn event(number: u32) -> Event {
    let day = number % 28 + 1;
    let time = |hour: u32| {
        let time = format!("2026-03-{day:02}T{hour:02}:00:00Z").parse().ok();
        let mut zoned = EventDateTime::default().with_time_zone("UTC");
        zoned.date_time = time;
        zoned
    };
    Event::default().with_summary(format!("Event {number}")).with_start(time(9)).with_end(time(10))
}

/// Inserts events into the calendar of the ready user.
async fn insert_events(server: &Server, count: u32, event: fn(u32) -> Event) -> anyhow::Result<()> {
    let mut tasks = JoinSet::new();
    for first in 0..INSERTS {
        let client = server.calendar()?;
        tasks.spawn(async move {
            for number in (first..count).step_by(INSERTS as usize) {
                client.events().insert("primary", event(number)).send().await?;
            }
            Ok::<_, calendar_client::Error>(())
        });
    }
    while let Some(inserted) = tasks.join_next().await {
        inserted?.context("an event cannot be inserted")?;
    }
    Ok(())
}

/// Creates a project and a deployment of it; returns their identifiers.
async fn create_project(server: &Server) -> anyhow::Result<(String, String)> {
    let client = server.scripts()?;
    let request = CreateProjectRequest::default().with_title("Attack");
    let id = client.projects().create(request).send().await?.script_id.context("a project without an identifier")?;
    let files = [file("Code", FileType::ServerJs, CODE.to_owned()), manifest(MANIFEST.to_owned())];
    client.projects().update_content(&*id, Content::default().with_files(files)).send().await?;
    let version = client.projects().versions().create(&*id, Version::default()).send().await?.version_number;
    let config = DeploymentConfig::default().with_version_number(version.context("a version without a number")?);
    let made: Deployment = client.projects().deployments().create(&*id, config).send().await?;
    Ok((id, made.deployment_id.context("a deployment without an identifier")?))
}

fn file(name: &str, kind: FileType, source: String) -> File {
    File::default().with_name(name).with_type(kind).with_source(source)
}

fn manifest(source: String) -> File {
    file("manifest", FileType::Json, source)
}
