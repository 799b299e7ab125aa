//! Tests of notes.

use wireform_store::Maintenance as _;

use crate::place::on_each_database;

on_each_database! {
    async fn a_note_is_changed_by_who_knows_it(store, place) {
        assert_eq!(store.note("seed").await.expect("it is read"), None);
        assert!(!store.set_note("seed", Some("begun"), "done").await.expect("it is compared"), "there is no note yet");
        assert!(store.set_note("seed", None, "begun").await.expect("it is noted"));
        assert!(!store.set_note("seed", None, "begun").await.expect("it is compared"), "another writer was faster");
        assert!(!store.set_note("seed", Some("done"), "other").await.expect("it is compared"));
        assert!(store.set_note("seed", Some("begun"), "done").await.expect("it is noted"));
        assert_eq!(store.note("seed").await.expect("it is read").as_deref(), Some("done"));
        assert_eq!(store.note("other").await.expect("it is read"), None);
        let again = place.store().await;
        assert_eq!(again.note("seed").await.expect("it is read").as_deref(), Some("done"));
        again.close().await;
    }

    async fn no_note_is_a_setting_of_the_store(store, place) {
        let before = store.retention().await.expect("it is read");
        store.set_note("retention", None, "7").await.expect("it is noted");
        assert_eq!(store.retention().await.expect("it is read"), before);
    }
}
