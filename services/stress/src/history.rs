//! Page of the history of a mailbox with a million messages.

use std::time::Instant;

use anyhow::{Context as _, ensure};
use mailbox_client::Client;
use rand::RngExt as _;
use tokio::runtime::Handle;
use tokio::task::block_in_place;
use wireform_rounds::{Rounds, Side};
use wireform_store::{
    Accounts as _, HistoryCursor, HistoryId, HistoryQuery, HistoryStart, Mailbox, Mailboxes as _, Maintenance as _,
    NewToken, Secret, Sqlite, TokenKind,
};

use crate::build;
use crate::server::Server;

/// Settings of the measurement.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Number of rounds; each sends 50 requests.
    #[arg(long, default_value_t = 25)]
    rounds: usize,
}

/// Number of requests per round, of which the median counts.
const REQUESTS_PER_ROUND: usize = 50;

/// Start history IDs: issued ones, anywhere in the history with a full page after them.
struct Starts(Vec<u64>);

impl Starts {
    /// Chooses 500 random history IDs of the mailbox.
    async fn of(store: &Sqlite, mailbox: Mailbox) -> anyhow::Result<Self> {
        let overview = store.overview().await?;
        let one = overview.mailboxes.iter().find(|one| one.user.mailbox == mailbox).context("no such mailbox")?;
        let (oldest, current) = (one.oldest_start.0, one.profile.history.0);
        let epoch = store.epoch().await?;
        let mut starts = Vec::new();
        while starts.len() < 500 {
            // Any number is followed by a record, whose own number was issued.
            let anywhere = rand::rng().random_range(oldest..current - (current - oldest) / 20);
            let start = HistoryStart::Cursor(HistoryCursor { after: HistoryId(anywhere), epoch });
            let query = HistoryQuery { start, label: None, kinds: vec![], limit: 1 };
            starts.extend(store.history(mailbox, query).await?.records.iter().map(|record| record.id.0));
        }
        Ok(Self(starts))
    }

    /// Returns one of the start history IDs at random.
    fn random(&self) -> u64 {
        self.0.get(rand::rng().random_range(0..self.0.len())).copied().unwrap_or(0)
    }
}

/// Adds a token with the full mail scope, and returns its secret.
async fn token(store: &Sqlite, user: Mailbox) -> anyhow::Result<String> {
    let secret = Secret::random();
    let now = wireform_store::Clock::system().now();
    let scopes = vec!["https://mail.google.com/".to_owned()];
    let (hash, note) = (secret.hash(), "stress".to_owned());
    store.add_token(NewToken { user, hash, kind: TokenKind::User, scopes, expires: None, note, now }).await?;
    Ok(secret.reveal().to_owned())
}

/// Runs the measurement.
pub async fn run(settings: &Settings) -> anyhow::Result<()> {
    let folder = build::existing()?;
    let (store, large, small) = build::mailboxes(&folder).await?;
    let starts = (Starts::of(&store, large).await?, Starts::of(&store, small).await?);
    let tokens = (token(&store, large).await?, token(&store, small).await?);
    store.close().await;
    let mut server = Server::start(&folder, &[])?;
    server.token = tokens.0;
    let of_large = server.client()?;
    server.token = tokens.1;
    let of_small = server.client()?;
    let sides = vec![
        Side::new("1 of many: the large mailbox", || measure_requests(&of_large, &starts.0)),
        Side::new("the small mailbox", || measure_requests(&of_small, &starts.1)),
    ];
    Rounds::measure(settings.rounds, sides)?.print("history.list of 100 records over HTTP, the median of 50 in turns");
    server.stop()
}

/// Returns the median duration of some calls, in seconds.
fn measure_requests(client: &Client, starts: &Starts) -> anyhow::Result<f64> {
    let mut times = Vec::with_capacity(REQUESTS_PER_ROUND);
    for _ in 0..REQUESTS_PER_ROUND {
        let start = starts.random();
        let begun = Instant::now();
        let call = client.users().history().list("me", start).max_results(100).send();
        let page = block_in_place(|| Handle::current().block_on(call))?;
        times.push(begun.elapsed().as_secs_f64());
        ensure!(page.history.len() == 100, "a page of {} records after {start}", page.history.len());
    }
    times.sort_by(f64::total_cmp);
    times.get(REQUESTS_PER_ROUND / 2).copied().context("nothing was measured")
}
