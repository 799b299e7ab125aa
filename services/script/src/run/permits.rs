//! Fair scheduling of concurrent executions by user.
//!
//! An execution keeps its permit to its end, for minutes if it sleeps. So turns are not enough: a quarter of the permits is
//! kept for users without an execution, and a free permit goes to the waiting user with the fewest ones.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};
use wireform_store::{Error, Mailbox, Result, Unavailable};

/// Fraction of the permits that only users without an execution get.
const RESERVED_FRACTION: usize = 4;

/// Permits for concurrent executions.
#[derive(Debug, Clone)]
pub(crate) struct Permits(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// Notification that a permit was released.
    released: Notify,
}

#[derive(Debug)]
struct State {
    free: usize,
    reserved: usize,
    /// True once no execution may start any more.
    is_closed: bool,
    /// Number of permits of each user that has one.
    running: HashMap<Mailbox, usize>,
    waiting: VecDeque<(Mailbox, oneshot::Sender<Permit>)>,
}

/// Permit for an execution, released on drop.
#[derive(Debug)]
pub(crate) struct Permit {
    permits: Permits,
    user: Mailbox,
}

impl Permits {
    /// Creates the permits of a server that runs `concurrency` executions at once.
    pub(super) fn new(concurrency: usize) -> Self {
        let (running, waiting) = (HashMap::new(), VecDeque::new());
        let reserved = concurrency / RESERVED_FRACTION;
        let state = State { free: concurrency, reserved, is_closed: false, running, waiting };
        Self(Arc::new(Shared { state: Mutex::new(state), released: Notify::new() }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a permit, if there is one for the user. Executions that wait have none: it would be theirs already.
    pub(super) fn try_acquire(&self, user: Mailbox) -> Option<Permit> {
        self.state().take(user).then(|| Permit { permits: self.clone(), user })
    }

    /// Waits for a permit.
    pub(super) async fn acquire(&self, user: Mailbox) -> Result<Permit> {
        let (sender, receiver) = oneshot::channel();
        {
            let mut state = self.state();
            if state.is_closed {
                return Err(Error::Unavailable(Unavailable::Closed));
            }
            state.waiting.push_back((user, sender));
        }
        self.dispatch();
        receiver.await.map_err(|_| Error::Unavailable(Unavailable::Closed))
    }

    /// Lets no execution start any more, and waits until all have ended.
    pub(super) async fn close(&self) {
        let waiting = {
            let mut state = self.state();
            state.is_closed = true;
            std::mem::take(&mut state.waiting)
        };
        drop(waiting);
        loop {
            let released = self.0.released.notified();
            if self.state().running.is_empty() {
                return;
            }
            released.await;
        }
    }

    /// Hands out permits as long as there is one for a waiting execution. The state is unlocked meanwhile: the permit of an
    /// execution that waits no longer is released at once.
    fn dispatch(&self) {
        loop {
            let Some((user, waiting)) = self.state().next() else { return };
            drop(waiting.send(Permit { permits: self.clone(), user }));
        }
    }
}

impl State {
    /// Returns whether there is a permit for a user.
    fn has_permit(&self, user: Mailbox) -> bool {
        let is_allowed = self.free > self.reserved || !self.running.contains_key(&user);
        self.free > 0 && !self.is_closed && is_allowed
    }

    /// Takes a permit, if there is one for the user.
    fn take(&mut self, user: Mailbox) -> bool {
        let is_taken = self.has_permit(user);
        if is_taken {
            self.free -= 1;
            *self.running.entry(user).or_default() += 1;
        }
        is_taken
    }

    /// Takes a permit for a waiting execution: of the user with the fewest permits, and of several the one that has waited
    /// longest.
    fn next(&mut self) -> Option<(Mailbox, oneshot::Sender<Permit>)> {
        self.waiting.retain(|(_, waiting)| !waiting.is_closed());
        let count = |user: &Mailbox| self.running.get(user).copied().unwrap_or_default();
        let users = self.waiting.iter().map(|(user, _)| *user).enumerate();
        let (at, user) = users.filter(|(_, user)| self.has_permit(*user)).min_by_key(|(_, user)| count(user))?;
        self.take(user);
        self.waiting.remove(at)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        {
            let mut state = self.permits.state();
            state.free += 1;
            match state.running.get_mut(&self.user) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(state.running.remove(&self.user)),
            }
        }
        self.permits.0.released.notify_waiters();
        self.permits.dispatch();
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    const ADA: Mailbox = Mailbox(1);
    const BOB: Mailbox = Mailbox(2);
    const EVE: Mailbox = Mailbox(3);

    /// Returns the permit if it is there.
    fn poll(waiting: std::pin::Pin<&mut impl Future<Output = Result<Permit>>>) -> Option<Permit> {
        match waiting.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(permit) => Some(permit.unwrap()),
            Poll::Pending => None,
        }
    }

    #[test]
    fn one_user_leaves_permits_to_others() {
        let permits = Permits::new(8);
        let all: Vec<_> = std::iter::from_fn(|| permits.try_acquire(ADA)).collect();
        assert_eq!(all.len(), 6);
        let others = [BOB, EVE].map(|user| permits.try_acquire(user));
        assert!(others.iter().all(Option::is_some) && permits.try_acquire(Mailbox(4)).is_none());
        drop((all, others));
        assert!(permits.state().running.is_empty());
        let all = std::iter::from_fn(|| permits.try_acquire(BOB)).collect::<Vec<_>>();
        assert_eq!(all.len(), 6);
        let few = Permits::new(3);
        assert_eq!(std::iter::from_fn(|| few.try_acquire(BOB)).collect::<Vec<_>>().len(), 3, "none of few is reserved");
    }

    #[test]
    fn free_permits_go_to_the_user_with_the_fewest() {
        let permits = Permits::new(3);
        let mut running: Vec<_> = (0..3).map(|_| permits.try_acquire(ADA).unwrap()).collect();
        let (mut first, mut second) = (pin!(permits.acquire(ADA)), pin!(permits.acquire(BOB)));
        let mut third = pin!(permits.acquire(BOB));
        assert!(poll(first.as_mut()).is_none() && poll(second.as_mut()).is_none() && poll(third.as_mut()).is_none());
        running.pop();
        assert!(poll(first.as_mut()).is_none());
        let bob = poll(second.as_mut()).expect("no execution of Bob runs");
        running.pop();
        // Each has one now, and Ada has waited longer.
        running.extend(poll(first.as_mut()));
        assert_eq!(running.len(), 2);
        drop(bob);
        assert!(poll(third.as_mut()).is_some());
    }

    #[tokio::test]
    async fn closing_ends_waiting_executions_and_awaits_running_ones() {
        let permits = Permits::new(1);
        let running = permits.try_acquire(ADA).unwrap();
        let (mut waiting, mut closing) = (pin!(permits.acquire(BOB)), pin!(permits.close()));
        let mut context = Context::from_waker(Waker::noop());
        assert!(waiting.as_mut().poll(&mut context).is_pending() && closing.as_mut().poll(&mut context).is_pending());
        assert!(matches!(waiting.await, Err(Error::Unavailable(Unavailable::Closed))));
        drop(running);
        closing.await;
        assert!(permits.try_acquire(EVE).is_none() && permits.acquire(EVE).await.is_err());
    }

    #[test]
    fn abandoned_executions_take_no_permit() {
        let permits = Permits::new(1);
        let running = permits.try_acquire(ADA).unwrap();
        {
            let mut abandoned = pin!(permits.acquire(BOB));
            assert!(poll(abandoned.as_mut()).is_none());
            drop(running);
            // It was handed out, and nobody takes it.
        }
        assert!(permits.try_acquire(EVE).is_some());
    }
}
