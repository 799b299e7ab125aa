//! Tests with very many labels.

use rusqlite::Connection;
use wireform_store::{Error, Label, LabelSettings, Mailboxes as _};

use super::open;
use crate::support::{NOW, mailbox};

#[tokio::test]
async fn a_mailbox_has_ten_thousand_labels_at_the_most() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open(folder.path());
    let ada = mailbox(&store, "ada@example.org").await;
    let name = |name: &str| LabelSettings { name: name.to_owned(), ..LabelSettings::default() };
    store.add_label(ada, name("first")).await.expect("it is made");
    let file = Connection::open(folder.path().join("store.sqlite3")).expect("the file is there");
    file.execute_batch(
        "WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < 9999)
         INSERT INTO labels (mailbox, label, name, name_key) SELECT mailbox, 1024 + n, 'l' || n, 'l' || n FROM mailboxes, numbers;
         UPDATE mailboxes SET next_label = 10000",
    )
    .expect("they are made");
    let last = store.add_label(ada, name("the ten thousandth")).await.expect("it is made").label;
    let refused = store.add_label(ada, name("one more")).await;
    assert!(matches!(&refused, Err(Error::Refused(why)) if why.contains("10000 labels")), "{refused:?}");
    store.remove_label(ada, Label::User(2), NOW).await.expect("it is deleted");
    assert_ne!(store.add_label(ada, name("one more")).await.expect("there is room").label, last);
}
