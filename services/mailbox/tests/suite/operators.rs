//! Tests that compare the documentation of searches with the parser.

use std::collections::BTreeSet;

use wireform_mailbox::mail::identifier_hash;
use wireform_mailbox::query::{Search, SearchConditions, operators, parse};
use wireform_store::{Label, LabelInfo, LabelSettings, Millis, SystemLabel, TextFilter};

use crate::desk::NOW;

const DAY: i64 = 24 * 60 * 60 * 1000;
/// The day 2026-01-31.
const DATE: Millis = Millis(1_769_817_600_000);

fn filters(filters: Vec<TextFilter>) -> Search {
    Search::Messages(SearchConditions { filters, ..SearchConditions::default() })
}

fn is(filter: TextFilter) -> Search {
    filters(vec![filter])
}

fn not(filter: TextFilter) -> TextFilter {
    TextFilter::Not(Box::new(filter))
}

fn word(text: &str) -> TextFilter {
    TextFilter::Anywhere(text.to_owned())
}

fn has(label: SystemLabel) -> Search {
    Search::Messages(SearchConditions { labels: vec![Label::System(label)], ..SearchConditions::default() })
}

/// Returns a search for a location that is hidden unless requested.
fn hidden(label: SystemLabel) -> Search {
    let label = Label::System(label);
    Search::Messages(SearchConditions { labels: vec![label], shown: vec![label], ..SearchConditions::default() })
}

fn own() -> Search {
    Search::Messages(SearchConditions { labels: vec![Label::User(1)], ..SearchConditions::default() })
}

/// Searches of the documentation, completed with a value if they end with a colon, and their queries.
fn table() -> Vec<(&'static str, &'static str, Search)> {
    use SystemLabel::{
        Chat, Draft, Forums, Important, Inbox, Personal, Promotions, Sent, Social, Spam, Starred, Trash, Unread,
        Updates,
    };
    let read =
        Search::Messages(SearchConditions { without: vec![Label::System(Unread)], ..SearchConditions::default() });
    let shown = vec![Label::System(Trash), Label::System(Spam)];
    let anywhere = Search::Messages(SearchConditions { shown, ..SearchConditions::default() });
    let subject = |text: &str| TextFilter::Subject(text.to_owned());
    vec![
        ("word", "", is(word("word"))),
        ("\"some words\"", "", is(word("some words"))),
        ("from:", "ana", is(TextFilter::From("ana".into()))),
        ("to:", "ana", is(TextFilter::To("ana".into()))),
        ("cc:", "ana", is(TextFilter::To("ana".into()))),
        ("bcc:", "ana", is(TextFilter::To("ana".into()))),
        ("deliveredto:", "ana", is(TextFilter::To("ana".into()))),
        ("subject:", "ana", is(subject("ana"))),
        ("is:unread", "", has(Unread)),
        ("is:read", "", read),
        ("is:starred", "", has(Starred)),
        ("is:important", "", has(Important)),
        ("is:sent", "", has(Sent)),
        ("is:draft", "", has(Draft)),
        ("is:chat", "", has(Chat)),
        ("in:inbox", "", has(Inbox)),
        ("in:trash", "", hidden(Trash)),
        ("in:spam", "", hidden(Spam)),
        ("in:sent", "", has(Sent)),
        ("in:draft", "", has(Draft)),
        ("in:anywhere", "", anywhere),
        ("in:", "travel-new-york", own()),
        ("label:", "travel-new-york", own()),
        ("category:primary", "", has(Personal)),
        ("category:social", "", has(Social)),
        ("category:promotions", "", has(Promotions)),
        ("category:updates", "", has(Updates)),
        ("category:forums", "", has(Forums)),
        ("has:attachment", "", is(TextFilter::Attachment)),
        ("has:userlabels", "", is(TextFilter::OwnLabel)),
        ("has:nouserlabels", "", is(not(TextFilter::OwnLabel))),
        ("after:", "2026/01/31", is(TextFilter::Since(DATE))),
        ("newer:", "2026-01-31", is(TextFilter::Since(DATE))),
        ("before:", "2026/01/31", is(TextFilter::Before(DATE))),
        ("older:", "1769817600", is(TextFilter::Before(DATE))),
        ("newer_than:", "12h", is(TextFilter::Since(Millis(NOW - DAY / 2)))),
        ("older_than:", "3m", is(TextFilter::Before(Millis(NOW - 90 * DAY)))),
        ("larger:", "2K", is(TextFilter::Larger(2_048))),
        ("size:", "7", is(TextFilter::Larger(7))),
        ("smaller:", "2M", is(TextFilter::Smaller(2 << 20))),
        ("rfc822msgid:", "<a@b>", is(TextFilter::Identifier(identifier_hash("a@b")))),
        ("a b", "", filters(vec![word("a"), word("b")])),
        ("a OR b", "", is(TextFilter::Any(vec![word("a"), word("b")]))),
        ("{a b}", "", is(TextFilter::Any(vec![word("a"), word("b")]))),
        ("-a", "", is(not(word("a")))),
        ("(a b)", "", filters(vec![word("a"), word("b")])),
        ("subject:(a b)", "", filters(vec![subject("a"), subject("b")])),
    ]
}

/// Returns the texts between backticks in the first column of the table of searches.
fn documented() -> Vec<String> {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/mailbox.md");
    let page = fs_err::read_to_string(page).unwrap();
    let (_, searches) = page.split_once("## Lists and searches").unwrap();
    let rows = searches.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    let columns = rows.take_while(|line| line.starts_with('|')).map(|row| row.split('|').nth(1).unwrap());
    columns.flat_map(|column| column.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn every_operator_is_documented() {
    let written: Vec<&str> = table().iter().map(|(written, ..)| *written).collect();
    assert_eq!(documented(), written);
    let before_colons: BTreeSet<&str> = written.iter().filter_map(|written| Some(written.split_once(':')?.0)).collect();
    assert_eq!(operators().collect::<BTreeSet<_>>(), before_colons);
}

#[test]
fn every_documented_search_is_understood() {
    let settings = LabelSettings { name: "Travel/New York".to_owned(), ..LabelSettings::default() };
    let labels = [LabelInfo { label: Label::User(1), settings }];
    for (written, operand, expected) in table() {
        assert_eq!(written.ends_with(':'), !operand.is_empty(), "`{written}`");
        let search = parse(&format!("{written}{operand}")).unwrap().search(&labels, "me@example.com", Millis(NOW));
        assert_eq!(search, expected, "`{written}`");
    }
}
