//! Messages that are due are leased and sent, many at a time.

use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::{Id, JoinError, JoinSet};
use wireform_store::{Error as StoreError, LeaseQuery, Mailbox, Store};

use super::callbacks::ATTEMPT;
use crate::CalendarService;

/// How often is looked whether something is due that other processes have written, or that is tried again.
const LOOK: Duration = Duration::from_millis(500);
/// How long after a look the next one is at the earliest, however much is written: changes in between are announced
/// together.
const PAUSE: Duration = Duration::from_millis(50);
/// The most messages that are sent at once, and the most of one user.
const AT_ONCE: u32 = 64;
const OF_USER: u32 = 16;
/// How long a message is in the hands of its sender alone.
const LEASE: Duration = Duration::from_secs(20);
/// How long before the end of a lease the last attempt begins: it is over by then, also where the clocks of two machines are
/// some seconds apart.
const RESERVE: Duration = Duration::from_secs(15);
const _: () = assert!(LEASE.as_secs() > RESERVE.as_secs() && RESERVE.as_secs() > ATTEMPT.as_secs());

/// The messages that are being sent, and whose they are.
struct Sender<S> {
    service: CalendarService<S>,
    sending: JoinSet<()>,
    users: HashMap<Id, Mailbox>,
}

impl<S: Store> Sender<S> {
    fn new(service: CalendarService<S>) -> Self {
        Self { service, sending: JoinSet::new(), users: HashMap::new() }
    }

    /// Leases messages that are due, and begins to send them. Returns how many.
    async fn begin(&mut self) -> Result<usize, StoreError> {
        let mut held = BTreeMap::new();
        for user in self.users.values() {
            *held.entry(*user).or_default() += 1;
        }
        let busy = u32::try_from(self.sending.len()).unwrap_or(u32::MAX);
        let limit = AT_ONCE.saturating_sub(busy);
        if limit == 0 {
            return Ok(0);
        }
        let (now, machine) = (self.service.clock.now(), self.service.notifier.machine.now());
        // Mostly nothing is, and whoever writes would have to wait for whoever leases.
        if !self.service.store.has_due_messages(now, machine).await? {
            return Ok(0);
        }
        let until = machine.after(LEASE);
        let query = LeaseQuery { now, machine, until, limit, share: OF_USER, held };
        let leased = self.service.store.lease_messages(query).await?;
        let count = leased.len();
        for message in leased {
            let (service, user) = (self.service.clone(), message.channel.settings.user);
            let task = self.sending.spawn(async move {
                if let Err(error) = service.deliver(message, until.before(RESERVE)).await {
                    tracing::warn!(cause = %error, "a notification could not be settled; it is sent again");
                }
            });
            self.users.insert(task.id(), user);
        }
        Ok(count)
    }

    /// Waits until a message is done; answers whether there was one.
    async fn end_one(&mut self) -> bool {
        let done = self.sending.join_next_with_id().await;
        done.map(|done| self.forget(done)).is_some()
    }

    /// Forgets the messages that are done.
    fn end_done(&mut self) {
        while let Some(done) = self.sending.try_join_next_with_id() {
            self.forget(done);
        }
    }

    fn forget(&mut self, done: Result<(Id, ()), JoinError>) {
        let id = match done {
            Ok((id, ())) => id,
            Err(error) => {
                tracing::error!(cause = %error, "a notification was not sent to its end; it is sent again");
                error.id()
            }
        };
        self.users.remove(&id);
    }
}

impl<S: Store> CalendarService<S> {
    /// Sends the notifications that are due, each once. Returns how many were leased.
    ///
    /// # Errors
    /// That the store is not available; what was not sent stays due.
    pub async fn send_notifications(&self) -> Result<usize, StoreError> {
        let mut sender = Sender::new(self.clone());
        let count = sender.begin().await?;
        while sender.end_one().await {}
        Ok(count)
    }

    /// Sends notifications as they become due, until `stop` is there; then those to the end that are on their way. Of
    /// several processes on a store each sends some, and no two the messages of a channel at a time.
    pub async fn keep_sending_notifications(&self, stop: impl Future<Output = ()>) {
        let mut sender = Sender::new(self.clone());
        let mut stop = pin!(stop);
        let mut looks = tokio::time::interval(LOOK);
        looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let written = Arc::clone(&self.notifier.written);
        loop {
            let is_full = sender.sending.len() >= AT_ONCE as usize;
            tokio::select! {
                () = &mut stop => break,
                _ = sender.end_one(), if is_full => {}
                _ = looks.tick() => {}
                () = written.notified() => tokio::time::sleep(PAUSE).await,
            }
            sender.end_done();
            if let Err(error) = sender.begin().await {
                tracing::warn!(cause = %error, "notifications could not be read; they are tried again");
            }
        }
        while sender.end_one().await {}
    }
}
