//! Tests of listing and searching messages.

use wireform_store::{
    AnyStore, Label, ListQuery, Mailbox, Mailboxes as _, MessageId, NewMessage, TextFilter, Threading,
};

use crate::place::on_each_database;
use crate::support::{INBOX, NOW, STARRED, TRASH, UNREAD, labels, mail, mailbox, minute, named};

/// Returns all pages of a list, as the snippets of its messages.
async fn list(store: &AnyStore, of: Mailbox, query: &ListQuery, limit: u32) -> Vec<String> {
    let mut query = ListQuery { limit, from: None, ..query.clone() };
    let mut found = Vec::new();
    loop {
        let page = store.messages(of, query.clone()).await.expect("a page");
        assert!(page.messages.len() <= limit as usize);
        for (id, thread) in page.messages {
            let message = store.message(of, id).await.expect("a listed message exists");
            assert_eq!(message.thread, thread);
            found.push(message.snippet);
        }
        match page.next {
            Some(next) => query.from = Some(next),
            None => return found,
        }
    }
}

fn with(labels: &[Label]) -> ListQuery {
    ListQuery { labels: labels.to_vec(), ..ListQuery::default() }
}

fn like(filters: Vec<TextFilter>) -> ListQuery {
    ListQuery { filters, ..ListQuery::default() }
}

/// Stores the messages `0` to `11`, a minute apart: every second one is unread, every third starred, every fifth in the
/// trash.
async fn dozen(store: &AnyStore, of: Mailbox) -> Vec<MessageId> {
    let message = |number: u64| {
        let mut labels = vec![INBOX];
        labels.extend(
            [(2, UNREAD), (3, STARRED), (5, TRASH)]
                .iter()
                .filter(|(of, _)| number.is_multiple_of(*of))
                .map(|(_, label)| *label),
        );
        let mut message = mail(&number.to_string(), &labels, minute(number));
        message.search.from = format!("sender{number}@example.org");
        message.search.to = "ada@example.org".to_owned();
        message.search.subject = if number < 6 { "early bird".to_owned() } else { "late owl".to_owned() };
        message.search.attachment = number == 4;
        message.raw = vec![b'x'; 100 * usize::try_from(number).expect("a small number")];
        message.threading = Threading { message_id: Some(number.cast_signed() % 10), ..Threading::default() };
        message
    };
    let batch = (0..12).map(message).collect();
    store.insert_messages(of, batch, NOW).await.expect("stored").iter().map(|message| message.id).collect()
}

