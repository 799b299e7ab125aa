use std::pin::pin;
use std::task::{Context, Poll, Wake, Waker};

use super::*;

const ADA: Caller = Some(Mailbox(1));
const BOB: Caller = Some(Mailbox(2));
const EVE: Caller = Some(Mailbox(3));

/// Spawns a search that waits for its turn, reports its number and continues when allowed.
fn spawn_search(
    shares: &SearchScheduler,
    caller: Caller,
    number: usize,
    admitted: &tokio::sync::mpsc::UnboundedSender<usize>,
) -> oneshot::Sender<()> {
    let admission = shares.admit(caller).expect("it is admitted");
    let (go, until) = oneshot::channel();
    let admitted = admitted.clone();
    tokio::spawn(async move {
        let turn = admission.acquire().await.expect("a turn");
        let _ = admitted.send(number);
        let _ = until.await;
        drop(turn);
    });
    go
}

#[tokio::test]
async fn lists_are_always_admitted_and_share_permits() {
    let shares = SearchScheduler::new(1);
    let lists: Vec<Admission> = (0..=MAX_SEARCHES_PER_CALLER).map(|_| shares.admit_list(ADA)).collect();
    let search = shares.admit(ADA).expect("lists are not counted as searches");
    let first = lists[0].acquire().await.expect("a turn");
    let (mut second, other) = (pin!(lists[1].acquire()), shares.admit_list(BOB));
    let mut third = pin!(other.acquire());
    let mut context = Context::from_waker(Waker::noop());
    assert!(second.as_mut().poll(&mut context).is_pending() && third.as_mut().poll(&mut context).is_pending());
    drop(first);
    assert!(second.as_mut().poll(&mut context).is_ready(), "it has waited longest");
    assert!(third.as_mut().poll(&mut context).is_ready(), "and its permit is released");
    assert_eq!(shares.state().callers[&ADA].admitted, 1);
    drop(search);
}

#[tokio::test]
async fn ended_lists_leave_no_state() {
    let shares = SearchScheduler::new(1);
    let (first, second) = (shares.admit_list(ADA), shares.admit_list(ADA));
    let turn = first.acquire().await.expect("a turn");
    drop((first, second, turn));
    assert!(shares.state().callers.is_empty());
}

#[tokio::test]
async fn callers_are_served_round_robin() {
    let shares = SearchScheduler::new(1);
    let (report, mut admitted) = tokio::sync::mpsc::unbounded_channel();
    let mut go = VecDeque::new();
    for (number, caller) in [ADA, ADA, ADA, ADA, BOB, BOB, EVE].into_iter().enumerate() {
        go.push_back(Some(spawn_search(&shares, caller, number, &report)));
        tokio::task::yield_now().await;
    }
    let mut order = Vec::new();
    while order.len() < 7 {
        let number = admitted.recv().await.expect("a search is admitted");
        assert!(admitted.try_recv().is_err(), "there is one permit");
        order.push(number);
        drop(go[number].take());
    }
    assert_eq!(order, [0, 1, 4, 6, 2, 5, 3]);
    // The last search ends after its turn.
    while Arc::strong_count(&shares.0) > 1 {
        tokio::task::yield_now().await;
    }
    assert!(shares.state().callers.is_empty() && shares.state().admitted == 0, "nothing is left");
}

#[tokio::test]
async fn a_caller_has_one_permit_at_a_time() {
    let shares = SearchScheduler::new(3);
    let (report, mut admitted) = tokio::sync::mpsc::unbounded_channel();
    let _ada: Vec<_> = (0..5).map(|number| spawn_search(&shares, ADA, number, &report)).collect();
    let _bob = spawn_search(&shares, BOB, 10, &report);
    let mut at_work = [admitted.recv().await, admitted.recv().await];
    at_work.sort_unstable();
    assert_eq!(at_work, [Some(0), Some(10)]);
    tokio::task::yield_now().await;
    assert!(admitted.try_recv().is_err(), "a permit is free, but no search may have it");
}

#[tokio::test]
async fn cancelled_searches_are_skipped() {
    let shares = SearchScheduler::new(1);
    let (first, second, third) = (shares.admit(ADA), shares.admit(BOB), shares.admit(EVE));
    let (first, second, third) = (first.expect("ada"), second.expect("bob"), third.expect("eve"));
    let turn = first.acquire().await.expect("it is free");
    let mut context = Context::from_waker(Waker::noop());
    {
        let gone = pin!(second.acquire());
        assert!(matches!(gone.poll(&mut context), Poll::Pending));
    }
    let mut waits = pin!(third.acquire());
    assert!(matches!(waits.as_mut().poll(&mut context), Poll::Pending));
    drop(second);
    drop(turn);
    assert!(matches!(waits.poll(&mut context), Poll::Ready(Ok(_))));
}

