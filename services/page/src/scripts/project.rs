//! Page of a project: files, runnable functions, versions, deployments and metrics.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::Response;
use http::StatusCode;
use jiff::tz::TimeZone;
use script_types::{
    Content, Deployment, EntryPoint, File, FileType, ListDeploymentsResponse, ListVersionsResponse, Metrics, Project,
};

use super::highlight::{Language, highlight};
use super::{local_time, operation, plot, project_parameter};
use crate::assets;
use crate::browse::{BrowsePages, Failure, decode, primary_time_zone};
use crate::html::{AllowedResources, Escaped, Section, json, page};
use crate::link::Link;
use crate::services::Services;

/// Maximum number of bytes of a file that is highlighted.
const MAX_HIGHLIGHTED: usize = 200_000;
/// Maximum number of bytes of a file that is shown at all.
const MAX_SHOWN: usize = 2_000_000;

/// `GET /scripts/project`.
pub(super) async fn show<O: Services>(State(pages): State<Arc<BrowsePages<O>>>, request: Request) -> Response {
    match render(&pages, request).await {
        Ok(response) => response,
        Err(failure) => failure.into_page(Section::Scripts, "Project"),
    }
}

/// Renders the page of a project.
async fn render<O: Services>(pages: &BrowsePages<O>, request: Request) -> Result<Response, Failure> {
    let parameters = pages.admit(request)?;
    let _turn = pages.render_permit().await;
    let id = project_parameter(&parameters)?;
    let (people, person) = pages.people(parameters.get("user")).await?;
    let user = people.get(person).map_or("", |person| &person.address);
    let body = pages.get_text(user, &operation(id).with("prettyPrint", true)).await?;
    let project: Project = decode(&body)?;
    let content: Content = pages.get(user, &operation(id).plain_segment("content")).await?;
    let versions: ListVersionsResponse = pages.get(user, &operation(id).plain_segment("versions")).await?;
    let deployments: ListDeploymentsResponse = pages.get(user, &operation(id).plain_segment("deployments")).await?;
    let daily = operation(id).plain_segment("metrics").with("metricsGranularity", "DAILY");
    let metrics: Option<Metrics> = match pages.get(user, &daily).await {
        Ok(metrics) => Some(metrics),
        // Only users who can change the project may read them.
        Err(Failure::Api { status: StatusCode::FORBIDDEN, .. }) => None,
        Err(failure) => return Err(failure),
    };
    let visible = pages.page.source.projects(user).await.map_err(Failure::Unavailable)?;
    let is_owner = visible.iter().any(|project| project.id == id && project.role == "owner");
    let zone = primary_time_zone(pages, user).await?;

    let title = project.title.as_deref().filter(|title| !title.is_empty()).unwrap_or("Untitled");
    let mut html = page_head(title, user, id);
    let _ = writeln!(html, "<p><small>Changed {}</small></p>", local_time(project.update_time.as_ref(), &zone));
    // For others `scripts.run` runs the deployed code and not these files.
    if is_owner {
        write_runner(&mut html, &content.files, user, id);
    }
    write_files(&mut html, &content.files);
    self::write_versions(&mut html, &versions, &zone);
    self::write_deployments(&mut html, &deployments.deployments, &zone);
    if let Some(metrics) = metrics {
        let _ = writeln!(html, "<section><h2>Executions</h2>\n{}</section>", plot::plot(&metrics));
    }
    html.push_str(&json("As the API returns it", &String::from_utf8_lossy(&body)));
    let loads = AllowedResources::Browse { style: "", frames: false };
    Ok(page(
        StatusCode::OK,
        Some(Section::Scripts),
        title,
        loads,
        &assets::head(assets::SCRIPTS_STYLE, assets::SCRIPTS_SCRIPT),
        &html,
    ))
}

/// Returns the title of the page, with links back and to the executions.
fn page_head(title: &str, user: &str, id: &str) -> String {
    let back = Link::new("/scripts").with("user", user);
    let executions = Link::new("/scripts/executions").with("user", user).with("id", id);
    format!(
        "<p class=\"back\"><a href=\"{back}\">‹ The projects</a></p>\n<div class=\"bar\"><h1><bdi>{}</bdi></h1>\
         <nav class=\"steps\"><a href=\"{executions}\">Executions</a></nav></div>\n",
        Escaped(title)
    )
}