on_each_database! {
    async fn the_newest_comes_first_in_pages_of_any_size(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        dozen(store, ada).await;
        let all: Vec<String> = (0..12).rev().map(|number| number.to_string()).collect();
        for limit in [1, 5, 11, 12, 500] {
            assert_eq!(list(store, ada, &ListQuery::default(), limit).await, all);
        }
        let page = store.messages(ada, ListQuery { limit: 12, ..ListQuery::default() }).await.expect("a page");
        assert_eq!((page.next, page.estimate), (None, 12), "the last page has no next one");
    }

    async fn a_page_looks_at_some_thousand_messages_and_goes_on_with_the_next(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        for some in 0..11 {
            let batch = (0..500).map(|number| {
                let number = some * 500 + number;
                let mut message = mail(&number.to_string(), &[INBOX], minute(number));
                message.search.text = if number % 2_700 == 0 { "here".to_owned() } else { "x".repeat(1_000) };
                message
            });
            store.insert_messages(ada, batch.collect(), NOW).await.expect("stored");
        }
        let looked_for = ListQuery { limit: 100, ..like(vec![TextFilter::Anywhere("here".to_owned())]) };
        let first = store.messages(ada, looked_for.clone()).await.expect("a page");
        assert_eq!((first.messages.len(), first.estimate), (2, 5_500), "the newest five thousand were scanned");
        let next = store.messages(ada, ListQuery { from: first.next, ..looked_for.clone() }).await.expect("a page");
        assert_eq!((next.messages.len(), next.next), (1, None));
        for limit in [1, 2, 100] {
            assert_eq!(list(store, ada, &looked_for, limit).await, ["5400", "2700", "0"]);
            let none = ListQuery { filters: vec![TextFilter::Larger(1 << 30)], ..ListQuery::default() };
            assert!(list(store, ada, &none, limit).await.is_empty(), "searches without text are scanned in steps as well");
        }
    }

    async fn there_is_no_next_page_where_nothing_follows_that_fits(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        dozen(store, ada).await;
        let attached = like(vec![TextFilter::Attachment]);
        for query in [attached, ListQuery { excluded_labels: vec![STARRED, UNREAD], ..with(&[TRASH]) }] {
            let page = store.messages(ada, ListQuery { limit: 1, ..query }).await.expect("a page");
            assert_eq!((page.messages.len(), page.next), (1, None));
        }
    }

    async fn messages_of_the_same_moment_are_all_listed(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let batch: Vec<NewMessage> = (0..25).map(|number| mail(&number.to_string(), &[INBOX], NOW)).collect();
        store.insert_messages(ada, batch, NOW).await.expect("stored");
        for query in [ListQuery::default(), with(&[INBOX])] {
            let mut found = list(store, ada, &query, 4).await;
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), 25);
        }
    }

    async fn labels_are_conditions_that_hold_at_once(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        dozen(store, ada).await;
        for limit in [1, 2, 100] {
            assert_eq!(list(store, ada, &with(&[STARRED]), limit).await, ["9", "6", "3", "0"]);
            assert_eq!(list(store, ada, &with(&[INBOX, UNREAD, STARRED]), limit).await, ["6", "0"]);
            let kept = ListQuery { excluded_labels: vec![TRASH], ..with(&[UNREAD, STARRED]) };
            assert_eq!(list(store, ada, &kept, limit).await, ["6"]);
            let rest = ListQuery { excluded_labels: vec![UNREAD, STARRED], ..ListQuery::default() };
            assert_eq!(list(store, ada, &rest, limit).await, ["11", "7", "5", "1"]);
            assert!(list(store, ada, &with(&[Label::User(7)]), limit).await.is_empty());
        }
    }

    async fn texts_sizes_and_dates_are_conditions(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let ids = dozen(store, ada).await;
        let own = store.add_label(ada, named("Own")).await.expect("the label is new").label;
        store.edit_message(ada, ids[7], labels(&[own], &[]), NOW).await.expect("edited");
        let text = |text: &str| text.to_owned();
        let cases: [(Vec<TextFilter>, &[&str]); 15] = [
            (vec![TextFilter::From(text("sender1"))], &["11", "10", "1"]),
            (vec![TextFilter::To(text("sender1"))], &[]),
            (vec![TextFilter::Subject(text("owl")), TextFilter::Label(STARRED)], &["9", "6"]),
            (vec![TextFilter::Anywhere(text("sender3"))], &["3"]),
            (vec![TextFilter::Attachment], &["4"]),
            (vec![TextFilter::Larger(1_000)], &["11", "10"]),
            (vec![TextFilter::Smaller(100)], &["1", "0"]),
            (vec![TextFilter::Since(minute(10))], &["11", "10"]),
            (vec![TextFilter::Before(minute(2))], &["1", "0"]),
            (vec![TextFilter::Since(minute(3)), TextFilter::Before(minute(5)), TextFilter::Before(minute(9))], &["4", "3"]),
            (vec![TextFilter::Identifier(1)], &["11", "1"]),
            (vec![TextFilter::OwnLabel], &["7"]),
            (vec![TextFilter::Not(Box::new(TextFilter::OwnLabel)), TextFilter::Since(minute(6)), TextFilter::Before(minute(9))], &["8", "6"]),
            (vec![TextFilter::Not(Box::new(TextFilter::Subject(text("bird")))), TextFilter::Smaller(700)], &["7", "6"]),
            (vec![TextFilter::Any(vec![TextFilter::Attachment, TextFilter::Larger(1_100)])], &["11", "4"]),
        ];
        for (filters, expected) in cases {
            for limit in [1, 100] {
                assert_eq!(list(store, ada, &like(filters.clone()), limit).await, expected, "{filters:?}");
            }
        }
    }

    async fn a_page_looks_at_a_bounded_number_of_messages(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let batch: Vec<NewMessage> = (0..5_600).map(|number| mail(&number.to_string(), &[], minute(number))).collect();
        store.insert_messages(ada, batch, NOW).await.expect("stored");
        for filter in [TextFilter::Anywhere("5599".to_owned()), TextFilter::Anywhere("17".to_owned())] {
            let first = store.messages(ada, ListQuery { limit: 500, ..like(vec![filter.clone()]) }).await.expect("a page");
            assert!(first.next.is_some(), "it is not known yet whether there are more");
            let rest = store.messages(ada, ListQuery { limit: 500, from: first.next, ..like(vec![filter.clone()]) }).await.expect("a page");
            assert_eq!(rest.next, None);
            let found = first.messages.len() + rest.messages.len();
            let TextFilter::Anywhere(word) = &filter else { continue };
            assert_eq!(found, (0..5_600).filter(|number| number.to_string().contains(word)).count());
        }
    }

    async fn thousands_may_have_the_same_identifier(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let same = |number| {
            let threading = Threading { message_id: Some(7), ..Threading::default() };
            NewMessage { threading, ..mail("", &[], minute(number)) }
        };
        store.insert_messages(ada, (0..5_100).map(same).collect(), NOW).await.expect("stored");
        store.insert_message(ada, mail("another", &[], NOW), NOW).await.expect("stored");
        assert_eq!(list(store, ada, &like(vec![TextFilter::Identifier(7)]), 500).await.len(), 5_100);
    }

    async fn a_page_looks_at_fewer_messages_for_many_words(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let batch: Vec<NewMessage> = (0..1_200).map(|number| mail(&number.to_string(), &[], minute(number))).collect();
        store.insert_messages(ada, batch, NOW).await.expect("stored");
        let words = |count: u64| (0..count).map(|number| TextFilter::Anywhere(format!("1{number:03}"))).collect();
        let next = async |filters| {
            let query = ListQuery { limit: 100, ..like(vec![TextFilter::Any(filters)]) };
            store.messages(ada, query).await.expect("a page").next
        };
        assert_eq!(next(words(10)).await, None);
        assert!(next(words(90)).await.is_some());
        let all = list(store, ada, &like(vec![TextFilter::Any(words(90))]), 7).await;
        assert_eq!(all, (1_000..1_090).rev().map(|number| number.to_string()).collect::<Vec<_>>());
    }

    async fn pages_go_on_where_messages_come_and_go(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let ids = dozen(store, ada).await;
        let first = store.messages(ada, ListQuery { limit: 4, ..ListQuery::default() }).await.expect("a page");
        store.insert_message(ada, mail("new", &[], minute(50)), NOW).await.expect("stored");
        store.edit_message(ada, ids[8], wireform_store::Edit::Delete, NOW).await.expect("deleted");
        let second = ListQuery { limit: 4, from: first.next, ..ListQuery::default() };
        let second = store.messages(ada, second).await.expect("a page");
        let expected: Vec<MessageId> = [7, 6, 5, 4].iter().map(|number| ids[*number]).collect();
        assert_eq!(second.messages.iter().map(|(id, _)| *id).collect::<Vec<_>>(), expected);
    }
}
