//! Server as a separate process.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use fs_err as fs;
use mailbox_client::Client;
use mailbox_client::runtime::{Credentials, RetryPolicy};

use crate::paths;

/// Running server.
pub struct Server {
    child: Child,
    /// Base URL.
    pub base: String,
    /// Ready token.
    pub token: String,
    /// Time from its start until it was ready.
    pub started: Duration,
    ready: PathBuf,
}

impl Server {
    /// Starts a server on a store, with additional arguments.
    pub fn start(folder: &Path, more: &[&str]) -> anyhow::Result<Self> {
        Self::start_with_log(folder, more, Stdio::inherit())
    }

    /// Starts a server on a store, with additional arguments and a destination of its log.
    pub fn start_with_log(folder: &Path, more: &[&str], log: Stdio) -> anyhow::Result<Self> {
        let store = [OsStr::new("--data"), folder.as_os_str()];
        Self::spawn(&store, folder.with_extension("ready"), more, log)
    }

    /// Starts a server with arguments for its store and additional ones. It signals by the file `ready` that it is
    /// ready.
    pub fn start_on(store: &[&str], ready: &Path, more: &[&str]) -> anyhow::Result<Self> {
        let store: Vec<&OsStr> = store.iter().map(OsStr::new).collect();
        Self::spawn(&store, ready.to_owned(), more, Stdio::inherit())
    }

    /// Starts the process with the arguments for its store, and waits until it is ready.
    fn spawn(store: &[&OsStr], ready: PathBuf, more: &[&str], log: Stdio) -> anyhow::Result<Self> {
        let program = paths::program()?;
        if ready.exists() {
            fs::remove_file(&ready)?;
        }
        let begun = Instant::now();
        let child = Command::new(program)
            .arg("serve")
            .args(["--port", "0", "--quota", "0", "--log", "error"])
            .args(store)
            .arg("--ready-file")
            .arg(&ready)
            .args(more)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut server = Self { child, base: String::new(), token: String::new(), started: Duration::ZERO, ready };
        server.wait(begun)?;
        Ok(server)
    }

    /// Waits for the file that the server writes when it is ready.
    fn wait(&mut self, begun: Instant) -> anyhow::Result<()> {
        let text = loop {
            if let Ok(text) = fs::read_to_string(&self.ready)
                && !text.is_empty()
            {
                break text;
            }
            if let Some(status) = self.child.try_wait()? {
                bail!("the server ended before it was ready: {status}");
            }
            ensure!(begun.elapsed() < Duration::from_secs(60), "the server is not ready after a minute");
            std::thread::sleep(Duration::from_millis(1));
        };
        self.started = begun.elapsed();
        let ready: serde_json::Value = serde_json::from_str(&text)?;
        let word = |name: &str| {
            ready.get(name).and_then(|word| word.as_str()).map(str::to_owned).with_context(|| format!("no `{name}`"))
        };
        (self.base, self.token) = (word("base")?, word("token")?);
        Ok(())
    }

    /// Returns a client of its mailbox that does not retry.
    pub fn client(&self) -> anyhow::Result<Client> {
        client(&self.base, &self.token, Duration::from_secs(20))
    }

    /// Returns a client of its calendar that does not retry.
    pub fn calendar(&self) -> anyhow::Result<calendar_client::Client> {
        calendar(&self.base, &self.token, Duration::from_secs(20))
    }

    /// Returns a client of its scripts that does not retry.
    pub fn scripts(&self) -> anyhow::Result<script_client::Client> {
        scripts(&self.base, &self.token)
    }

    /// Returns its peak memory so far, in bytes.
    pub fn peak(&self) -> anyhow::Result<u64> {
        self.memory("VmHWM:")
    }

    /// Returns its current memory, in bytes.
    pub fn resident(&self) -> anyhow::Result<u64> {
        self.memory("VmRSS:")
    }

    /// Reads a memory figure of the process from `/proc`, such as `VmRSS:`, in bytes.
    fn memory(&self, name: &str) -> anyhow::Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix(name)).with_context(|| format!("no {name}"))?;
        let kibibytes: u64 = line.trim().trim_end_matches(" kB").trim().parse()?;
        Ok(kibibytes * 1024)
    }

    /// Returns the number of its open descriptors.
    pub fn descriptors(&self) -> anyhow::Result<usize> {
        Ok(fs::read_dir(format!("/proc/{}/fd", self.child.id()))?.count())
    }

    /// Returns the number of its open descriptors other than two pipes and a handle of each process of a script, and the
    /// number of these processes: they are started after the server is ready, and accepted runs go on without their clients.
    pub fn own_descriptors(&self) -> anyhow::Result<(usize, usize)> {
        let processes = self.children()?.len();
        Ok((self.descriptors()?.saturating_sub(3 * processes), processes))
    }

    /// Returns its private memory and its share of shared memory, in bytes.
    pub fn proportional(&self) -> anyhow::Result<u64> {
        proportional(self.child.id())
    }

    /// Returns its running descendant processes.
    pub fn children(&self) -> anyhow::Result<Vec<u32>> {
        let mut found = vec![self.child.id()];
        let mut at = 0;
        while let Some(process) = found.get(at).copied() {
            for task in fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten() {
                let text = fs::read_to_string(task?.path().join("children")).unwrap_or_default();
                found.extend(text.split_whitespace().filter_map(|process| process.parse::<u32>().ok()));
            }
            at += 1;
        }
        found.remove(0);
        Ok(found)
    }

    /// Kills the server with SIGKILL.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Asks the server to stop, and waits for its end.
    pub fn stop(mut self) -> anyhow::Result<()> {
        let status = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        ensure!(status.success(), "the server cannot be stopped");
        let status = self.child.wait()?;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

/// Returns the private memory of a process and its share of shared memory, in bytes.
pub fn proportional(process: u32) -> anyhow::Result<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:")).context("no Pss")?;
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").trim().parse()?;
    Ok(kibibytes * 1024)
}

/// Creates a client of the server at `base` that does not retry.
pub fn client(base: &str, token: &str, timeout: Duration) -> anyhow::Result<Client> {
    let client = Client::builder()
        .base_url(base)
        .credentials(Credentials::token(token))
        .retry(RetryPolicy::off())
        .timeout(timeout)
        .build()?;
    Ok(client)
}

/// Creates a client of scripts that does not retry.
pub fn scripts(base: &str, token: &str) -> anyhow::Result<script_client::Client> {
    let client = script_client::Client::builder()
        .base_url(base)
        .credentials(Credentials::token(token))
        .retry(RetryPolicy::off())
        .timeout(Duration::from_secs(60))
        .build()?;
    Ok(client)
}

/// Creates a client of the calendar of the server at `base` that does not retry.
pub fn calendar(base: &str, token: &str, timeout: Duration) -> anyhow::Result<calendar_client::Client> {
    let client = calendar_client::Client::builder()
        .base_url(base)
        .credentials(Credentials::token(token))
        .retry(RetryPolicy::off())
        .timeout(timeout)
        .build()?;
    Ok(client)
}

impl Drop for Server {
    /// Kills the server of a failed part.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
