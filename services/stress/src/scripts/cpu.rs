//! Computing script in a process of the service and in the bare engine.

use std::process::Command;
use std::sync::Arc;

use anyhow::{Context as _, bail, ensure};
use fs_err as fs;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use wireform_engine::{
    BoxFuture, Cancellation, FileKind, Host, HostCall, HostError, Invocation, Limits, LogLine, Outcome, Pool, Program,
    Settings as PoolSettings, SourceFile,
};
use wireform_rounds::{Rounds, Side};

use crate::paths;

/// Settings of the measurement.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of pairs of runs, one of each kind.
    #[arg(long, default_value_t = 11)]
    pairs: usize,
    /// Maximum processor time of the median run, as a multiple of that in the bare engine; the run fails otherwise.
    #[arg(long, default_value_t = 1.1)]
    max: f64,
}

/// Script with calls, properties, strings, arrays, closures and regular expressions.
const SCRIPT: &str = r#"
function f() {
  let sum = 0;
  for (let i = 0; i < 12e6; i++) sum = (sum * 31 + i) | 0;
  const points = [];
  for (let i = 0; i < 120000; i++) points.push({ x: (i * 7919) % 1000, y: `p${i % 977}` });
  points.sort((a, b) => a.x - b.x || (a.y < b.y ? -1 : 1));
  const counts = new Map();
  for (const { y } of points) counts.set(y, (counts.get(y) ?? 0) + y.replace(/[0-7]+/g, "-").length);
  const fibonacci = (n) => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2));
  return [sum, counts.size, JSON.stringify(points).length, fibonacci(27)].join(" ");
}
"#;

/// Argument that makes the services program a script process.
const PROCESS: &str = "script-process";
/// Number of ticks per second of the kernel's processor times.
const TICKS: f64 = 100.0;

/// Runs the measurement.
pub fn run(settings: &Settings) -> anyhow::Result<()> {
    ensure!(bare_result()? == in_process()?, "the results differ");
    let side = |name, work: fn() -> anyhow::Result<String>| {
        Side::new(name, move || {
            let before = processor()?;
            work()?;
            Ok(processor()? - before)
        })
    };
    let rounds = Rounds::measure(
        settings.pairs,
        vec![side("a process of the service", in_process), side("bare", in_bare_engine)],
    )?;
    let (process, bare, ratio) = (rounds.side(0), rounds.side(1), rounds.ratio(0, 1));
    println!(
        "processor time of a script: {:.2} s in a process of the service, {:.2} s in the bare engine: {ratio} times",
        process.median, bare.median
    );
    ensure!(ratio.median <= settings.max, "the median is over {} times", settings.max);
    Ok(())
}

/// Runs the script in the bare engine, for `run`.
pub fn bare() -> anyhow::Result<()> {
    println!("{}", bare_result()?);
    Ok(())
}

fn bare_result() -> anyhow::Result<String> {
    let context = rquickjs::Context::full(&rquickjs::Runtime::new()?)?;
    Ok(context.with(|ctx| {
        ctx.eval::<(), _>(SCRIPT)?;
        ctx.eval::<String, _>("f()")
    })?)
}

fn in_bare_engine() -> anyhow::Result<String> {
    let output = Command::new(std::env::current_exe()?).args(["scripts", "bare"]).output()?;
    ensure!(output.status.success(), "the bare engine has failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

/// Runs the script in a script process. That process, and the next idle one, have ended on return.
fn in_process() -> anyhow::Result<String> {
    let command = vec![paths::program()?.into(), PROCESS.into()];
    let file = SourceFile { name: "Code".to_owned(), kind: FileKind::Server, source: SCRIPT.to_owned() };
    let invocation = Invocation {
        program: Arc::new(Program { files: vec![file], ..Program::default() }),
        function: "f".to_owned(),
        parameters: Vec::new(),
        limits: Limits::default(),
        cancellation: Cancellation::default(),
    };
    let outcome = block_in_place(|| {
        Handle::current().block_on(async {
            let pool = Pool::new(PoolSettings { command, idle: 1, concurrent: 1 });
            let outcome = pool.run(invocation, Arc::new(Nothing)).await.outcome;
            pool.close().await;
            outcome
        })
    });
    match outcome {
        Outcome::Returned(Some(Value::String(result))) => Ok(result),
        other => bail!("the script has failed: {other:?}"),
    }
}

/// Returns the processor time of all ended child processes, in seconds.
fn processor() -> anyhow::Result<f64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    // The name of the program, in parentheses, may contain spaces.
    let (_, figures) = text.rsplit_once(')').context("no name in /proc/self/stat")?;
    let figures: Vec<&str> = figures.split_whitespace().collect();
    let ticks = |index: usize| {
        figures.get(index).context("too few figures in /proc/self/stat")?.parse::<f64>().map_err(anyhow::Error::from)
    };
    Ok((ticks(13)? + ticks(14)?) / TICKS)
}

/// Host of a script that makes no calls.
struct Nothing;

impl Host for Nothing {
    fn call(&self, _: HostCall) -> BoxFuture<'_, Result<Value, HostError>> {
        Box::pin(async { Ok(json!(null)) })
    }

    fn log(&self, _: LogLine) {}
}
