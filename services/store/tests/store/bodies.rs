//! Tests of large messages, which are stored in chunks, and of their removal.

use std::time::Duration;

use wireform_store::session::Session;
use wireform_store::{
    Access, Accounts as _, AnyStore, Backend as _, Edit, Mailbox, Mailboxes as _, Maintenance as _, Message,
    NewMessage, Operation,
};

use crate::place::on_each_database;
use crate::support::{INBOX, NOW, mail, mailbox, minute};

/// Size of four chunks, the last of one byte.
const BYTES: usize = (3 << 19) + 1;

/// Counts the rows of a table.
struct Count(&'static str);

impl Operation for Count {
    type Output = i64;
    const ACCESS: Access = Access::Read;

    async fn run<S: Session>(self, session: &mut S) -> wireform_store::Result<i64> {
        session.rows(&format!("SELECT count(*) FROM {}", self.0), &[]).await?[0].int(0)
    }
}

async fn counts(store: &AnyStore) -> (i64, i64) {
    let count = async |table| store.perform(Count(table)).await.expect("rows are counted");
    (count("bodies").await, count("pieces").await)
}

/// Leaves the chunks of an interrupted write.
struct Abandon;

impl Operation for Abandon {
    type Output = ();
    const ACCESS: Access = Access::Write;

    async fn run<S: Session>(self, session: &mut S) -> wireform_store::Result<()> {
        session.run("INSERT INTO bodies (body, loose) VALUES (5, ?1)", &[NOW.0.into()]).await?;
        for number in 0..40_i64 {
            let piece = [number.into(), vec![0; 9].into()];
            session.run("INSERT INTO pieces (body, number, data) VALUES (5, ?1, ?2)", &piece).await?;
        }
        Ok(())
    }
}

async fn insert_large(store: &AnyStore, of: Mailbox) -> Message {
    let new = NewMessage { raw: vec![b'x'; BYTES], ..mail("large", &[INBOX], NOW) };
    store.insert_message(of, new, NOW).await.expect("it is stored")
}

on_each_database! {
    async fn a_large_message_is_kept_in_pieces(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let large = insert_large(store, ada).await;
        assert_eq!(counts(store).await, (1, 4));
        assert!(store.whole_message(ada, large.id).await.expect("it is there").1 == vec![b'x'; BYTES]);
    }

    async fn one_that_is_stored_as_deleted_leaves_none(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let new = NewMessage { raw: vec![b'x'; BYTES], deleted: true, ..mail("large", &[INBOX], NOW) };
        store.insert_message(ada, new, NOW).await.expect("it is reported");
        assert_eq!(counts(store).await, (0, 0));
    }

    async fn a_deleted_message_leaves_nothing(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let (first, second) = (insert_large(store, ada).await, insert_large(store, ada).await);
        store.edit_message(ada, first.id, Edit::Delete, NOW).await.expect("it is deleted");
        store.clean_up(NOW).await.expect("the cleanup succeeds");
        assert_eq!(counts(store).await, (1, 4));
        assert!(store.whole_message(ada, second.id).await.expect("it is there").1 == vec![b'x'; BYTES]);
        store.remove_user(ada).await.expect("the user is removed");
        store.clean_up(NOW).await.expect("the cleanup succeeds");
        assert_eq!(counts(store).await, (0, 0));
    }

    async fn the_room_of_a_deleted_message_is_used_for_the_next_one(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        for _ in 0..5 {
            let large = insert_large(store, ada).await;
            store.edit_message(ada, large.id, Edit::Delete, NOW).await.expect("it is deleted");
        }
        let (bodies, pieces) = counts(store).await;
        assert!((1..=2).contains(&bodies) && (1..=6).contains(&pieces), "{bodies} bodies, {pieces} pieces");
    }

    async fn what_a_broken_write_has_left_is_removed_after_an_hour(store, place) {
        mailbox(store, "ada@example.org").await;
        store.perform(Abandon).await.expect("it is written");
        store.clean_up(minute(59)).await.expect("the cleanup succeeds");
        assert_eq!(counts(store).await, (1, 40), "an interrupted write is not removed while its writer may continue");
        store.clean_up(NOW.saturating_add(Duration::from_secs(61 * 60))).await.expect("the cleanup succeeds");
        assert_eq!(counts(store).await, (0, 0));
    }
}
