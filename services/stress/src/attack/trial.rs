//! Run of one attack on one server.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use fs_err as fs;

use super::attackers::Attackers;
use super::honest::HonestClients;
use super::report::Row;
use super::scene::{AttackConfig, Counts};
use super::store::Store;
use super::{Attack, Settings, large, prepare, runner};
use crate::server::Server;

/// Time for which the honest clients work before anything is measured.
const WARM_UP: Duration = Duration::from_secs(2);

/// Time in which the server releases its memory and descriptors after an attack.
const RECOVERY: Duration = Duration::from_secs(10);

/// Runs an attack on a server of its own.
pub async fn run(attack: Attack, settings: &Settings) -> anyhow::Result<Row> {
    let store = Store::copy(settings.messages).await?;
    let log = store.folder.join("attack.log");
    let server = Server::start_with_log(&store.folder, &[], fs::File::create(&log)?.into_parts().0.into())?;
    let prepared = prepare::prepare(attack, &server).await?;
    let (ready, _) = server.own_descriptors()?;
    let mut crowd = HonestClients::create(&server.base, &store.honest).await?;
    crowd.work(WARM_UP).await?;
    let idle = crowd.work(Duration::from_secs(settings.idle_seconds)).await?;
    let load = load()?;

    let commits = commits(&store.folder)?;
    let time = Duration::from_secs(settings.seconds);
    let attackers = start_all(attack, settings, (&server, &prepared.requests), &store).await?;
    let large = async {
        match &prepared.project {
            _ if attack.has_large_mail() => large::work(attack, &server.base, &store.large_mail, time).await.map(Some),
            Some(project) => runner::work(&server.base, &store.large_mail, project, time).await.map(Some),
            None => Ok(None),
        }
    };
    let (attacked, large) = tokio::try_join!(crowd.work(time), large)?;
    let attackers = finish_all(attackers).await?;
    let commits = self::commits(&store.folder)?.wrapping_sub(commits);
    let peak = server.peak()?;
    drop(crowd);

    tokio::time::sleep(RECOVERY).await;
    let after = server.resident()?;
    let (descriptors, processes) = server.own_descriptors()?;
    let alive = server.client()?.users().get_profile("me").send().await.is_ok();
    let stopped = server.stop().err().map(|error| format!("{error:#}"));
    let log = fs::read_to_string(log)?.lines().map(str::to_owned).collect();
    Ok(Row {
        attack,
        seconds: settings.seconds,
        idle,
        attacked,
        large,
        attackers,
        commits,
        peak,
        after,
        descriptors: (ready, descriptors),
        processes,
        load: (load, self::load()?),
        alive,
        stopped,
        log,
    })
}

async fn start_all(
    attack: Attack,
    settings: &Settings,
    (server, requests): (&Server, &[String]),
    store: &Store,
) -> anyhow::Result<Vec<(Attack, Attackers)>> {
    let address = server.base.strip_prefix("http://").context("no HTTP")?.parse()?;
    let mut started = Vec::new();
    for part in attack.parts() {
        let orders = AttackConfig {
            attack: part,
            address,
            seconds: settings.seconds,
            connections: settings.connections,
            peers: settings.peers,
            token: store.attacker.clone(),
            slow_readers: store.slow_readers.clone(),
            searchers: store.searchers.clone(),
            requests: requests.to_vec(),
        };
        started.push((part, Attackers::start(&orders).await?));
    }
    Ok(started)
}

async fn finish_all(attackers: Vec<(Attack, Attackers)>) -> anyhow::Result<Vec<(Attack, Counts)>> {
    let mut counts = Vec::new();
    for (part, attackers) in attackers {
        counts.push((part, attackers.finish().await?));
    }
    Ok(counts)
}

/// Returns the number of processes of the machine that ran or waited for a processor in the last minute.
fn load() -> anyhow::Result<f64> {
    let text = fs::read_to_string("/proc/loadavg")?;
    Ok(text.split(' ').next().unwrap_or_default().parse()?)
}

/// Returns the number of transactions written to the store, as counted by the index of SQLite's log. It wraps around.
fn commits(folder: &Path) -> anyhow::Result<u32> {
    let index = fs::read(folder.join("store.sqlite3-shm"))?;
    let count =
        index.get(8..12).and_then(|bytes| bytes.try_into().ok()).context("the index of the log is too short")?;
    Ok(u32::from_ne_bytes(count))
}