/// Waker that records whether the state is locked when it is called.
struct LockProbe {
    shares: SearchScheduler,
    was_free: Mutex<Vec<bool>>,
}

impl Wake for LockProbe {
    fn wake(self: Arc<Self>) {
        let is_free = self.shares.0.try_lock().is_ok();
        self.was_free.lock().expect("a list").push(is_free);
    }
}

/// A waiter that is dropped while it is handed a turn makes the same thread return the turn.
#[test]
fn the_state_is_unlocked_while_a_permit_is_delivered() {
    let shares = SearchScheduler::new(1);
    let (first, second) = (shares.admit(ADA).expect("ada"), shares.admit(BOB).expect("bob"));
    let probe = Arc::new(LockProbe { shares: shares.clone(), was_free: Mutex::default() });
    let waker = Waker::from(Arc::clone(&probe));
    let mut turn = pin!(first.acquire());
    let Poll::Ready(Ok(turn)) = turn.as_mut().poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("it is free");
    };
    let mut waits = pin!(second.acquire());
    assert!(waits.as_mut().poll(&mut Context::from_waker(&waker)).is_pending());
    drop(turn);
    assert_eq!(*probe.was_free.lock().expect("a list"), [true]);
}

/// The search ends between its selection and the message to it.
#[test]
fn an_unclaimed_permit_goes_to_the_next_search() {
    let shares = SearchScheduler::new(1);
    let (gone, second) = (shares.admit(ADA).expect("ada"), shares.admit(BOB).expect("bob"));
    let (sender, receiver) = oneshot::channel();
    shares.state().callers.entry(ADA).or_default().waiting.push_back(sender);
    shares.state().queue.push_back(ADA);
    let (caller, waiting) = shares.next().expect("a free permit");
    drop(receiver);
    shares.deliver(caller, waiting);
    let mut waits = pin!(second.acquire());
    assert!(matches!(waits.as_mut().poll(&mut Context::from_waker(Waker::noop())), Poll::Ready(Ok(_))));
    drop(gone);
}

#[test]
fn searches_are_limited_per_caller_and_in_total() {
    let shares = SearchScheduler::new(1);
    let ada: Vec<_> = (0..MAX_SEARCHES_PER_CALLER).map(|_| shares.admit(ADA).expect("it is admitted")).collect();
    let refused = shares.admit(ADA);
    assert!(matches!(refused, Err(Error::Unavailable(Unavailable::TooManySearches))), "{refused:?}");
    let others: Vec<_> = (MAX_SEARCHES_PER_CALLER..MAX_SEARCHES)
        .map(|number| shares.admit(Some(Mailbox(number as i64))).expect("it is admitted"))
        .collect();
    let refused = shares.admit(BOB);
    assert!(matches!(refused, Err(Error::Unavailable(Unavailable::Busy))), "{refused:?}");
    drop((ada, others));
    drop(shares.admit(ADA).expect("it is admitted again"));
    assert!(shares.state().callers.is_empty());
}

#[tokio::test]
async fn work_runs_in_turns_off_the_workers() {
    let shares = SearchScheduler::new(1);
    let worker = std::thread::current().id();
    let (entered, mut has_entered) = tokio::sync::mpsc::unbounded_channel();
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let first = shares.run(Some(Mailbox(1)), move || {
        let _ = (entered.send(()), wait.recv());
        std::thread::current().id()
    });
    let second = shares.run(Some(Mailbox(1)), || 2);
    let third = shares.run(Some(Mailbox(2)), || 3);
    let (mut first, mut second, mut third) = (pin!(first), pin!(second), pin!(third));
    let mut context = Context::from_waker(Waker::noop());
    assert!(first.as_mut().poll(&mut context).is_pending());
    has_entered.recv().await.expect("the first is running");
    assert!(second.as_mut().poll(&mut context).is_pending() && third.as_mut().poll(&mut context).is_pending());
    drop(go);
    assert_ne!(first.await.expect("it runs"), worker);
    assert_eq!((third.await.expect("it runs"), second.await.expect("it runs")), (3, 2));
    let panicked = shares.run(Some(Mailbox(1)), || panic!("on purpose")).await;
    assert!(panicked.is_err(), "{panicked:?}");
    assert_eq!(shares.run(Some(Mailbox(1)), || 4).await.expect("the turn was returned"), 4);
}
