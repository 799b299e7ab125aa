//! Tokens open only for the request that they are bound to.

mod forgery;
mod sync;

use proptest::prelude::*;
use wireform_runtime::{Naming, Paginated as _, Syncable as _};

use super::binding::{Binding, TokenKind};
use super::seal::OpenError;
use super::*;
use crate::auth::Principal;
use crate::context::Context;
use crate::error::{Error, ErrorLocation};
use crate::sample::{self, LIST, List, ListOthers};

fn sealer() -> TokenSealer {
    TokenSealer::new([7; 32]).with_free_parameters(&["maxResults"])
}

fn list() -> List {
    List { parent: "p".into(), query: Some("a b".into()), most: Some(5), zone: Some("Z".into()), ..List::default() }
}

fn context() -> Context {
    sample::context(&LIST, &[])
}

fn with_page(list: List, token: &str) -> List {
    List { page: Some(token.to_owned()), ..list }
}

fn open(sealer: &TokenSealer, context: &Context, list: &List) -> Result<Option<(u32, String)>, Error> {
    sealer.open_page(context, list)
}

#[test]
fn token_opens_for_its_request() {
    let token = sealer().seal_page(&context(), &list(), &(5, "after")).unwrap();
    assert!(token.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'), "{token}");
    let opened = open(&sealer(), &context(), &with_page(list(), &token)).unwrap();
    assert_eq!(opened, Some((5, "after".to_owned())));
    assert_eq!(open(&sealer(), &context(), &list()).unwrap(), None, "the first page has no token");
    assert_ne!(sealer().seal_page(&context(), &list(), &(5, "after")).unwrap(), token, "each has a separate nonce");
    // It is returned for the second page in response to the first, and for the third in response to the second.
    let third = sealer().seal_page(&context(), &with_page(list(), &token), &(9, "x")).unwrap();
    assert!(open(&sealer(), &context(), &with_page(list(), &third)).unwrap().is_some());
    // A free parameter may change.
    let other = List { most: None, ..with_page(list(), &token) };
    assert!(open(&sealer(), &context(), &other).unwrap().is_some());
}

/// Checks that a token is refused, and that the error names the parameter.
fn assert_rejected(sealer: &TokenSealer, context: &Context, list: &List) {
    let error = open(sealer, context, list).unwrap_err();
    assert_eq!(error.status(), 400, "{list:?}");
    assert_eq!(error.inner().location, Some(ErrorLocation::Parameter("pageToken".into())));
    assert!(
        !error.message().contains(list.page_token().as_deref().unwrap_or_default()) || list.page.as_deref() == Some("")
    );
}

#[test]
fn token_is_invalid_for_other_requests() {
    let token = sealer().seal_page(&context(), &list(), &(5, "after")).unwrap();
    let shown = || with_page(list(), &token);
    let others = [
        List { parent: "q".into(), ..shown() },
        List { query: None, ..shown() },
        List { query: Some("a".into()), ..shown() },
        List { cursor: Some("c".into()), ..shown() },
        List { zone: None, ..shown() },
        List { zone: Some("Y".into()), ..shown() },
    ];
    for other in &others {
        assert_rejected(&sealer(), &context(), other);
    }
    let other_caller = Context { principal: Principal::new("somebody else"), ..context() };
    assert_rejected(&sealer(), &other_caller, &shown());
    assert_rejected(&TokenSealer::new([8; 32]).with_free_parameters(&["maxResults"]), &context(), &shown());
    assert_rejected(&TokenSealer::new([7; 32]), &context(), &shown());
    let elsewhere = ListOthers {
        parent: "p".into(),
        query: Some("a b".into()),
        most: Some(5),
        zone: Some("Z".into()),
        ..ListOthers::default()
    };
    let there = sealer().seal_page(&context(), &elsewhere, &(5, "after")).unwrap();
    assert_rejected(&sealer(), &context(), &with_page(list(), &there));
    let sync = sealer().seal_sync(&context(), &list(), &(5, "after")).unwrap().unwrap();
    assert_rejected(&sealer(), &context(), &with_page(list(), &sync));
    // Another type of payload, as an earlier release may have had it.
    let earlier = sealer().seal_page(&context(), &list(), &"text").unwrap();
    assert_rejected(&sealer(), &context(), &with_page(list(), &earlier));
}

#[test]
fn the_error_names_the_parameter_as_the_server_spells_it() {
    let public = Context { settings: sample::settings(Naming::Public), ..context() };
    let error = open(&sealer(), &public, &with_page(list(), "x")).unwrap_err();
    assert_eq!(error.inner().location, Some(ErrorLocation::Parameter("page_token".into())));
}

#[test]
fn tokens_from_before_a_restore_have_their_own_errors() {
    let error = expired_page(&context(), &with_page(list(), "x"));
    assert_eq!(
        (error.status(), error.inner().location.as_ref()),
        (http::StatusCode::GONE, Some(&ErrorLocation::Parameter("pageToken".into())))
    );
    let error = expired_sync::<List>();
    assert_eq!(error.status(), List::EXPIRED_TOKEN.status);
    assert_eq!(reason(&error), List::EXPIRED_TOKEN.reason);
    assert_eq!(error.inner().location, List::EXPIRED_TOKEN.location.map(|at| ErrorLocation::Parameter(at.into())));
}

#[test]
fn free_parameters_are_known_by_all_their_names() {
    let sealer = TokenSealer::new([7; 32]).with_free_parameters(&["pageSize", "x-zone"]);
    let token = sealer.seal_page(&context(), &list(), &(5, "after")).unwrap();
    let other = List { most: Some(6), zone: None, ..with_page(list(), &token) };
    assert!(open(&sealer, &context(), &other).unwrap().is_some());
    assert_rejected(&sealer, &context(), &List { query: None, ..other });
}

#[test]
fn older_keys_open_and_do_not_seal() {
    let token = sealer().seal_page(&context(), &list(), &(5, "after")).unwrap();
    let rotated =
        TokenSealer::new([8; 32]).with_older([9; 32]).with_older([7; 32]).with_free_parameters(&["maxResults"]);
    assert!(open(&rotated, &context(), &with_page(list(), &token)).unwrap().is_some());
    let new = rotated.seal_page(&context(), &list(), &(5, "after")).unwrap();
    assert!(open(&rotated, &context(), &with_page(list(), &new)).unwrap().is_some());
    assert_rejected(&sealer(), &context(), &with_page(list(), &new));
    assert_rejected(&TokenSealer::new([9; 32]), &context(), &with_page(list(), &new));
    let many = (10..30).fold(sealer(), |sealer, key| sealer.with_older([key; 32]));
    assert_eq!(many.keys.len(), 1 + MAX_OLDER_KEYS);
}

#[test]
fn tokens_expire() {
    let binding = Binding::new(TokenKind::Page, "s", &list(), &[]).unwrap();
    let limited = sealer().with_max_age(Duration::from_secs(60));
    let token = sealer().seal(&binding, &1, 1000).unwrap();
    for (now, opened) in
        [(0, Ok(1)), (1000, Ok(1)), (1060, Ok(1)), (1061, Err(OpenError::TooOld)), (u64::MAX, Err(OpenError::TooOld))]
    {
        assert_eq!(limited.open::<u32>(&binding, &token, now), opened, "{now}");
        assert_eq!(sealer().open::<u32>(&binding, &token, now), Ok(1), "{now}");
    }
    let other = Binding::new(TokenKind::Page, "t", &list(), &[]).unwrap();
    assert_eq!(limited.open::<u32>(&other, &token, u64::MAX), Err(OpenError::Invalid), "its age is secret");
}

#[test]
fn payload_size_is_limited() {
    let fits = "x".repeat(MAX_PAYLOAD - 2);
    let token = sealer().seal_page(&context(), &list(), &fits).unwrap();
    assert_eq!(sealer().open_page::<_, String>(&context(), &with_page(list(), &token)).unwrap(), Some(fits.clone()));
    let error = sealer().seal_page(&context(), &list(), &(fits + "x")).unwrap_err();
    assert_eq!(error.status(), 500);
    let unwritable = std::collections::BTreeMap::from([((1, 2), 3)]);
    assert_eq!(sealer().seal_page(&context(), &list(), &unwritable).unwrap_err().status(), 500);
}

#[test]
fn no_key_is_shown() {
    let shown = format!("{:?}", TokenSealer::new(*b"abcdefghijklmnopqrstuvwxyz012345").with_older([123; 32]));
    assert_eq!(shown, "TokenSealer { keys: 2, max_age: None, free: [] }");
    let (one, other) = (TokenSealer::random().unwrap(), TokenSealer::random().unwrap());
    let token = one.seal_page(&context(), &list(), &(1, "x")).unwrap();
    assert!(open(&one, &context(), &with_page(list(), &token)).is_ok());
    assert_rejected(&other, &context(), &with_page(list(), &token));
}

fn lists() -> impl Strategy<Value = List> {
    let text = || prop::option::of("[ab&=?/%,]{0,3}");
    ("[ab&=?/%,]{1,3}", any::<Option<i32>>(), text(), text(), prop::option::of("[ab]{1,2}"))
        .prop_map(|(parent, most, query, cursor, zone)| List { parent, most, query, cursor, zone, ..List::default() })
}

proptest! {
    #[test]
    fn a_token_opens_if_and_only_if_everything_is_the_same(
        list in lists(), other in lists(), same in any::<bool>(),
        subjects in ("[ab]{0,2}", "[ab]{0,2}"), payload in ".{0,40}",
    ) {
        let other = if same { List { most: other.most, ..list.clone() } } else { other };
        let context = |subject: &str| Context { principal: Principal::new(subject), ..context() };
        let token = sealer().seal_page(&context(&subjects.0), &list, &payload).unwrap();
        let opened = sealer().open_page::<_, String>(&context(&subjects.1), &with_page(other.clone(), &token));
        let equal = List { most: None, ..list } == List { most: None, ..other } && subjects.0 == subjects.1;
        prop_assert_eq!(opened.ok(), equal.then_some(Some(payload)));
    }

    #[test]
    fn arbitrary_text_is_rejected(text in "[A-Za-z0-9_=.-]{0,200}|.{0,60}") {
        prop_assert!(open(&sealer(), &context(), &with_page(list(), &text)).is_err());
    }
}

#[test]
fn a_sync_token_that_cannot_be_parsed_is_reported_whatever_the_handler_does() {
    let unreadable =
        |token: &str| Context { unreadable_sync_token: Some(token.to_owned()), ..sample::context(&LIST, &[]) };
    let context = unreadable("x\n");
    for error in [
        open(&sealer(), &context, &list()).unwrap_err(),
        sealer().open_sync::<_, u32>(&context, list()).unwrap_err(),
        context.respond::<List>(sample::Things::default().into()).unwrap_err(),
        context.respond_list(context.list_tag(&list(), 1).reply(sample::Things::default())).unwrap_err(),
    ] {
        assert_eq!(error.status(), List::EXPIRED_TOKEN.status);
        assert_eq!(error.message(), "`x\\n` is not a valid `syncToken`; do a full sync");
    }
    let error = open(&sealer(), &unreadable(&"9".repeat(500)), &list()).unwrap_err();
    assert!(error.message().starts_with("`9999") && error.message().len() < 100, "{}", error.message());
}

/// Returns the reason of an error, for an API without its own reasons.
fn reason(error: &Error) -> Option<&str> {
    let reasons = &wireform_runtime::operation::Profile::STANDARD.reasons;
    error.inner().reason.as_ref().map(|reason| reason.as_str(reasons))
}
