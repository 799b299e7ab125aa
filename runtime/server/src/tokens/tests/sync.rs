//! Sync tokens carry the parameters of a list.

use super::*;

#[test]
fn sync_tokens_carry_parameters() {
    let first = List { kinds: vec!["a,b".into(), "c&d".into()], deleted: Some(true), ..list() };
    let token = sealer().seal_sync(&context(), &first, &"state").unwrap().unwrap();
    let bare = List { cursor: Some(token.clone()), page: Some("any".into()), ..List::default() };
    let bare = List { parent: list().parent, zone: list().zone, ..bare };
    // The parameters of the first list need not be repeated; free ones have their latest value.
    let (merged, state) = sealer().open_sync::<_, String>(&context(), bare.clone()).unwrap();
    assert_eq!(state.as_deref(), Some("state"));
    let expected = List { cursor: Some(token.clone()), page: Some("any".into()), most: None, ..first.clone() };
    assert_eq!(merged, expected);
    let again = List { most: Some(3), deleted: Some(false), ..merged.clone() };
    assert_eq!(sealer().open_sync::<_, String>(&context(), again.clone()).unwrap().0, again);
    // Another request without a token is unchanged.
    assert_eq!(sealer().open_sync::<_, String>(&context(), first.clone()).unwrap(), (first.clone(), None));

    for (other, name) in [
        (List { query: Some("else".into()), ..bare.clone() }, "q"),
        (List { kinds: vec!["a,b".into()], ..bare.clone() }, "kinds"),
    ] {
        let error = sealer().open_sync::<_, String>(&context(), other).unwrap_err();
        assert_eq!(
            (error.status().as_u16(), error.inner().location.clone()),
            (400, Some(ErrorLocation::Parameter(name.into())))
        );
    }
    let page = sealer().seal_page(&context(), &list(), &"state").unwrap();
    let old = TokenSealer::new([7; 32]).with_max_age(Duration::from_secs(60));
    let unsealed = List { cursor: None, page: None, ..bare.clone() };
    let filter: Vec<(String, String)> = Vec::new();
    let ancient = old.seal(&old.bind_sync(&context(), &unsealed).unwrap(), &("state", filter), 0).unwrap();
    for (sealer, token, list) in [
        (sealer(), &page, &bare),
        (sealer(), &token, &List { zone: None, ..bare.clone() }),
        (sealer(), &token, &List { order: Some("x".into()), ..bare.clone() }),
        (TokenSealer::new([8; 32]), &token, &bare),
        (sealer(), &"x".to_owned(), &bare),
        (old, &ancient, &bare),
    ] {
        let shown = List { cursor: Some(token.clone()), ..list.clone() };
        let error = sealer.open_sync::<_, String>(&context(), shown).unwrap_err();
        assert_eq!(error.status(), 410);
        assert_eq!(reason(&error), Some("fullSyncRequired"));
        assert_eq!(error.inner().location, Some(ErrorLocation::Parameter("syncToken".into())));
    }
}

#[test]
fn a_list_that_cannot_be_resumed_gives_no_token() {
    let ordered = List { order: Some("x".into()), ..list() };
    assert_eq!(sealer().seal_sync(&context(), &ordered, &1).unwrap(), None);
    // The default value of a parameter that is forbidden with a token does not prevent one.
    let explicit = List { deleted: Some(false), ..list() };
    let token = sealer().seal_sync(&context(), &explicit, &1).unwrap();
    let (next, _) = sealer().open_sync::<_, u32>(&context(), List { cursor: token, ..list() }).unwrap();
    assert_eq!(next.deleted, None);
}
