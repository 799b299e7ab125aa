//! Full and read-only disk under load.
//!
//! The store is on a small file system in a file. While the server runs it is filled up and space is freed again; then
//! it is made read-only, as the system does after a disk error, repaired, and mounted again.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use fs_err as fs;
use mailbox_client::Client;
use mailbox_client::types::Message;

use crate::server::Server;
use crate::{crash, mail, paths};

/// Settings of the disk.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Size in mebibytes.
    #[arg(long, default_value_t = 96)]
    size: u64,
}

/// Small disk in a file.
struct Disk {
    image: PathBuf,
    at: PathBuf,
}

impl Disk {
    /// Creates a file with an ext4 file system of this size, and mounts it.
    fn make(folder: &Path, mebibytes: u64) -> anyhow::Result<Self> {
        let disk = Self { image: folder.join("disk.img"), at: folder.join("disk") };
        fs::create_dir_all(&disk.at)?;
        fs::File::create(&disk.image)?.set_len(mebibytes << 20)?;
        call("mkfs.ext4", &["-q", "-F", &path_text(&disk.image)])?;
        disk.mount()?;
        Ok(disk)
    }

    /// Mounts the disk, so that errors make it read-only.
    fn mount(&self) -> anyhow::Result<()> {
        call("mount", &["-o", "loop,errors=remount-ro", &path_text(&self.image), &path_text(&self.at)])
            .context("this part needs root and loop devices")
    }

    /// Remounts the disk as the system does after a disk error.
    fn fail(&self) -> anyhow::Result<()> {
        let mounts = fs::read_to_string("/proc/mounts")?;
        let at = path_text(&self.at);
        let device = mounts.lines().find(|line| line.split(' ').nth(1) == Some(&at)).context("not mounted")?;
        let device = device.trim_start_matches("/dev/").split(' ').next().unwrap_or_default();
        fs::write(format!("/sys/fs/ext4/{device}/trigger_fs_error"), "1")?;
        Ok(())
    }

    /// Unmounts the disk, repairs its file system, and mounts it again.
    fn repair(&self) -> anyhow::Result<()> {
        call("umount", &[&path_text(&self.at)])?;
        // 1: errors were corrected.
        let status = Command::new("fsck.ext4").args(["-y", "-f"]).arg(&self.image).output()?.status;
        ensure!(matches!(status.code(), Some(0 | 1)), "the disk cannot be repaired: {status}");
        self.mount()
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = call("umount", &["--lazy", &path_text(&self.at)]);
    }
}

fn path_text(path: &Path) -> String {
    path.display().to_string()
}

/// Runs a program; fails with its error output if it fails.
fn call(program: &str, arguments: &[&str]) -> anyhow::Result<()> {
    let output = Command::new(program).args(arguments).output().with_context(|| format!("no {program}"))?;
    ensure!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(())
}

/// Fills and fails the disk.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let disk = Disk::make(&paths::scratch("disk")?, settings.size)?;
    let data = disk.at.join("data");
    fs::create_dir_all(&data)?;
    let mut inserted = Vec::new();

    let server = Server::start(&data, &[])?;
    let client = server.client()?;
    fill(&disk, &client, &mut inserted).await?;
    reads(&client, &inserted).await?;
    fs::remove_file(disk.at.join("ballast"))?;
    let freed = Instant::now();
    insert_again(&client, &mut inserted).await?;
    println!("after room was made: written again after {} ms", freed.elapsed().as_millis());

    disk.fail()?;
    let message = insert_until_refused(&client, &mut inserted).await?;
    println!("read-only: {message}");
    reads(&client, &inserted).await?;
    drop(client);
    drop(server);
    disk.repair()?;
    let server = Server::start(&data, &[])?;
    let client = server.client()?;
    insert_again(&client, &mut inserted).await?;
    reads(&client, &inserted).await?;
    server.stop()?;
    crash::check_integrity(&data)?;
    println!("{} messages, all of them there; the database is sound", inserted.len());
    Ok(())
}

/// Writes until the disk is full; a file next to the store takes the rest of the space.
async fn fill(disk: &Disk, client: &Client, inserted: &mut Vec<String>) -> anyhow::Result<()> {
    for _ in 0..20 {
        inserted.push(insert(client).await.map_err(|message| anyhow::anyhow!("{message}"))?);
    }
    let mut ballast = fs::File::create(disk.at.join("ballast"))?;
    let zeroes = vec![0; 1 << 16];
    while std::io::Write::write_all(&mut ballast, &zeroes).is_ok() {}
    let message = insert_until_refused(client, inserted).await?;
    println!("full: {message}");
    Ok(())
}

/// Inserts until that is refused; returns the error message.
async fn insert_until_refused(client: &Client, inserted: &mut Vec<String>) -> anyhow::Result<String> {
    for _ in 0..10_000 {
        match insert(client).await {
            Ok(id) => inserted.push(id),
            Err(message) => return Ok(message),
        }
    }
    bail!("ten thousand messages were written and nothing was refused")
}

/// Inserts as soon as that is possible again.
async fn insert_again(client: &Client, inserted: &mut Vec<String>) -> anyhow::Result<()> {
    let begun = Instant::now();
    loop {
        match insert(client).await {
            Ok(id) => {
                inserted.push(id);
                return Ok(());
            }
            Err(message) => ensure!(begun.elapsed() < Duration::from_secs(10), "still refused: {message}"),
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Inserts a message; returns its identifier, or the error message, which is marked unless it is that of a server
/// error.
async fn insert(client: &Client) -> Result<String, String> {
    let message = Message::default().with_raw(mail::message(1, 50_000).into_bytes());
    match client.users().messages().insert("me", message).send().await {
        Ok(made) => Ok(made.id.unwrap_or_default()),
        Err(error) => match error.status() {
            Some(500..) => Err(error.to_string()),
            _ => Err(format!("unexpected error: {error}")),
        },
    }
}

/// Checks that all acknowledged messages can be read.
async fn reads(client: &Client, inserted: &[String]) -> anyhow::Result<()> {
    for id in inserted {
        let message = client.users().messages().get("me", &**id).send().await?;
        ensure!(message.size_estimate.is_some_and(|size| size >= 50_000), "{id} is not whole");
    }
    Ok(())
}
