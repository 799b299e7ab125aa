//! Comparison of the drivers of the store with sqlx, by operations of the store: a page of the history, the lookup of a
//! token, a durable insert, a batch of 500 messages.
//!
//! ```text
//! .ci/postgres cargo run --release --manifest-path services/stress/drivers/Cargo.toml
//! ```
//!
//! Without `WIREFORM_TEST_POSTGRES`, which `.ci/postgres` sets (with `DURABLE=1` its commits reach the disk), only
//! SQLite is measured. Both sides run the same statements, prepared once for each connection, on tables of the same
//! shape. They alternate within each round, and each returns the values to an asynchronous caller.

mod postgres;
mod postgres_sqlx;
mod shape;
mod sqlite;
mod sqlite_sqlx;

use std::time::Instant;

use clap::Parser;
use tokio::runtime::Runtime;
use wireform_rounds::{Rounds, Side};

use crate::shape::{Stack, TOKENS, token};

#[derive(Parser)]
#[command(about = "The drivers of the store beside sqlx, as ratios of runs in turns")]
struct Arguments {
    /// Number of measurements of each side; fewer than nine are not significant.
    #[arg(long, default_value_t = 25)]
    pairs: usize,
    /// URL of a database in which schemas may be created.
    #[arg(long, env = "WIREFORM_TEST_POSTGRES", hide_env_values = true)]
    postgres: Option<String>,
}

fn main() -> anyhow::Result<()> {
    let Arguments { pairs, postgres } = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let folder = tempfile::tempdir()?;
    let ours = runtime.block_on(sqlite::Rusqlite::fill(&folder.path().join("ours")))?;
    let theirs = runtime.block_on(sqlite_sqlx::Sqlx::fill(&folder.path().join("theirs")))?;
    compare("SQLite", "rusqlite", &runtime, pairs, &ours, &theirs)?;
    let Some(address) = postgres else {
        println!("PostgreSQL: passed over, WIREFORM_TEST_POSTGRES names no server");
        return Ok(());
    };
    let ours = runtime.block_on(postgres::TokioPostgres::fill(&address))?;
    let theirs = runtime.block_on(postgres_sqlx::Sqlx::fill(&address))?;
    let compared = compare("PostgreSQL", "tokio-postgres", &runtime, pairs, &ours, &theirs);
    runtime.block_on(ours.clean())?;
    compared
}

/// Runs all measurements on two drivers.
fn compare(
    database: &str,
    name: &str,
    runtime: &Runtime,
    pairs: usize,
    ours: &impl Stack,
    theirs: &impl Stack,
) -> anyhow::Result<()> {
    let title = |what: &str| format!("{database}: {what}");
    let sides = vec![pages(name, runtime, ours), pages("sqlx", runtime, theirs)];
    Rounds::measure(pairs, sides)?.print(&title("page of 100 records of the history"));
    let sides = vec![tokens(name, runtime, ours), tokens("sqlx", runtime, theirs)];
    Rounds::measure(pairs, sides)?.print(&title("look-up of a token"));
    let sides = vec![inserts(name, runtime, ours), inserts("sqlx", runtime, theirs)];
    Rounds::measure(pairs, sides)?.print(&title("durable insert of one message"));
    let sides = vec![batches(name, runtime, ours, false), batches("sqlx", runtime, theirs, false)];
    Rounds::measure(pairs, sides)?.print(&title("durable batch of 500 messages, a statement a row"));
    if database == "PostgreSQL" {
        let sides = vec![batches(name, runtime, ours, true), batches("sqlx", runtime, theirs, true)];
        Rounds::measure(pairs, sides)?.print(&title("durable batch of 500 messages, a list a column"));
    }
    Ok(())
}

/// Returns the time of one of several repetitions.
fn timed(count: u32, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed().as_secs_f64() / f64::from(count))
}

fn pages<'a>(name: &'a str, runtime: &'a Runtime, stack: &'a impl Stack) -> Side<'a> {
    const COUNT: u32 = 200;
    Side::new(name, move || {
        timed(COUNT, || {
            runtime.block_on(async {
                for number in 0..i64::from(COUNT) {
                    let found = stack.page(number * 37).await?;
                    anyhow::ensure!(found == 100, "a page has {found} records");
                }
                Ok(())
            })
        })
    })
}

fn tokens<'a>(name: &'a str, runtime: &'a Runtime, stack: &'a impl Stack) -> Side<'a> {
    const COUNT: u32 = 500;
    Side::new(name, move || {
        timed(COUNT, || {
            runtime.block_on(async {
                for number in 0..i64::from(COUNT) {
                    let number = number % TOKENS;
                    let user = stack.token(token(number)).await?;
                    anyhow::ensure!(user == Some(number + 1), "token {number} is of {user:?}");
                }
                Ok(())
            })
        })
    })
}

fn inserts<'a>(name: &'a str, runtime: &'a Runtime, stack: &'a impl Stack) -> Side<'a> {
    const COUNT: u32 = 20;
    Side::new(name, move || {
        timed(COUNT, || {
            runtime.block_on(async {
                for _ in 0..COUNT {
                    stack.insert(1, false).await?;
                }
                Ok(())
            })
        })
    })
}

fn batches<'a>(name: &'a str, runtime: &'a Runtime, stack: &'a impl Stack, gathered: bool) -> Side<'a> {
    Side::new(name, move || timed(1, || runtime.block_on(stack.insert(500, gathered))))
}
