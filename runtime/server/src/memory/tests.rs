//! Shares of a budget.

use std::net::SocketAddr;

use axum::extract::ConnectInfo;
use futures_util::FutureExt as _;

use super::*;
use crate::Principal;
use crate::sample;

const NO_TIME: Duration = Duration::ZERO;
const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn caller_is_limited_to_half_of_the_budget() {
    let budget = MemoryBudget::new(100).with_wait(NO_TIME);
    let (one, two, other) = (budget.share("ana"), budget.share("ana"), budget.share("ben"));
    one.reserve(40).await.unwrap();
    two.reserve(20).await.unwrap_err();
    two.reserve(10).await.unwrap();
    other.reserve(50).await.unwrap();
    assert_eq!((budget.held(), budget.peak()), (100, 100));
    drop(one);
    two.reserve(50).await.unwrap();
    two.shrink(5);
    drop(other);
    assert_eq!((budget.held(), budget.peak()), (5, 100));
    // A request beyond the maximum of the caller gets the maximum.
    two.reserve(1000).await.unwrap();
    assert_eq!(two.held(), 50);
    drop(two);
    assert_eq!(budget.held(), 0);
    assert!(budget.lock().accounts.is_empty());
}

#[tokio::test]
async fn caller_limit_can_be_set() {
    let budget = MemoryBudget::new(100).with_caller_bytes(70).with_wait(NO_TIME);
    let (one, two, other) = (budget.share("ana"), budget.share("ana"), budget.share("ben"));
    one.reserve(70).await.unwrap();
    two.reserve(1).await.unwrap_err();
    other.reserve(31).await.unwrap_err();
    other.reserve(30).await.unwrap();
    assert_eq!(MemoryBudget::new(100).with_caller_bytes(1000).max_caller_bytes(), 100);
}

#[tokio::test]
async fn waiters_are_granted_in_order_except_callers_at_their_limit() {
    let budget = MemoryBudget::new(100).with_wait(LONG);
    let (ana, ben) = (budget.share("ana"), budget.share("ben"));
    ana.reserve(50).await.unwrap();
    ben.reserve(40).await.unwrap();
    let (more, much, little) = (budget.share("ana"), budget.share("cy"), budget.share("di"));
    let (mut more, mut much, mut little) =
        (Box::pin(more.reserve(10)), Box::pin(much.reserve(30)), Box::pin(little.reserve(5)));
    for waiting in [&mut more, &mut much, &mut little] {
        assert!(waiting.as_mut().now_or_never().is_none());
    }
    drop(ben);
    much.await.unwrap();
    little.await.unwrap();
    assert!(more.as_mut().now_or_never().is_none());
    drop(ana);
    more.await.unwrap();
}

#[tokio::test]
async fn dropped_waiter_returns_its_grant() {
    let budget = MemoryBudget::new(100).with_wait(LONG);
    let (ana, ben) = (budget.share("ana"), budget.share("ben"));
    ana.reserve(50).await.unwrap();
    ben.reserve(50).await.unwrap();
    let cy = budget.share("cy");
    let mut waiting = Box::pin(cy.reserve(50));
    assert!(waiting.as_mut().now_or_never().is_none());
    // It was granted, but does not receive the grant.
    drop(ana);
    drop(waiting);
    assert_eq!(budget.held(), 50);
    // A waiter that was dropped does not block others.
    let mut waiting = Box::pin(cy.reserve(50));
    assert!(waiting.as_mut().now_or_never().is_some());
    let di = budget.share("di");
    let mut gone = Box::pin(di.reserve(50));
    assert!(gone.as_mut().now_or_never().is_none());
    drop(gone);
    drop(ben);
    budget.share("ed").reserve(50).await.unwrap();
}

