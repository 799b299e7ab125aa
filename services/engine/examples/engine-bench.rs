//! Measures runs of trivial functions (latency, runs per second, memory of an idle process, and CPU time compared with
//! the bare engine), and the listing of functions.
//!
//! `cargo run --release -p wireform-engine --example engine-bench [runs]`

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wireform_engine::{
    BoxFuture, Cancellation, FileKind, Host, HostCall, HostError, Invocation, Limits, LogLine, Outcome, Pool, Program,
    Settings, SourceFile,
};

struct NoHost;

impl Host for NoHost {
    fn call(&self, _call: HostCall) -> BoxFuture<'_, Result<Value, HostError>> {
        Box::pin(async { Err(HostError::new("no services")) })
    }

    fn log(&self, _line: LogLine) {}
}

fn invocation(source: &str) -> Invocation {
    let file = SourceFile { name: "Code".to_owned(), kind: FileKind::Server, source: source.to_owned() };
    Invocation {
        program: Arc::new(Program { files: vec![file], ..Program::default() }),
        function: "f".to_owned(),
        parameters: vec![json!(20), json!(22)],
        limits: Limits::default(),
        cancellation: Cancellation::default(),
    }
}

const TRIVIAL: &str = "function f(a, b) { return a + b }";
const BUSY: &str = "function f() { var s = 0; for (var i = 0; i < 2e7; i++) s = (s * 31 + i) | 0; return s }";

async fn latency(pool: &Pool, runs: usize, pause: Duration) -> Vec<Duration> {
    let mut times = Vec::new();
    for _ in 0..runs {
        tokio::time::sleep(pause).await;
        let begin = Instant::now();
        let execution = pool.run(invocation(TRIVIAL), Arc::new(NoHost)).await;
        times.push(begin.elapsed());
        assert_eq!(execution.outcome, Outcome::Returned(Some(json!(42))));
    }
    times.sort();
    times
}

fn report(name: &str, times: &[Duration]) {
    let at = |part: usize| times.get(times.len() * part / 100).copied().unwrap_or_default();
    println!("{name}: median {:?}, 90 % {:?}, 99 % {:?}", at(50), at(90), at(99));
}

/// Times of listing the functions of 100 files of 10 kB.
async fn listing(pool: &Pool, runs: usize) -> Vec<Duration> {
    let function = |file: usize, at: usize| {
        format!(
            "/** Adds. */\nfunction f{file}_{at}(a, b) {{\n  const c = a + b * {at};\n  return c > 10 ? 'much' : \"little\";\n}}\n"
        )
    };
    let source = |file: usize| (0..100).map(|at| function(file, at)).collect();
    let file = |file| SourceFile { name: format!("file{file}"), kind: FileKind::Server, source: source(file) };
    let mut times = Vec::new();
    for _ in 0..runs {
        let files = (0..100).map(file).collect();
        let begin = Instant::now();
        let found = pool.analyze(files).await;
        times.push(begin.elapsed());
        assert!(found.is_some_and(|found| found.iter().all(Result::is_ok)));
    }
    times.sort();
    times
}

async fn throughput(pool: &Pool, runs: usize) {
    let begin = Instant::now();
    let tasks: Vec<_> = (0..runs)
        .map(|_| {
            let pool = pool.clone();
            tokio::spawn(async move { pool.run(invocation(TRIVIAL), Arc::new(NoHost)).await.outcome })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.ok(), Some(Outcome::Returned(Some(json!(42)))));
    }
    println!("{runs} runs at once: {:.0} a second", runs as f64 / begin.elapsed().as_secs_f64());
}

/// Proportional and private memory of the idle processes.
fn idle_memory() {
    let own = std::process::id();
    let Ok(threads) = std::fs::read_dir(format!("/proc/{own}/task")) else { return };
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok());
    for child in lists.collect::<String>().split_whitespace() {
        let text = std::fs::read_to_string(format!("/proc/{child}/smaps_rollup")).unwrap_or_default();
        let figure =
            |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("?").trim().to_owned();
        let private = (figure("Private_Dirty:"), figure("Private_Clean:"));
        println!("idle process: Rss {}, Pss {}, private {} + {}", figure("Rss:"), figure("Pss:"), private.0, private.1);
    }
}

fn bare() -> Option<Duration> {
    let context = rquickjs::Context::full(&rquickjs::Runtime::new().ok()?).ok()?;
    context.with(|ctx| {
        ctx.eval::<(), _>(BUSY).ok()?;
        let begin = Instant::now();
        ctx.eval::<i32, _>("f()").ok()?;
        Some(begin.elapsed())
    })
}

async fn measure(runs: usize) -> std::io::Result<()> {
    let pool = Pool::new(Settings { idle: 8, concurrent: 4, ..Settings::current_program("child")? });
    latency(&pool, 20, Duration::ZERO).await;
    report("one by one, 20 ms apart", &latency(&pool, runs.min(200), Duration::from_millis(20)).await);
    report("one by one", &latency(&pool, runs, Duration::ZERO).await);
    throughput(&pool, runs).await;
    report("the functions of 100 files of 10 kB", &listing(&pool, runs.min(100)).await);
    tokio::time::sleep(Duration::from_millis(500)).await;
    idle_memory();
    let busy = pool.run(invocation(BUSY), Arc::new(NoHost)).await;
    println!("a busy loop: {:?} in a process, {:?} in the bare engine", busy.duration, bare().unwrap_or_default());
    pool.close().await;
    Ok(())
}

fn main() -> ExitCode {
    let argument = std::env::args().nth(1);
    if argument.as_deref() == Some("child") {
        return wireform_engine::child::main();
    }
    let runs = argument.and_then(|runs| runs.parse().ok()).unwrap_or(1000);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    match runtime.and_then(|runtime| runtime.block_on(measure(runs))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot measure: {error}");
            ExitCode::FAILURE
        }
    }
}
