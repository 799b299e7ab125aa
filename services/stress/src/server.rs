//! The server as a process of its own.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use fs_err as fs;
use mailbox_client::Client;
use mailbox_client::runtime::{Credentials, RetryPolicy};

use crate::place;

/// A server that runs.
pub struct Server {
    child: Child,
    /// Its address.
    pub base: String,
    /// A token that it lets in.
    pub token: String,
    /// From its start until it said that it was ready.
    pub started: Duration,
    ready: PathBuf,
}

impl Server {
    /// Starts one on a store, with more arguments.
    pub fn start(folder: &Path, more: &[&str]) -> anyhow::Result<Self> {
        Self::start_with_log(folder, more, Stdio::inherit())
    }

    /// Starts a server on a store, with more arguments, which writes its log there.
    pub fn start_with_log(folder: &Path, more: &[&str], log: Stdio) -> anyhow::Result<Self> {
        let store = [OsStr::new("--data"), folder.as_os_str()];
        Self::spawn(&store, folder.with_extension("ready"), more, log)
    }

    /// Starts a server with arguments that say where its store is, and more. It tells by the file `ready` that it is.
    pub fn start_on(store: &[&str], ready: &Path, more: &[&str]) -> anyhow::Result<Self> {
        let store: Vec<&OsStr> = store.iter().map(OsStr::new).collect();
        Self::spawn(&store, ready.to_owned(), more, Stdio::inherit())
    }

    fn spawn(store: &[&OsStr], ready: PathBuf, more: &[&str], log: Stdio) -> anyhow::Result<Self> {
        let program = place::program()?;
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

    /// Waits for the file that the server writes when it answers.
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
        let told: serde_json::Value = serde_json::from_str(&text)?;
        let word = |name: &str| {
            told.get(name).and_then(|word| word.as_str()).map(str::to_owned).with_context(|| format!("no `{name}`"))
        };
        (self.base, self.token) = (word("base")?, word("token")?);
        Ok(())
    }

    /// A client of its mailbox that sends everything once.
    pub fn client(&self) -> anyhow::Result<Client> {
        client(&self.base, &self.token, Duration::from_secs(20))
    }

    /// A client of its calendar that sends everything once.
    pub fn calendar(&self) -> anyhow::Result<calendar_client::Client> {
        calendar(&self.base, &self.token, Duration::from_secs(20))
    }

    /// A client of its scripts that sends everything once.
    pub fn scripts(&self) -> anyhow::Result<script_client::Client> {
        scripts(&self.base, &self.token)
    }

    /// The most memory that it has held so far, in bytes.
    pub fn peak(&self) -> anyhow::Result<u64> {
        self.memory("VmHWM:")
    }

    /// Returns the memory that it holds at the moment, in bytes.
    pub fn resident(&self) -> anyhow::Result<u64> {
        self.memory("VmRSS:")
    }

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

    /// Returns the memory that it alone holds, and its share of what it holds with others, in bytes.
    pub fn proportional(&self) -> anyhow::Result<u64> {
        proportional(self.child.id())
    }

    /// Returns the processes that it has started, and those that they have, which have not ended.
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

    /// Kills it, as `kill -9` does.
    pub fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Asks it to end, and waits until it has.
    pub fn stop(mut self) -> anyhow::Result<()> {
        let told = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status()?;
        ensure!(told.success(), "the server cannot be told to end");
        let status = self.child.wait()?;
        ensure!(status.success(), "the server ended with {status}");
        Ok(())
    }
}

/// Returns the memory that a process alone holds, and its share of what it holds with others, in bytes.
pub fn proportional(process: u32) -> anyhow::Result<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/smaps_rollup"))?;
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:")).context("no Pss")?;
    let kibibytes: u64 = line.trim().trim_end_matches(" kB").trim().parse()?;
    Ok(kibibytes * 1024)
}

/// Builds a client of the server at `base` that sends everything once.
pub fn client(base: &str, token: &str, timeout: Duration) -> anyhow::Result<Client> {
    let client = Client::builder()
        .base_url(base)
        .credentials(Credentials::token(token))
        .retry(RetryPolicy::off())
        .timeout(timeout)
        .build()?;
    Ok(client)
}

/// A client of scripts that sends everything once.
pub fn scripts(base: &str, token: &str) -> anyhow::Result<script_client::Client> {
    let client = script_client::Client::builder()
        .base_url(base)
        .credentials(Credentials::token(token))
        .retry(RetryPolicy::off())
        .timeout(Duration::from_secs(60))
        .build()?;
    Ok(client)
}

/// Builds a client of the calendar of the server at `base` that sends everything once.
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
    /// A part that has failed leaves no server behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