#[tokio::test]
async fn dropped_waiter_unblocks_the_next_one() {
    let budget = MemoryBudget::new(100).with_wait(LONG);
    let (ana, ben) = (budget.share("ana"), budget.share("ben"));
    ana.reserve(50).await.unwrap();
    ben.reserve(40).await.unwrap();
    let (much, little) = (budget.share("cy"), budget.share("di"));
    let (mut much, mut little) = (Box::pin(much.reserve(30)), Box::pin(little.reserve(5)));
    assert!(much.as_mut().now_or_never().is_none());
    assert!(little.as_mut().now_or_never().is_none());
    // Nothing is released here.
    drop(much);
    assert!(little.as_mut().now_or_never().is_some());
}

#[tokio::test(start_paused = true)]
async fn clones_share_memory_but_not_timeouts() {
    let budget = MemoryBudget::new(100).with_wait(LONG);
    let impatient = budget.clone().with_wait(NO_TIME).with_pause(NO_TIME);
    let ana = budget.share("ana");
    ana.reserve(50).await.unwrap();
    assert_eq!(impatient.held(), 50);
    let begin = tokio::time::Instant::now();
    impatient.share("ana").reserve(1).await.unwrap_err();
    assert_eq!(begin.elapsed(), NO_TIME);
    budget.share("ana").reserve(1).await.unwrap_err();
    assert_eq!(begin.elapsed(), LONG);
}

#[tokio::test]
async fn growing_shares_respect_claims_of_a_caller() {
    let budget = MemoryBudget::new(100).with_wait(LONG);
    let (one, two, other) = (budget.share("ana"), budget.share("ana"), budget.share("ben"));
    one.claim(40);
    two.claim(40);
    one.reserve(20).await.unwrap();
    two.reserve(10).await.unwrap();
    // There is room for it, but then neither could continue.
    let mut more = Box::pin(two.reserve(20));
    assert!(more.as_mut().now_or_never().is_none());
    // Others do not block each other.
    other.reserve(50).await.unwrap();
    one.reserve(40).await.unwrap();
    assert!(more.as_mut().now_or_never().is_none());
    one.shrink(30);
    more.await.unwrap();
    assert_eq!(budget.held(), 100);
}

#[tokio::test]
async fn growing_shares_respect_claims_of_other_callers() {
    let budget = MemoryBudget::new(100).with_wait(LONG);
    let shares = ["ana", "ben", "cy"].map(|caller| budget.share(caller));
    for share in &shares {
        share.claim(45);
        share.reserve(20).await.unwrap();
    }
    // Any of them can reach its claim, and then the others.
    let [ana, ben, cy] = &shares;
    ana.reserve(40).await.unwrap();
    let (mut second, mut third) = (Box::pin(ben.reserve(40)), Box::pin(cy.reserve(40)));
    assert!(second.as_mut().now_or_never().is_none());
    assert!(third.as_mut().now_or_never().is_none());
    // A share that holds something does not wait for one that waits for it.
    let newcomer = budget.share("di");
    let mut newcomer = Box::pin(newcomer.reserve(40));
    assert!(newcomer.as_mut().now_or_never().is_none());
    ana.reserve(45).await.unwrap();
    ana.shrink(0);
    second.await.unwrap();
    third.await.unwrap();
    assert!(newcomer.as_mut().now_or_never().is_none());
    ben.shrink(0);
    newcomer.await.unwrap();
}

#[tokio::test]
async fn peers_without_a_credential_are_not_one_caller() {
    let budget = MemoryBudget::new(100).with_wait(NO_TIME);
    let share = |principal: Principal, peer: &str| {
        let mut context = sample::context(&sample::GET, &[]);
        context.principal = principal;
        context.parts.extensions.insert(ConnectInfo(peer.parse::<SocketAddr>().unwrap()));
        context.share(&budget)
    };
    let anonymous = Principal::anonymous;
    let one = share(anonymous(), "192.0.2.1:80");
    one.reserve(50).await.unwrap();
    share(anonymous(), "192.0.2.1:81").reserve(1).await.unwrap_err();
    let other = share(anonymous(), "192.0.2.2:80");
    other.reserve(25).await.unwrap();
    // A user of that name is another caller.
    share(Principal::new("anonymous"), "192.0.2.1:80").reserve(25).await.unwrap();
}
