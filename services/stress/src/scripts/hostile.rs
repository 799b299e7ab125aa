//! Hostile functions among good ones: every good run must succeed, and nothing may remain of the others.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use fs_err as fs;
use serde_json::json;
use tokio::task::JoinSet;

use super::project::{call, create};
use crate::paths;
use crate::server::Server;

/// Settings of the runs.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of hostile runs.
    #[arg(long, default_value_t = 1_000)]
    runs: usize,
    /// Number of concurrent hostile runs.
    #[arg(long, default_value_t = 8)]
    at_once: usize,
    /// JSON file with a list of `{ "id", "source" }`, each the source of a function `f` (default: built-in functions).
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Maximum memory of the server itself in MiB; the run fails otherwise.
    #[arg(long, default_value_t = 200)]
    max: u64,
}

/// Hostile function `f`.
#[derive(serde_derive::Deserialize)]
struct Hostile {
    id: String,
    source: String,
}

/// Hostile functions used without a corpus: time, memory, stack, output, patterns, and escapes.
const BUILT_IN: [(&str, &str); 8] = [
    ("loop", "function f() { while (true) {} }"),
    ("memory", "function f() { let s = 'x'; while (true) s += s; }"),
    ("array", "function f() { const a = []; while (true) a.push(new Array(1e6).fill(1)); }"),
    ("stack", "function f() { return f(); }"),
    ("output", "function f() { return 'x'.repeat(1e8); }"),
    ("pattern", "function f() { return /(a+)+$/.test('a'.repeat(40) + '!'); }"),
    ("log", "function f() { for (;;) console.log('x'.repeat(1e5)); }"),
    ("prototype", "function f() { Object.prototype.toJSON = f; return {}; }"),
];

/// Numbers of runs by function and end.
type Ends = BTreeMap<String, usize>;

/// Runs the functions.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let all = corpus(settings)?;
    let server = Server::start(&paths::scratch("scripts-hostile")?, &["--run-limit", "2s"])?;
    let client = server.scripts()?;
    let good = create(&client, "function f() { return ['fine', globalThis.leaked === undefined]; }").await?;
    let projects = save_all(&client, all).await?;
    call(&client, &good, "f").await?.map_err(anyhow::Error::msg)?;
    // The pool replaces the process that has run.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (descriptors, before) = (server.descriptors()?, server.children()?.len());
    let (next, over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let honest = tokio::spawn(honest(server.scripts()?, good, Arc::clone(&over)));
    let mut tasks = JoinSet::new();
    for _ in 0..settings.at_once {
        let (client, projects, next, runs) = (server.scripts()?, projects.clone(), Arc::clone(&next), settings.runs);
        tasks.spawn(async move { run_hostile(&client, &projects, &next, runs).await });
    }
    let mut ends = Ends::new();
    while let Some(ended) = tasks.join_next().await {
        for (end, count) in ended?? {
            *ends.entry(end).or_default() += count;
        }
    }
    over.store(true, Ordering::Relaxed);
    let mut honest = honest.await??;
    let (median, _, slowest) = super::project::median_and_range(&mut honest);
    for (end, count) in &ends {
        println!("{count:>5}  {end}");
    }
    wait_for_cleanup(&server, descriptors, before).await?;
    let peak = server.peak()? >> 20;
    println!(
        "{} hostile runs among {} good ones, which all were right: median {:.1} ms, at most {:.0} ms; the server held at \
         most {peak} MiB, and no process and no descriptor is left",
        settings.runs,
        honest.len(),
        median.as_secs_f64() * 1e3,
        slowest.as_secs_f64() * 1e3,
    );
    server.stop()?;
    ensure!(peak <= settings.max, "the server held more than {} MiB", settings.max);
    Ok(())
}

/// Runs the next function until all runs are done.
async fn run_hostile(
    client: &script_client::Client,
    projects: &[(String, String)],
    next: &AtomicUsize,
    runs: usize,
) -> anyhow::Result<Ends> {
    let mut ends = Ends::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= runs {
            return Ok(ends);
        }
        let (name, id) = &projects[number % projects.len()];
        let end = call(client, id, "f").await.with_context(|| format!("`{name}`"))?;
        let end =
            end.map_or_else(|message| message.lines().next().unwrap_or_default().to_owned(), |_| "a result".to_owned());
        *ends.entry(format!("{name}: {}", end.chars().take(80).collect::<String>())).or_default() += 1;
    }
}

/// Saves each function in its own project. One that cannot be parsed is refused, without effect on the server.
async fn save_all(client: &script_client::Client, all: Vec<Hostile>) -> anyhow::Result<Vec<(String, String)>> {
    let mut projects = Vec::new();
    for Hostile { id, source } in all {
        match create(client, &source).await {
            Ok(project) => projects.push((id, project)),
            Err(error) if is_refused(&error) => println!("  ---  {id}: {error}"),
            Err(error) => return Err(error.context(format!("`{id}` cannot be saved"))),
        }
    }
    ensure!(!projects.is_empty(), "every function is refused");
    Ok(projects)
}

fn is_refused(error: &anyhow::Error) -> bool {
    error.downcast_ref::<script_client::Error>().is_some_and(|error| error.status() == Some(400))
}

/// Returns the functions in the file of the settings, or the built-in ones.
fn corpus(settings: &Settings) -> anyhow::Result<Vec<Hostile>> {
    let Some(path) = &settings.corpus else {
        let own = |(id, source): &(&str, &str)| Hostile { id: (*id).to_owned(), source: (*source).to_owned() };
        return Ok(BUILT_IN.iter().map(own).collect());
    };
    let text = fs::read_to_string(path)?;
    let all: Vec<Hostile> = serde_json::from_str(&text)?;
    ensure!(!all.is_empty(), "{} holds no function", path.display());
    Ok(all)
}

/// Calls a good function until the others have ended; returns the duration of each call.
async fn honest(client: script_client::Client, id: String, over: Arc<AtomicBool>) -> anyhow::Result<Vec<Duration>> {
    let mut times = Vec::new();
    while !over.load(Ordering::Relaxed) {
        let begun = Instant::now();
        let result = call(&client, &id, "f").await?;
        ensure!(result == Ok(Some(json!(["fine", true]))), "a good run is disturbed: {result:?}");
        times.push(begun.elapsed());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(times)
}

/// Waits until no process and no descriptor of the runs is left.
async fn wait_for_cleanup(server: &Server, descriptors: usize, children: usize) -> anyhow::Result<()> {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let (open, alive) = (server.descriptors()?, server.children()?.len());
        // Connections of the clients, and idle processes.
        if open <= descriptors + 32 && alive <= children {
            return Ok(());
        }
        ensure!(
            Instant::now() < until,
            "{open} descriptors ({descriptors} before), {alive} processes ({children} before)"
        );
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
