//! Twenty clients that search without pause for a term that occurs nowhere, so that every text is read.

use std::sync::Arc;
use std::time::Duration;

use mailbox_client::Client;
use tokio::task::JoinSet;

use super::scene::AttackContext;
use crate::server;

/// Number of concurrent searches.
pub const SEARCHERS: usize = 20;

/// Ten words: the maximum that does not reduce the number of messages examined for a page.
const QUERY: &str = "zq1 OR zq2 OR zq3 OR zq4 OR zq5 OR zq6 OR zq7 OR zq8 OR zq9 OR zq10";

/// Maximum number of pages of one search.
const MAX_PAGES: usize = 1_000;

/// Pause after a failed call.
const PAUSE: Duration = Duration::from_millis(50);

/// Runs the attack until it is over.
pub async fn run(scene: &Arc<AttackContext>, each_its_own: bool) -> anyhow::Result<()> {
    let orders = &scene.orders;
    let tokens = match each_its_own {
        true => orders.searchers.clone(),
        false => vec![orders.token.clone(); SEARCHERS],
    };
    let mut tasks = JoinSet::new();
    for token in tokens {
        let client = server::client(&orders.base(), &token, Duration::from_secs(120))?;
        let scene = Arc::clone(scene);
        tasks.spawn(async move {
            while !scene.is_over() {
                if search(&scene, &client).await.is_err() {
                    tokio::time::sleep(PAUSE).await;
                }
            }
        });
    }
    tasks.join_all().await;
    Ok(())
}

/// Searches the whole mailbox, page by page.
async fn search(scene: &AttackContext, client: &Client) -> Result<(), mailbox_client::Error> {
    let mut token: Option<String> = None;
    for _ in 0..MAX_PAGES {
        let mut call = client.users().messages().list("me").q(QUERY).max_results(500);
        if let Some(token) = token.take() {
            call = call.page_token(token);
        }
        let page = call.send().await;
        scene.count_call(&page);
        token = page?.next_page_token;
        if token.is_none() || scene.is_over() {
            break;
        }
    }
    Ok(())
}
