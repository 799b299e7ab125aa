//! One call, handwritten.

use serde::Deserialize;

#[allow(dead_code)]
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Project {
    script_id: Option<String>,
    title: Option<String>,
    parent_id: Option<String>,
    create_time: Option<String>,
    update_time: Option<String>,
    creator: Option<User>,
    last_modify_user: Option<User>,
}

#[allow(dead_code)]
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct User {
    domain: Option<String>,
    email: Option<String>,
    name: Option<String>,
    photo_url: Option<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let client = reqwest::Client::builder().build()?;
        let request = client.get("https://script.googleapis.com/v1/projects/id").bearer_auth("token");
        let body = request.send().await?.error_for_status()?.bytes().await?;
        let project: Project = serde_json::from_slice(&body)?;
        println!("{}", project.title.as_deref().unwrap_or_default());
        Ok(())
    })
}
