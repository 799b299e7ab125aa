//! Load from another process: wrk with one thread and keep-alive connections.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, ensure};
use fs_err as fs;

/// Repeated request.
pub struct Load<'a> {
    pub method: &'a str,
    pub path: &'a str,
    pub token: Option<&'a str>,
    pub body: Option<&'a str>,
}

/// Runs wrk and returns the requests per second. Every response must be a success.
pub fn run(folder: &Path, address: SocketAddr, load: &Load<'_>, seconds: u32, connections: u32) -> anyhow::Result<f64> {
    let script = folder.join("load.lua");
    fs::write(&script, lua(load))?;
    let output = Command::new("wrk")
        .args(["--threads", "1", "--connections", &connections.to_string(), "--duration", &format!("{seconds}s")])
        .args(["--script".as_ref(), script.as_os_str()])
        .arg(format!("http://{address}{}", load.path))
        .output()
        .context("wrk cannot be started; it is in Debian's package `wrk`")?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "wrk failed: {text}{}", String::from_utf8_lossy(&output.stderr));
    ensure!(!text.contains("Non-2xx") && !text.contains("Socket errors"), "not every response is a success:\n{text}");
    let figure = text.lines().find_map(|line| line.strip_prefix("Requests/sec:")).map(str::trim);
    figure.and_then(|figure| figure.parse().ok()).with_context(|| format!("wrk reports no figure:\n{text}"))
}

fn lua(load: &Load<'_>) -> String {
    let mut script = format!("wrk.method = {:?}\n", load.method);
    if let Some(token) = load.token {
        script.push_str(&format!("wrk.headers[\"Authorization\"] = \"Bearer {token}\"\n"));
    }
    if let Some(body) = load.body {
        // Long brackets of a level that does not occur in JSON texts.
        script.push_str(&format!(
            "wrk.headers[\"Content-Type\"] = \"application/json\"\nwrk.body = [=====[{body}]=====]\n"
        ));
    }
    script
}