/// Writes the form that runs a function. It requires scripts, because the response is shown on the page.
fn write_runner(html: &mut String, files: &[File], user: &str, id: &str) {
    let functions: Vec<_> = files
        .iter()
        .filter_map(|file| file.function_set.as_ref())
        .flat_map(|set| &set.values)
        .filter(|function| function.name.as_deref().is_some_and(|name| !name.ends_with('_')))
        .collect();
    if functions.is_empty() {
        return;
    }
    let _ = writeln!(
        html,
        "<form id=\"runner\" class=\"choice\" data-user=\"{}\" data-id=\"{}\" hidden>\n<label>Function <select \
         name=\"function\">",
        Escaped(user),
        Escaped(id)
    );
    for function in functions {
        let name = function.name.as_deref().unwrap_or_default();
        let parameters = function.parameters.join(", ");
        let _ =
            writeln!(html, "<option value=\"{}\">{}({})</option>", Escaped(name), Escaped(name), Escaped(parameters));
    }
    html.push_str(
        "</select></label>\n<label>Parameters <input name=\"parameters\" placeholder=\"[&quot;text&quot;, 1]\" \
         title=\"A JSON array\"></label>\n<button>Run</button>\n</form>\n<output id=\"outcome\" role=\"status\" hidden>\
         </output>\n<div id=\"console\" hidden></div>\n<noscript><p role=\"note\">Functions can be run here where scripts are allowed.</p></noscript>\n",
    );
}

fn write_files(html: &mut String, files: &[File]) {
    html.push_str("<section><h2>Files</h2>\n");
    let opened = files.iter().position(|file| file.r#type == Some(FileType::ServerJs)).unwrap_or_default();
    for (place, file) in files.iter().enumerate() {
        let source = file.source.as_deref().unwrap_or_default();
        let (end, language) = match &file.r#type {
            Some(FileType::Html) => (".html", Language::Html),
            Some(FileType::Json) => (".json", Language::Json),
            _ => (".js", Language::JavaScript),
        };
        let name = format!("{}{end}", file.name.as_deref().unwrap_or_default());
        let text = if source.len() <= MAX_HIGHLIGHTED {
            highlight(source, language)
        } else if source.len() <= MAX_SHOWN {
            Escaped(source).to_string()
        } else {
            "The file is too long to be shown.".to_owned()
        };
        let open = if place == opened { " open" } else { "" };
        let _ = writeln!(
            html,
            "<details class=\"file\"{open}><summary><bdi>{}</bdi> <small>{}</small></summary>\n\
             <div class=\"code\"><button type=\"button\" data-copies hidden>Copy</button><pre tabindex=\"0\">{text}</pre>\
             </div></details>",
            Escaped(name),
            line_count(source)
        );
    }
    html.push_str("</section>\n");
}

/// Returns the number of lines of a file in words.
fn line_count(source: &str) -> String {
    match source.lines().count() {
        1 => "1 line".to_owned(),
        count => format!("{count} lines"),
    }
}

fn write_versions(html: &mut String, list: &ListVersionsResponse, zone: &TimeZone) {
    html.push_str("<section><h2>Versions</h2>\n");
    if list.versions.is_empty() {
        html.push_str("<p class=\"nothing\">There are none.</p>\n");
    }
    html.push_str("<ol class=\"versions\">\n");
    for version in &list.versions {
        let _ = writeln!(
            html,
            "<li><b>{}</b> <bdi>{}</bdi> <small>{}</small></li>",
            version.version_number.unwrap_or_default(),
            Escaped(version.description.as_deref().unwrap_or_default()),
            local_time(version.create_time.as_ref(), zone)
        );
    }
    html.push_str("</ol>\n");
    if list.next_page_token.is_some() {
        html.push_str("<p role=\"note\">There are older ones.</p>\n");
    }
    html.push_str("</section>\n");
}

fn write_deployments(html: &mut String, deployments: &[Deployment], zone: &TimeZone) {
    html.push_str("<section><h2>Deployments</h2>\n<ul class=\"deployments\">\n");
    for deployment in deployments {
        let config = deployment.deployment_config.clone().unwrap_or_default();
        let version = match config.version_number {
            Some(number) => format!("version {number}"),
            None => "the present content".to_owned(),
        };
        let _ = writeln!(
            html,
            "<li><bdi>{}</bdi> <small>{version}, {}</small><br><code>{}</code>",
            Escaped(config.description.as_deref().unwrap_or("Deployment")),
            local_time(deployment.update_time.as_ref(), zone),
            Escaped(deployment.deployment_id.as_deref().unwrap_or_default())
        );
        for entry in &deployment.entry_points {
            write_entry_point(html, entry);
        }
        html.push_str("</li>\n");
    }
    html.push_str("</ul></section>\n");
}

fn write_entry_point(html: &mut String, entry: &EntryPoint) {
    let kind = entry.entry_point_type.as_ref().map(ToString::to_string).unwrap_or_default();
    let _ = write!(html, "<br><span class=\"kind\">{}</span>", Escaped(kind));
    let url = entry.web_app.as_ref().and_then(|app| app.url.as_deref());
    // A URL with another scheme could do something else when it is followed.
    if let Some(url) = url.filter(|url| url.starts_with("http://") || url.starts_with("https://")) {
        let _ = write!(html, " <a href=\"{}\" rel=\"noreferrer\">{}</a>", Escaped(url), Escaped(url));
    }
}
