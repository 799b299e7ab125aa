//! Checks all crates in one workspace with one run of cargo, and assigns its messages to the rows.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use fs_err as fs;
use serde_json::Value;

use super::Row;
use super::progress::Progress;
use super::work::WorkFolder;

/// Manifest of the workspace.
const WORKSPACE: &str = "\
[workspace]
resolver = \"3\"

[profile.dev]
debug = false

[workspace.metadata]
made-by = \"wireform corpus\"
";

/// Compiler messages about the crates of a row.
#[derive(Default)]
struct Messages {
    first: String,
    count: usize,
}

impl Messages {
    fn text(&self) -> String {
        let more = if self.count > 1 { format!(", and {} more", self.count - 1) } else { String::new() };
        format!("{}{more}", self.first)
    }
}

/// Checks the crates of all rows without problems, warnings included, and returns the duration. Crates with optional
/// groups of operations are also checked with a single group.
pub fn run(work: &WorkFolder, rows: &mut [Row], jobs: usize) -> anyhow::Result<Duration> {
    let start = Instant::now();
    // Index of the row of each crate.
    let mut owners: BTreeMap<String, usize> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.problems.is_empty()) {
        owners.extend(row.api.iter().flat_map(|api| work.crates(api)).map(|path| (path, index)));
    }
    if owners.is_empty() {
        return Ok(start.elapsed());
    }
    prepare(work, owners.keys())?;
    for (index, messages) in check(work, &owners, &["--workspace".to_owned()], jobs)? {
        fail(&mut rows[index], messages.text());
    }
    let alone = optional_groups(work, rows)?;
    if !alone.is_empty() {
        let (owners, arguments) = with_one_group(&owners, &alone);
        for (index, messages) in check(work, &owners, &arguments, jobs)? {
            let group = alone.get(&index).map_or("", |(_, group)| group);
            fail(&mut rows[index], format!("with only the feature `{group}`: {}", messages.text()));
        }
    }
    Ok(start.elapsed())
}

/// Records a problem of the crates of a row; none of its operations counts as generated.
fn fail(row: &mut Row, problem: String) {
    row.problems.push(problem);
    row.generated_operations = 0;
}

/// Returns the rows whose crates have optional groups of operations, with the name of the client crate and one of the
/// groups: the last, which in large APIs is nested within others.
fn optional_groups(work: &WorkFolder, rows: &[Row]) -> anyhow::Result<BTreeMap<usize, (String, String)>> {
    let mut found = BTreeMap::new();
    for (index, row) in rows.iter().enumerate().filter(|(_, row)| row.problems.is_empty()) {
        let Some(client) = row.api.as_ref().map(|api| work.client(api)).filter(|client| client.is_dir()) else {
            continue;
        };
        let manifest = fs::read_to_string(client.join("Cargo.toml"))?;
        let groups = manifest.lines().skip_while(|line| *line != "all-groups = [").skip(1);
        let last = groups.take_while(|line| *line != "]").last();
        let name = client.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        found.extend(last.map(|line| (index, (name, line.trim_matches([' ', '"', ',']).to_owned()))));
    }
    Ok(found)
}

/// Returns the crates that have features for groups, and the arguments of cargo that enable only one of them.
fn with_one_group(
    owners: &BTreeMap<String, usize>,
    alone: &BTreeMap<usize, (String, String)>,
) -> (BTreeMap<String, usize>, Vec<String>) {
    let divided = |(_, row): &(&String, &usize)| alone.contains_key(row);
    let owners: BTreeMap<String, usize> =
        owners.iter().filter(divided).map(|(path, row)| (path.clone(), *row)).collect();
    let mut arguments = vec!["--no-default-features".to_owned()];
    for path in owners.keys() {
        let name = path.rsplit('/').next().unwrap_or(path);
        arguments.extend(["--package".to_owned(), name.to_owned()]);
    }
    for (client, group) in alone.values() {
        let server = client.strip_suffix("-client").map(|api| format!("{api}-server")).unwrap_or_default();
        let features = format!("{client}/{group},{client}/validation,{client}/blocking,{client}/fake,{server}/{group}");
        arguments.extend(["--features".to_owned(), features]);
    }
    (owners, arguments)
}

