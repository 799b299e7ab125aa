//! Conditions of writes, and rules about changes.

use super::*;
use crate::sample::*;

fn update(id: &str) -> Update {
    Update { id: id.into() }
}

#[test]
fn if_match_is_compared_with_the_stored_version() {
    let stored = thing("a", Some("\"v1\""));
    for (if_match, admitted) in
        [(r#""v1""#, true), (r#""v0", "v1""#, true), ("*", true), (r#""v2""#, false), (r#"W/"v1""#, false), ("", false)]
    {
        let outcome = context(&UPDATE, &[("if-match", if_match)]).admit(&update("a"), &stored);
        assert_eq!(outcome.is_ok(), admitted, "{if_match}");
        if let Err(error) = outcome {
            assert_eq!(error.status(), 412);
            assert_eq!(error.inner().location, Some(ErrorLocation::Header("If-Match".into())));
        }
    }
    assert!(context(&UPDATE, &[]).admit(&update("a"), &stored).is_ok());
}

#[test]
fn a_weak_version_is_not_matched() {
    let stored = thing("a", Some("W/\"v1\""));
    let error = context(&UPDATE, &[("if-match", "W/\"v1\"")]).admit(&update("a"), &stored).unwrap_err();
    assert_eq!(error.status(), 412);
}

#[test]
fn operations_without_a_resource_use_the_tag_of_a_read() {
    let (stored, delete) = (thing("a", Some("v1")), Delete { id: "a".into() });
    assert!(context(&DELETE, &[("if-match", "\"v1\"")]).admit_as::<Get, _>(&delete, &stored).is_ok());
    let error = context(&DELETE, &[("if-match", "\"v2\"")]).admit_as::<Get, _>(&delete, &stored).unwrap_err();
    assert_eq!(error.status(), 412);
}

#[test]
fn missing_tag_is_computed() {
    let context = context(&REPLACE, &[]);
    let tag = context.version_of::<Replace>(&thing("a", None)).unwrap().unwrap();
    let other = Thing { secret: Some("another".into()), ..thing("a", None) };
    assert_eq!(
        context.version_of::<Replace>(&other).unwrap().unwrap(),
        tag,
        "input-only fields do not affect the version"
    );
    let stale = crate::sample::context(&REPLACE, &[("if-match", tag.as_str())]);
    assert!(stale.admit(&Replace { id: "a".into() }, &thing("a", None)).is_ok());
    let error = stale.admit(&Replace { id: "b".into() }, &thing("b", None)).unwrap_err();
    assert_eq!(error.status(), 412);
    let (unwritable, _) = unwritable();
    assert_eq!(stale.admit(&Replace { id: "b".into() }, &unwritable).unwrap_err().status(), 500);
}

#[test]
fn rules_receive_the_stored_value() {
    let locked = Thing { kind: Some("locked".into()), ..thing("b", Some("v1")) };
    let error = context(&UPDATE, &[]).admit(&update("b"), &locked).unwrap_err();
    assert_eq!((error.status().as_u16(), error.violations().map(|all| all.count())), (400, Some(1)));
    assert!(context(&UPDATE, &[]).admit(&update("a"), &locked).is_ok());
    // The version is checked first: a client with an old one cannot know what is forbidden.
    let error = context(&UPDATE, &[("if-match", "\"v0\"")]).admit(&update("b"), &locked).unwrap_err();
    assert_eq!(error.status(), 412);
    let mut without = context(&UPDATE, &[]);
    without.rules = None;
    assert!(without.admit(&update("b"), &locked).is_ok());
}

#[test]
fn if_none_match_of_a_write() {
    let stored = thing("a", Some("v1"));
    for (condition, admitted) in [("*", false), ("\"v1\"", false), ("W/\"v1\"", false), ("\"v2\"", true)] {
        let outcome = context(&UPDATE, &[("if-none-match", condition)]).admit(&update("a"), &stored);
        assert_eq!(outcome.map_err(|error| error.status().as_u16()).err(), (!admitted).then_some(412), "{condition}");
    }
    assert!(context(&UPDATE, &[("if-none-match", "*")]).admit_absent(&update("a")).is_ok());
}

#[test]
fn if_match_fails_without_a_stored_value() {
    for condition in ["*", "\"v1\""] {
        let error = context(&UPDATE, &[("if-match", condition)]).admit_absent(&update("a")).unwrap_err();
        assert_eq!(error.status(), 412, "{condition}");
    }
    assert!(context(&UPDATE, &[]).admit_absent(&update("a")).is_ok());
}

#[test]
fn tag_stored_separately() {
    let tag = ETag::strong("v1").unwrap();
    let context = context(&UPDATE, &[("if-match", "\"v1\"")]);
    assert!(context.admit_version(Some(&tag)).is_ok());
    assert_eq!(context.admit_version(None).unwrap_err().status(), 412);
    assert_eq!(context.admit_version(Some(&ETag::weak("v1").unwrap())).unwrap_err().status(), 412);
}
