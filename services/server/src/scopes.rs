//! Scopes of tokens, of all three APIs.

use anyhow::bail;
use wireform_server::wireform_runtime::operation::{Api, Scope};

use calendar_server::requests::API as CALENDAR;
use mailbox_server::requests::API as MAILBOX;
use script_server::requests::API as SCRIPT;

/// All APIs.
const APIS: [&Api; 3] = [&MAILBOX, &CALENDAR, &SCRIPT];

fn known_scopes() -> impl Iterator<Item = &'static Scope> {
    APIS.into_iter().flat_map(|api| api.scopes).copied()
}

/// Returns the URLs of all scopes.
pub fn all() -> Vec<String> {
    let mut found: Vec<String> = known_scopes().map(|scope| scope.url.name.to_owned()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// Returns the URLs of scopes given by URL or short name; `all` stands for every scope.
///
/// # Errors
/// Returns an error that lists the known scopes if one is unknown.
pub fn parse_scopes(names: &[String]) -> anyhow::Result<Vec<String>> {
    let mut found = Vec::new();
    for name in names {
        if name == "all" {
            return Ok(all());
        }
        let Some(scope) = known_scopes().find(|scope| scope.name == name || scope.url.matches(name)) else {
            bail!("unknown scope `{name}`{}; expected one of: all, {}", suggestion(name), short_names().join(", "));
        };
        if !found.iter().any(|known| known == scope.url.name) {
            found.push(scope.url.name.to_owned());
        }
    }
    Ok(found)
}

/// Returns the short names of scopes, or `all` if all scopes are among them.
pub fn short_scopes(urls: &[String]) -> Vec<&str> {
    if all().iter().all(|url| urls.contains(url)) {
        return vec!["all"];
    }
    let name = |url: &'_ String| known_scopes().find(|scope| scope.url.matches(url)).map(|scope| scope.name);
    urls.iter().map(|url| name(url).unwrap_or(url)).collect()
}

fn short_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = known_scopes().map(|scope| scope.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns the end of a message, `; did you mean …?`, for the most similar short name; empty if none is similar.
fn suggestion(name: &str) -> String {
    let similar = |known: &&&str| (strsim::jaro_winkler(name, known) * 1000.0) as u32;
    let names = short_names();
    let best = names.iter().max_by_key(similar).filter(|best| similar(best) > 800);
    best.map(|best| format!("; did you mean `{best}`?")).unwrap_or_default()
}
