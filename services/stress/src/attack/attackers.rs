//! Process of the attackers.
//!
//! It reads its orders from the first line of its standard input and ends when that input ends, that is, when its
//! parent process is gone. Its output is its counts.

use std::io::{BufRead as _, Read as _};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, nice, setrlimit};
use tokio::io::AsyncWriteExt as _;
use tokio::process::{Child, ChildStdin, Command};

use super::scene::{AttackConfig, AttackContext, Counts};
use super::{Attack, auth, batches, bodies, heads, health, idle, lengths, mail, resets, searches, unread};

/// Lowest priority: the attackers get the time that the server and the honest clients leave.
const NICE: i32 = 19;

/// Maximum time in which the process ends after its attack.
const GRACE: Duration = Duration::from_secs(20);

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
    let attack = attack(&scene);
    // Requests that still wait for the server then are given up.
    let _ = tokio::time::timeout_at((until + Duration::from_secs(1)).into(), attack).await;
    println!("{}", serde_json::to_string(&scene.counts())?);
    Ok(())
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
        Ok(Self { child, input, attack: orders.attack })
    }

    /// Waits for the end of the process and returns its counts.
    pub async fn finish(self) -> anyhow::Result<Counts> {
        let Self { child, input, attack } = self;
        let output = tokio::time::timeout(GRACE, child.wait_with_output()).await;
        drop(input);
        let output = output.with_context(|| format!("the attackers of {attack:?} do not end"))??;
        ensure!(output.status.success(), "the attackers of {attack:?} ended with {}", output.status);
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}
