//! Lists of many processes, by each filter.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use rusqlite::{Connection, params};
use script_client::Client;
use script_client::types::runtime::DateTime;
use script_client::types::{ProcessStatus, ProcessType, UserAccessLevel};

use super::project::{call, create, measure_time, median_and_range};
use crate::paths;
use crate::server::Server;

/// Settings of the measurement.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of processes.
    #[arg(long, default_value_t = 1_000_000)]
    processes: u32,
    /// Number of times that each list is read.
    #[arg(long, default_value_t = 51)]
    rounds: usize,
    /// Maximum milliseconds of the median of a list; the run fails otherwise.
    #[arg(long, default_value_t = 5.0)]
    max: f64,
}

/// Number of functions that are run before the records are multiplied; every seventh fails.
const FUNCTIONS: usize = 40;

/// Runs the measurement.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let folder = paths::scratch("scripts-processes")?;
    let server = Server::start(&folder, &[])?;
    let client = server.scripts()?;
    let code: String = (0..FUNCTIONS)
        .map(|number| match number % 7 {
            0 => format!("function f{number}() {{ throw new Error('no'); }}\n"),
            _ => format!("function f{number}() {{ return {number}; }}\n"),
        })
        .collect();
    let mut project = String::new();
    for _ in 0..5 {
        project = create(&client, &code).await?;
        for number in 0..FUNCTIONS {
            call(&client, &project, &format!("f{number}")).await?.ok();
        }
    }
    server.stop()?;
    let total = multiply(&folder, settings.processes)?;
    let server = Server::start(&folder, &[])?;
    let slowest = lists(&server.scripts()?, &project, settings.rounds, total).await?;
    server.stop()?;
    ensure!(slowest.as_secs_f64() * 1e3 <= settings.max, "a list takes over {} ms", settings.max);
    Ok(())
}

/// Adds copies of the records, one for each second before them; returns the total number.
fn multiply(folder: &Path, processes: u32) -> anyhow::Result<u32> {
    let database = Connection::open(folder.join("store.sqlite3"))?;
    let there: u32 = database.query_row("SELECT count(*) FROM script_processes", [], |row| row.get(0))?;
    ensure!(there > 0, "nothing has run");
    database.execute(
        "WITH RECURSIVE copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < ?1) \
         INSERT INTO script_processes (project, user_id, of_project, of_user, started, ended, server) \
         SELECT project, user_id, of_project, of_user, started - n * 200000 - number * 1000, ended - n * 200000 - number * 1000, \
         server FROM copies, (SELECT * FROM script_processes ORDER BY number) ORDER BY n DESC, number",
        params![processes / there],
    )?;
    Ok(there * (processes / there + 1))
}

/// Reads each list several times; returns the median of the slowest.
async fn lists(client: &Client, project: &str, rounds: usize, total: u32) -> anyhow::Result<Duration> {
    let first = client.processes().list().page_size(1).send().await?.processes;
    let middle: DateTime = first.first().and_then(|process| process.start_time).context("no process is listed")?;

    let mut slowest = Duration::ZERO;
    println!("{total} processes, pages of 50");
    let mut line = |what: &str, times: &mut Vec<Duration>, items: usize| {
        let (median, min, max) = median_and_range(times);
        slowest = slowest.max(median);
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!("  {what:<52} {:>6.2} ms ({:.2} to {:.2}), {items} items", ms(median), ms(min), ms(max));
    };
    macro_rules! measure {
        ($what:literal, $call:expr) => {{
            let mut times = Vec::with_capacity(rounds);
            let mut items = 0;
            for _ in 0..rounds {
                let (page, time) = measure_time(async { Ok($call.page_size(50).send().await?) }).await?;
                items = page.processes.len();
                times.push(time);
            }
            line($what, &mut times, items);
        }};
    }
    let of_user = || client.processes().list();
    measure!("list", of_user());
    measure!("list, of a project", of_user().script_id(project));
    measure!("list, of a function", of_user().function_name("f3"));
    measure!("list, of an unknown function", of_user().function_name("none"));
    measure!("list, failed", of_user().statuses([ProcessStatus::Failed]));
    measure!("list, running", of_user().statuses([ProcessStatus::Running]));
    measure!("list, of a type", of_user().types([ProcessType::ExecutionApi]));
    measure!("list, of a type without executions", of_user().types([ProcessType::TimeDriven]));
    measure!("list, of owners", of_user().user_access_levels([UserAccessLevel::Owner]));
    measure!("list, of a title", of_user().project_name("Stress"));
    measure!("list, up to a time", of_user().end_time(middle));
    measure!(
        "list, failed of a function of a project",
        of_user().script_id(project).function_name("f7").statuses([ProcessStatus::Failed])
    );
    let of_project = || client.processes().list_script_processes(project);
    measure!("listScriptProcesses", of_project());
    measure!("listScriptProcesses, of a function", of_project().function_name("f3"));
    measure!("listScriptProcesses, failed", of_project().statuses([ProcessStatus::Failed]));
    measure!("listScriptProcesses, running", of_project().statuses([ProcessStatus::Running]));
    measure!("listScriptProcesses, of a type", of_project().types([ProcessType::ExecutionApi]));
    measure!("listScriptProcesses, up to a time", of_project().end_time(middle));
    Ok(slowest)
}
