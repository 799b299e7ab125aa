//! Leasing and sending of due messages, many at a time.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{Id, JoinError, JoinSet};
use wireform_store::{Error as StoreError, LeaseQuery, Mailbox, Store};

use super::callbacks::ATTEMPT_TIMEOUT;
use crate::CalendarService;

/// Polling interval for messages written by other processes, and for retries.
const POLL_INTERVAL: Duration = Duration::from_millis(500);
/// Minimum interval between two polls, however much is written: changes in between are announced together.
const MIN_POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Maximum number of concurrent sends in total.
const MAX_CONCURRENT: u32 = 64;
/// Maximum number of concurrent sends per user.
const MAX_PER_USER: u32 = 16;
/// Duration of a lease.
const LEASE_DURATION: Duration = Duration::from_secs(20);
/// Time before the end of a lease at which the last attempt may start: it ends in time, even if the clocks of two
/// machines differ by some seconds.
const LEASE_RESERVE: Duration = Duration::from_secs(15);
const _: () =
    assert!(LEASE_DURATION.as_secs() > LEASE_RESERVE.as_secs() && LEASE_RESERVE.as_secs() > ATTEMPT_TIMEOUT.as_secs());

/// Messages being sent, with their users.
struct Sender<S> {
    service: CalendarService<S>,
    sending: JoinSet<()>,
    users: HashMap<Id, Mailbox>,
}

impl<S: Store> Sender<S> {
    fn new(service: CalendarService<S>) -> Self {
        Self { service, sending: JoinSet::new(), users: HashMap::new() }
    }

    /// Leases due messages and starts sending them. Returns their number.
    async fn begin(&mut self) -> Result<usize, StoreError> {
        let mut held = BTreeMap::new();
        for user in self.users.values() {
            *held.entry(*user).or_default() += 1;
        }
        let busy = u32::try_from(self.sending.len()).unwrap_or(u32::MAX);
        let limit = MAX_CONCURRENT.saturating_sub(busy);
        if limit == 0 {
            return Ok(0);
        }
        let (now, machine) = (self.service.clock.now(), self.service.notifier.lease_clock.now());
        // Mostly nothing is due, and a lease would block writers.
        if !self.service.store.has_due_messages(now, machine).await? {
            return Ok(0);
        }
        let until = machine.saturating_add(LEASE_DURATION);
        let query = LeaseQuery { now, system_time: machine, until, limit, max_per_user: MAX_PER_USER, held };
        let leased = self.service.store.lease_messages(query).await?;
        let count = leased.len();
        for message in leased {
            let (service, user) = (self.service.clone(), message.channel.settings.user);
            let task = self.sending.spawn(async move {
                if let Err(error) = service.deliver(message, until.saturating_sub(LEASE_RESERVE)).await {
                    tracing::warn!(cause = %error, "cannot record the outcome of a notification; it is sent again");
                }
            });
            self.users.insert(task.id(), user);
        }
        Ok(count)
    }

    /// Waits until a message is finished; returns whether there was one.
    async fn join_next(&mut self) -> bool {
        let done = self.sending.join_next_with_id().await;
        done.map(|done| self.remove_task(done)).is_some()
    }

    /// Removes finished messages.
    fn remove_finished(&mut self) {
        while let Some(done) = self.sending.try_join_next_with_id() {
            self.remove_task(done);
        }
    }

    /// Removes a finished task from the users, and logs it if it panicked.
    fn remove_task(&mut self, done: Result<(Id, ()), JoinError>) {
        let id = match done {
            Ok((id, ())) => id,
            Err(error) => {
                tracing::error!(cause = %error, "sending a notification was interrupted; it is sent again");
                error.id()
            }
        };
        self.users.remove(&id);
    }
}

impl<S: Store> CalendarService<S> {
    /// Sends the due notifications, each once. Returns the number of leased messages.
    ///
    /// # Errors
    /// Returns an error if the store is unavailable; unsent messages stay due.
    pub async fn send_notifications(&self) -> Result<usize, StoreError> {
        let mut sender = Sender::new(self.clone());
        let count = sender.begin().await?;
        while sender.join_next().await {}
        Ok(count)
    }

    /// Sends notifications as they become due, until `stop` resolves; then finishes those being sent. Several processes
    /// on a store share the work, and never send messages of the same channel concurrently.
    pub async fn keep_sending_notifications(&self, stop: impl Future<Output = ()>) {
        let mut sender = Sender::new(self.clone());
        let mut stop = pin!(stop);
        let mut looks = tokio::time::interval(POLL_INTERVAL);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let written = Arc::clone(&self.notifier.write_notify);
        loop {
            let is_full = sender.sending.len() >= MAX_CONCURRENT as usize;
            tokio::select! {
                () = &mut stop => break,
                _ = sender.join_next(), if is_full => {}
                _ = looks.tick() => {}
                () = written.notified() => tokio::time::sleep(MIN_POLL_INTERVAL).await,
            }
            sender.remove_finished();
            if let Err(error) = sender.begin().await {
                tracing::warn!(cause = %error, "cannot read due notifications; retrying later");
            }
        }
        while sender.join_next().await {}
    }
}