/// Writes the workspace. Its lock file starts with the repository's versions of the dependencies.
fn prepare<'c>(work: &WorkFolder, crates: impl Iterator<Item = &'c String>) -> anyhow::Result<()> {
    let members: Vec<String> = crates.map(|path| format!("    \"{path}\",\n")).collect();
    let manifest = WORKSPACE.replacen("resolver", &format!("members = [\n{}]\nresolver", members.concat()), 1);
    fs::write(work.dir().join("Cargo.toml"), manifest)?;
    if let Some(lock) = work.locked() {
        fs::copy(lock, work.dir().join("Cargo.lock"))?;
    }
    Ok(())
}

fn check(
    work: &WorkFolder,
    owners: &BTreeMap<String, usize>,
    arguments: &[String],
    jobs: usize,
) -> anyhow::Result<BTreeMap<usize, Messages>> {
    let mut child = cargo(work, arguments, jobs).spawn().context("cannot start cargo")?;
    let mut errors = child.stderr.take().context("cargo has no standard error")?;
    // Read on a thread of its own: cargo blocks when the pipe is full.
    let errors = std::thread::spawn(move || {
        let mut text = Vec::new();
        drop(errors.read_to_end(&mut text));
        String::from_utf8_lossy(&text).into_owned()
    });
    let output = child.stdout.take().context("cargo has no standard output")?;
    let (mut messages, unchecked) = read_messages(BufReader::new(output), work, owners)?;
    let status = child.wait()?;
    let errors = errors.join().unwrap_or_default();
    if !status.success() && messages.is_empty() {
        bail!("cannot check the crates:\n{}", errors.trim_end());
    }
    // A compiler can end without any message, for example when it runs out of memory.
    for (folder, row) in unchecked {
        messages.entry(row).or_insert_with(|| Messages { first: format!("cannot check `{folder}`"), count: 1 });
    }
    Ok(messages)
}

fn cargo(work: &WorkFolder, arguments: &[String], jobs: usize) -> Command {
    // Cargo sets this variable, also where it is not in `PATH`.
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .arg("check")
        .args(arguments)
        .args(["--keep-going", "--quiet", "--message-format", "json", "--jobs"])
        .arg(jobs.to_string())
        .arg("--target-dir")
        .arg(work.target())
        .current_dir(work.dir())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    cargo
}

/// Returns the messages of each row, and the crates that were not checked, with their rows.
fn read_messages(
    output: impl BufRead,
    work: &WorkFolder,
    owners: &BTreeMap<String, usize>,
) -> anyhow::Result<(BTreeMap<usize, Messages>, BTreeMap<String, usize>)> {
    let progress = Progress::new("crates checked", owners.len());
    let mut messages: BTreeMap<usize, Messages> = BTreeMap::new();
    let mut unchecked = owners.clone();
    for line in output.lines() {
        let Ok(message) = serde_json::from_str::<Value>(&line?) else { continue };
        let manifest = message["manifest_path"].as_str().unwrap_or_default();
        let owner = manifest.strip_suffix("/Cargo.toml").and_then(|folder| {
            let folder = folder.strip_prefix(&*work.dir().to_string_lossy())?.trim_start_matches('/');
            owners.get_key_value(folder)
        });
        let Some((folder, row)) = owner else { continue };
        match message["reason"].as_str() {
            Some("compiler-artifact") => {
                unchecked.remove(folder);
                progress.advance(folder);
            }
            Some("compiler-message") => record_message(messages.entry(*row).or_default(), &message["message"]),
            _ => {}
        }
    }
    messages.retain(|_, messages| messages.count > 0);
    Ok((messages, unchecked))
}

/// Records a compiler message. Warnings count, because generated code must not have any. Summaries such as `3 warnings
/// emitted` have no span and do not count.
fn record_message(messages: &mut Messages, message: &Value) {
    let level = message["level"].as_str().unwrap_or_default();
    let spans = message["spans"].as_array().map(Vec::as_slice).unwrap_or_default();
    let Some(span) = spans.iter().find(|span| span["is_primary"] == true).or(spans.first()) else { return };
    if !level.starts_with("error") && level != "warning" {
        return;
    }
    if messages.count == 0 {
        let file = span["file_name"].as_str().unwrap_or_default();
        let text = message["message"].as_str().unwrap_or_default();
        messages.first = format!("{level}: {text} at {file}:{}:{}", span["line_start"], span["column_start"]);
    }
    messages.count += 1;
}
