//! Process of the attackers.
//!
//! It reads its orders from the first line of its standard input and ends when that input ends, that is, when its
//! parent process is gone. Its output is its counts, a line every second: with the lowest priority it may get no time to end
//! by itself.

use std::io::{BufRead as _, Read as _};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, nice, setrlimit};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;

use super::scene::{AttackConfig, AttackContext, Counts};
use super::{Attack, auth, batches, bodies, heads, health, idle, lengths, mail, resets, searches, unread};

/// Lowest priority: the attackers get the time that the server and the honest clients leave.
const NICE: i32 = 19;

/// Time after its attack in which the process may end by itself.
const GRACE: Duration = Duration::from_secs(5);

/// Interval of the reports.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Runs the attack of the orders.
pub async fn run() -> anyhow::Result<()> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    let orders: AttackConfig = serde_json::from_str(&line).context("the orders cannot be read")?;
    nice(NICE)?;
    let hard = getrlimit(Resource::Nofile).maximum;
    setrlimit(Resource::Nofile, Rlimit { current: hard, maximum: hard })?;
    std::thread::spawn(|| {
        let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
        std::process::exit(1);
    });
    let until = Instant::now() + Duration::from_secs(orders.seconds);
    let scene = Arc::new(AttackContext::new(orders, until));
    let reporting = tokio::spawn(report_counts(Arc::clone(&scene)));
    let attack = attack(&scene);
    // Requests that still wait for the server then are given up.
    let _ = tokio::time::timeout_at((until + Duration::from_secs(1)).into(), attack).await;
    reporting.abort();
    println!("{}", serde_json::to_string(&scene.counts())?);
    Ok(())
}

/// Prints the counts from time to time.
async fn report_counts(scene: Arc<AttackContext>) {
    loop {
        tokio::time::sleep(REPORT_INTERVAL).await;
        if let Ok(line) = serde_json::to_string(&scene.counts()) {
            println!("{line}");
        }
    }
}

/// Runs the attack that was ordered. `restore` has no attackers.
async fn attack(scene: &Arc<AttackContext>) -> anyhow::Result<()> {
    match scene.orders.attack {
        Attack::Heads => heads::run(scene).await,
        Attack::Idle => idle::run(scene).await,
        Attack::Bodies => bodies::run(scene).await,
        Attack::Batches => batches::run(scene).await,
        Attack::Lengths => lengths::run(scene).await,
        Attack::Health => health::run(scene).await,
        Attack::Mail => mail::run(scene).await,
        Attack::Searches => searches::run(scene, false).await,
        Attack::Searchers => searches::run(scene, true).await,
        Attack::Resets => resets::run(scene).await,
        Attack::Auth => auth::run(scene).await,
        Attack::Lists | Attack::Runs | Attack::Pages | Attack::Content => unread::run(scene, None).await,
        Attack::Series => unread::run(scene, Some(2)).await,
        Attack::Sleepers => unread::run(scene, Some(31)).await,
        Attack::Manifest => unread::run(scene, Some(8)).await,
        Attack::Restore | Attack::All => Ok(()),
    }
}

/// Handle of a process of attackers.
pub struct Attackers {
    child: Child,
    /// Held open: its end ends the attackers.
    input: ChildStdin,
    attack: Attack,
    /// Task that returns the counts that were reported last.
    reports: JoinHandle<Counts>,
}

impl Attackers {
    /// Starts a process.
    pub async fn start(orders: &AttackConfig) -> anyhow::Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("attackers")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let mut input = child.stdin.take().context("no input")?;
        input.write_all(format!("{}\n", serde_json::to_string(orders)?).as_bytes()).await?;
        let output = child.stdout.take().context("no output")?;
        Ok(Self { child, input, attack: orders.attack, reports: tokio::spawn(read_reports(output)) })
    }

    /// Waits for the end of the process, which is killed if it takes long, and returns its last counts.
    pub async fn finish(self) -> anyhow::Result<Counts> {
        let Self { mut child, input, attack, reports } = self;
        match tokio::time::timeout(GRACE, child.wait()).await {
            Ok(status) => {
                let status = status?;
                ensure!(status.success(), "the attackers of {attack:?} ended with {status}");
            }
            Err(_) => child.kill().await?,
        }
        drop(input);
        Ok(reports.await?)
    }
}

/// Reads reports until the process ends. Returns the last complete one.
async fn read_reports(output: ChildStdout) -> Counts {
    let (mut lines, mut last) = (BufReader::new(output).lines(), Counts::new());
    while let Ok(Some(line)) = lines.next_line().await {
        last = serde_json::from_str(&line).unwrap_or(last);
    }
    last
}
