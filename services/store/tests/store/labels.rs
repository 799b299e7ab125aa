//! Tests of creating, changing and removing labels.

use wireform_store::{
    AnyStore, ChangeKind, Error, Label, LabelCounts, LabelInfo, LabelSettings, Mailbox, Mailboxes as _, NewMessage,
    SystemLabel,
};

use crate::place::on_each_database;
use crate::support::{INBOX, NOW, changes, current, insert, labels, mail, mailbox, minute, named, since};

type Changed = wireform_store::Result<Result<LabelInfo, &'static str>>;

async fn rename(store: &AnyStore, of: Mailbox, label: Label, name: &'static str) -> Changed {
    let change = move |before: LabelInfo| Ok((LabelSettings { name: name.to_owned(), ..before.settings }, ()));
    Ok(store.update_label(of, label, change).await?.map(|(label, ())| label))
}

on_each_database! {
    async fn a_mailbox_has_ten_thousand_labels_at_the_most(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        // Several at once share a commit.
        for hundred in 0..100 {
            let adding: Vec<_> = (0..100)
                .map(|number| {
                    let store = store.clone();
                    tokio::spawn(async move { store.add_label(ada, named(&format!("{hundred} {number}"))).await })
                })
                .collect();
            for one in adding {
                one.await.expect("it ends").expect("there is room");
            }
        }
        let refused = store.add_label(ada, named("more")).await;
        assert!(matches!(&refused, Err(Error::Refused(message)) if message.contains("10000 labels")), "{refused:?}");
        store.remove_label(ada, Label::User(7), NOW).await.expect("it is removed");
        let last = store.add_label(ada, named("more")).await.expect("there is room").label;
        assert_eq!(last, Label::User(10_001));
        assert!(store.add_label(ada, named("one more")).await.is_err());
    }

    async fn labels_of_the_system_come_first_then_the_users_in_their_order(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let color = Some(("#ffffff".to_owned(), "#000000".to_owned()));
        let settings = LabelSettings {
            name: "Work".to_owned(),
            message_list_visibility: Some("hide".to_owned()),
            label_list_visibility: None,
            color,
        };
        let work = store.add_label(ada, settings.clone()).await.expect("the label is new");
        let art = store.add_label(ada, named("Art")).await.expect("the label is new");
        assert_eq!((work.label, &work.settings, art.label), (Label::User(1), &settings, Label::User(2)));
        let all = store.labels(ada).await.expect("labels are listed");
        let system = SystemLabel::ALL.len();
        assert_eq!((all.len(), all[0].label, all[0].settings.name.as_str()), (system + 2, INBOX, "INBOX"));
        assert_eq!(all[system..], [work.clone(), art]);
        assert_eq!(store.label(ada, work.label).await.expect("the label is there"), work);
        assert_eq!(store.label(ada, INBOX).await.expect("every mailbox has it"), all[0]);
    }

    async fn names_are_unique_whatever_the_case_of_their_letters(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let grace = mailbox(store, "grace@example.org").await;
        store.add_label(ada, named("Größe")).await.expect("the label is new");
        for taken in ["GRÖSSE", "größe", "gröSSe", "Inbox", "category_forums"] {
            let result = store.add_label(ada, named(taken)).await;
            match taken {
                // Upper case of ß is SS, and its lower case is another one: these are two names.
                "GRÖSSE" => assert!(result.is_ok(), "{result:?}"),
                _ => assert!(matches!(result, Err(Error::AlreadyExists { what: "label", .. })), "{taken}: {result:?}"),
            }
        }
        store.add_label(grace, named("Größe")).await.expect("names are per mailbox");
        for refused in [String::new(), "x".repeat(1_001)] {
            assert!(matches!(store.add_label(ada, named(&refused)).await, Err(Error::Refused(_))));
        }
    }

    async fn a_label_is_changed_as_the_caller_says(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let work = store.add_label(ada, named("Work")).await.expect("the label is new").label;
        store.add_label(ada, named("Art")).await.expect("the label is new");
        let after = rename(store, ada, work, "WORK").await.expect("it happens").expect("the caller agrees");
        assert_eq!(after.settings.name, "WORK", "the case of its own name may change");
        assert_eq!(store.label(ada, work).await.expect("the label is there"), after);
        assert!(matches!(rename(store, ada, work, "art").await, Err(Error::AlreadyExists { .. })));
        assert!(matches!(rename(store, ada, work, "trash").await, Err(Error::AlreadyExists { .. })));
        assert!(matches!(rename(store, ada, INBOX, "In").await, Err(Error::Refused(_))));
        assert!(matches!(rename(store, ada, Label::User(9), "In").await, Err(Error::NotFound { what: "label", .. })));
        let refused = store.update_label::<(), _, _>(ada, work, |_| Err("not today")).await;
        assert_eq!(refused.expect("it happens"), Err("not today"));
        assert_eq!(store.label(ada, work).await.expect("the label is there"), after);
    }

    async fn a_removed_label_is_taken_from_all_messages(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let work = store.add_label(ada, named("Work")).await.expect("the label is new").label;
        let batch: Vec<NewMessage> = (0..1_203).map(|number| mail(&number.to_string(), &[INBOX, work], NOW)).collect();
        let messages = store.insert_messages(ada, batch, NOW).await.expect("stored");
        insert(store, ada, "other", &[INBOX]).await;
        let start = current(store, ada).await;

        store.remove_label(ada, work, minute(1)).await.expect("the label is removed");

        assert_eq!(store.labels(ada).await.expect("labels are listed").len(), SystemLabel::ALL.len());
        assert!(matches!(store.label(ada, work).await, Err(Error::NotFound { .. })));
        assert!(matches!(store.label_counts(ada, work).await, Err(Error::NotFound { .. })));
        assert!(matches!(store.remove_label(ada, work, minute(1)).await, Err(Error::NotFound { what: "label", .. })));
        assert_eq!(store.message(ada, messages[700].id).await.expect("it is there").labels, [INBOX]);
        let page = since(store, ada, start).await;
        assert_eq!(page.records.len(), 3, "it is removed in steps of 500");
        let removals = changes(&page);
        assert_eq!(removals.len(), 1_203);
        assert!(removals.iter().all(|change| change.kind == ChangeKind::LabelsRemoved && change.labels == [work]));
        let refused = store.edit_message(ada, messages[0].id, labels(&[work], &[]), minute(2)).await;
        assert!(matches!(refused, Err(Error::NotFound { what: "label", .. })), "{refused:?}");
        let again = store.add_label(ada, named("work")).await.expect("the name is free again");
        assert_eq!(again.label, Label::User(2), "numbers are not used twice");
        assert_eq!(store.label_counts(ada, again.label).await.expect("counts"), LabelCounts::default());
    }

    async fn a_label_of_the_system_stays(store, place) {
        let ada = mailbox(store, "ada@example.org").await;
        let refused = store.remove_label(ada, INBOX, NOW).await;
        assert!(matches!(&refused, Err(Error::Refused(why)) if why.contains("INBOX")), "{refused:?}");
    }
}
