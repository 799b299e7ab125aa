//! Shares of a budget.

use futures_util::FutureExt as _;

use super::*;

const NO_TIME: Duration = Duration::ZERO;
const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_caller_holds_half_and_others_have_the_rest() {
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
    // What needs more than a caller can have takes all of that.
    two.reserve(1000).await.unwrap();
    assert_eq!(two.held(), 50);
    drop(two);
    assert_eq!(budget.held(), 0);
    assert!(budget.0.lock().by_caller.is_empty());
}

#[tokio::test]
async fn waiters_are_served_in_their_order_and_one_that_has_its_part_lets_others_pass() {
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
async fn who_has_gone_gives_back_what_was_granted() {
    let budget = MemoryBudget::new(100).with_wait(LONG);
    let (ana, ben) = (budget.share("ana"), budget.share("ben"));
    ana.reserve(50).await.unwrap();
    ben.reserve(50).await.unwrap();
    let cy = budget.share("cy");
    let mut waiting = Box::pin(cy.reserve(50));
    assert!(waiting.as_mut().now_or_never().is_none());
    // It was granted, and does not hear of it.
    drop(ana);
    drop(waiting);
    assert_eq!(budget.held(), 50);
    // One that has gone before does not stand in the way.
    let mut waiting = Box::pin(cy.reserve(50));
    assert!(waiting.as_mut().now_or_never().is_some());
    let di = budget.share("di");
    let mut gone = Box::pin(di.reserve(50));
    assert!(gone.as_mut().now_or_never().is_none());
    drop(gone);
    drop(ben);
    budget.share("ed").reserve(50).await.unwrap();
}
