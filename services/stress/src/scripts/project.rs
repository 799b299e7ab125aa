//! Helpers for projects and runs.

use std::time::{Duration, Instant};

use anyhow::Context as _;
use script_client::Client;
use script_client::types::{Content, CreateProjectRequest, ExecutionRequest, File, FileType, Operation};
use serde_json::Value;

/// Manifest of a project whose functions are run by its owner.
const MANIFEST: &str = r#"{"timeZone":"UTC","executionApi":{"access":"MYSELF"}}"#;

/// Creates a project with a source file and returns its identifier.
pub async fn create(client: &Client, code: &str) -> anyhow::Result<String> {
    let request = CreateProjectRequest::default().with_title("Stress");
    let id = client.projects().create(request).send().await?.script_id.context("a project without an identifier")?;
    save(client, &id, vec![file("Code", code)]).await?;
    Ok(id)
}

/// Returns a source file.
pub fn file(name: &str, source: &str) -> File {
    File::default().with_name(name).with_type(FileType::ServerJs).with_source(source)
}

/// Replaces the content of a project by the files and the manifest.
pub async fn save(client: &Client, id: &str, files: Vec<File>) -> anyhow::Result<()> {
    save_and_return(client, id, files).await.map(drop)
}

/// As `save`; returns the content in the response.
pub async fn save_and_return(client: &Client, id: &str, mut files: Vec<File>) -> anyhow::Result<Content> {
    files.push(File::default().with_name("manifest").with_type(FileType::Json).with_source(MANIFEST));
    Ok(client.projects().update_content(id, Content::default().with_files(files)).send().await?)
}

/// Runs a function of the last saved content; returns its value, or the error message.
pub async fn call(client: &Client, id: &str, function: &str) -> anyhow::Result<Result<Option<Value>, String>> {
    let request = ExecutionRequest::default().with_function(function).with_dev_mode(true);
    Ok(match client.scripts().run(id, request).send().await? {
        Operation::Succeeded(response) => Ok(response.result),
        Operation::Failed(status) => {
            let message = status.details.first().and_then(|error| error.error_message.clone());
            Err(message.or(status.message).unwrap_or_default())
        }
        other => anyhow::bail!("the run is neither a success nor a failure: {other:?}"),
    })
}

/// Returns the median, the minimum and the maximum of durations.
pub fn median_and_range(times: &mut [Duration]) -> (Duration, Duration, Duration) {
    times.sort_unstable();
    let at = |index: usize| times.get(index).copied().unwrap_or_default();
    (at(times.len() / 2), at(0), at(times.len().saturating_sub(1)))
}

/// Measures the duration of an operation.
pub async fn measure_time<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<(T, Duration)> {
    let begun = Instant::now();
    let done = work.await?;
    Ok((done, begun.elapsed()))
}
