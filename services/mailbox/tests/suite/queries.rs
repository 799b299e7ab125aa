//! Tests of the conversion of searches into queries.

use proptest::prelude::*;
use wireform_mailbox::query::{MAX_DEPTH, MAX_LENGTH, MAX_TERMS, QueryError, Search, SearchConditions, parse};
use wireform_store::{Label, LabelInfo, LabelSettings, Millis, SystemLabel, TextFilter};

use crate::desk::NOW;

const DAY: i64 = 24 * 60 * 60 * 1000;

fn labels() -> Vec<LabelInfo> {
    let label = |number, name: &str| {
        let settings = LabelSettings { name: name.to_owned(), ..LabelSettings::default() };
        LabelInfo { label: Label::User(number), settings }
    };
    vec![label(1, "Travel/New York"), label(2, "Work")]
}

fn search(text: &str) -> Search {
    parse(text).unwrap().search(&labels(), "me@example.com", Millis(NOW))
}

fn matches(text: &str) -> SearchConditions {
    match search(text) {
        Search::Messages(matches) => matches,
        Search::Nothing => panic!("`{text}` matches no message"),
    }
}

fn filters(text: &str) -> Vec<TextFilter> {
    let SearchConditions { labels, without, filters, .. } = matches(text);
    assert!(labels.is_empty() && without.is_empty(), "`{text}` has labels");
    filters
}

fn word(text: &str) -> TextFilter {
    TextFilter::Anywhere(text.to_owned())
}

fn not(filter: TextFilter) -> TextFilter {
    TextFilter::Not(Box::new(filter))
}

fn system(label: SystemLabel) -> Label {
    Label::System(label)
}

#[test]
fn words_phrases_and_fields() {
    let cases: &[(&str, TextFilter)] = &[
        ("Hello", word("hello")),
        ("\"Hello \n World\"", word("hello world")),
        ("ΟΔΟΣ", word("οδοσ")),
        ("has:userlabels", TextFilter::OwnLabel),
        ("has:nouserlabels", not(TextFilter::OwnLabel)),
        ("\"never closed", word("never closed")),
        ("from:Ana@Example.com", TextFilter::From("ana@example.com".into())),
        ("to:ana", TextFilter::To("ana".into())),
        ("cc:ana", TextFilter::To("ana".into())),
        ("SUBJECT:\"Two Words\"", TextFilter::Subject("two words".into())),
        ("has:attachment", TextFilter::Attachment),
        ("larger:10M", TextFilter::Larger(10 << 20)),
        ("size:500", TextFilter::Larger(500)),
        ("smaller:2k", TextFilter::Smaller(2048)),
        ("after:2026/01/31", TextFilter::Since(Millis(1_769_817_600_000))),
        ("newer:2026-01-31", TextFilter::Since(Millis(1_769_817_600_000))),
        ("before:01/31/2026", TextFilter::Before(Millis(1_769_817_600_000))),
        ("after:2024/02/29", TextFilter::Since(Millis(1_709_164_800_000))),
        ("older:1769817600", TextFilter::Before(Millis(1_769_817_600_000))),
        ("older_than:2d", TextFilter::Before(Millis(NOW - 2 * DAY))),
        ("newer_than:1y", TextFilter::Since(Millis(NOW - 365 * DAY))),
        ("+exactly", word("exactly")),
        ("a-b", word("a-b")),
        ("https://example.com/a", word("https://example.com/a")),
    ];
    for (text, expected) in cases {
        assert_eq!(filters(text), [expected.clone()], "`{text}`");
    }
}

#[test]
fn what_has_no_meaning_is_a_word() {
    for text in ["colour:red", "from:", "https://example.com", "list:", "around"] {
        assert_eq!(filters(text), [word(text)], "`{text}`");
    }
    for text in ["", "  ", "-", "()", "{}", "OR", "\"\"", "))((", "- -", "AND"] {
        assert_eq!(search(text), Search::Messages(SearchConditions::default()), "`{text}`");
    }
}

/// A search for it as a word would find nothing, and not say why.
#[test]
fn unsupported_conditions_are_refused() {
    for text in [
        "after:yesterday",
        "larger:big",
        "is:odd",
        "is:snoozed",
        "has:drive",
        "older_than:d",
        "before:2026/13/45",
        "before:2026/02/29",
        "after:0000/01/01",
        "category:odd",
        "newer:odd",
        "older:odd",
        "size:odd",
        "filename:pdf",
        "list:info@example.com",
        "AROUND",
    ] {
        for query in [text.to_owned(), format!("word -({text})"), format!("{{a {text}}}")] {
            assert_eq!(parse(&query), Err(QueryError::Unsupported(text.to_owned())), "`{query}`");
        }
    }
}

#[test]
fn me_is_the_user() {
    for text in ["me", "ME", "\"me\""] {
        assert_eq!(filters(&format!("from:{text}")), [TextFilter::From("me@example.com".into())]);
        assert_eq!(filters(&format!("to:{text}")), [TextFilter::To("me@example.com".into())]);
    }
    assert_eq!(
        filters("cc:(me OR bob)")[0],
        TextFilter::Any(vec![TextFilter::To("me@example.com".into()), TextFilter::To("bob".into())])
    );
    assert_eq!(filters("subject:me"), [TextFilter::Subject("me".into())]);
    assert_eq!(filters("me"), [word("me")]);
}

#[test]
fn labels_are_resolved() {
    assert_eq!(matches("in:inbox is:unread").labels, [system(SystemLabel::Inbox), system(SystemLabel::Unread)]);
    assert_eq!(matches("IS:READ").without, [system(SystemLabel::Unread)]);
    assert_eq!(matches("-is:starred").without, [system(SystemLabel::Starred)]);
    assert_eq!(matches("label:travel-new-york").labels, [Label::User(1)]);
    assert_eq!(matches("label:\"Travel/New York\"").labels, [Label::User(1)]);
    assert_eq!(matches("in:work").labels, [Label::User(2)]);
    assert_eq!(matches("category:social").labels, [system(SystemLabel::Social)]);
    assert_eq!(search("label:gone"), Search::Nothing);
    assert_eq!(search("label:gone word"), Search::Nothing);
    assert_eq!(filters("label:gone OR word"), [word("word")]);
    assert_eq!(filters("-label:gone word"), [word("word")]);
}

#[test]
fn what_is_hidden_is_shown_where_it_is_asked_for() {
    let (trash, spam) = (system(SystemLabel::Trash), system(SystemLabel::Spam));
    assert_eq!(matches("in:trash").shown, [trash]);
    assert_eq!(matches("word OR in:spam").shown, [spam]);
    assert_eq!(matches("in:anywhere word").shown, [trash, spam]);
    assert!(matches("-in:trash").shown.is_empty());
    assert!(matches("word").shown.is_empty());
}

#[test]
fn groups_and_alternatives() {
    let any = |some: Vec<TextFilter>| TextFilter::Any(some);
    assert_eq!(filters("a b"), [word("a"), word("b")]);
    assert_eq!(filters("a OR b"), [any(vec![word("a"), word("b")])]);
    assert_eq!(filters("a OR b OR c"), [any(vec![word("a"), word("b"), word("c")])]);
    // `OR` binds tighter than juxtaposition.
    assert_eq!(filters("a OR b c"), [any(vec![word("a"), word("b")]), word("c")]);
    assert_eq!(filters("a b OR c"), [word("a"), any(vec![word("b"), word("c")])]);
    assert_eq!(filters("{a b}"), [any(vec![word("a"), word("b")])]);
    assert_eq!(filters("-a"), [not(word("a"))]);
    assert_eq!(filters("--a"), [word("a")]);
    assert_eq!(filters("-(a b)"), [any(vec![not(word("a")), not(word("b"))])]);
    assert_eq!(filters("a AND b"), [word("a"), word("b")]);
    assert_eq!(filters("from:(a OR b)"), [any(vec![TextFilter::From("a".into()), TextFilter::From("b".into())])]);
    assert_eq!(filters("subject:(a -b)"), [TextFilter::Subject("a".into()), not(TextFilter::Subject("b".into()))]);
    // A conjunction inside a disjunction, which store queries cannot express directly.
    let both = not(any(vec![not(word("b")), not(word("c"))]));
    assert_eq!(filters("a OR (b c)"), [any(vec![word("a"), both])]);
    assert_eq!(filters("(a b"), [word("a"), word("b")]);
    assert_eq!(filters("a) b"), [word("a"), word("b")]);
}

#[test]
fn a_search_has_an_end() {
    let long = "x".repeat(MAX_LENGTH);
    assert!(parse(&long).is_ok());
    assert_eq!(parse(&format!("{long}x")), Err(QueryError::TooLong(MAX_LENGTH + 1)));
    assert!(parse(&"a ".repeat(MAX_TERMS)).is_ok());
    assert_eq!(parse(&"a ".repeat(MAX_TERMS + 1)), Err(QueryError::TooManyTerms));
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    assert!(parse(&nested(MAX_DEPTH - 1)).is_ok());
    for deep in
        [nested(MAX_DEPTH), "-".repeat(MAX_DEPTH) + "a", "from:".repeat(MAX_DEPTH) + "a", "(".repeat(MAX_LENGTH)]
    {
        assert_eq!(parse(&deep), Err(QueryError::TooDeep), "{deep}");
    }
}

/// Returns whether a query matches a message that has the given words.
fn holds(filter: &TextFilter, words: &[String]) -> bool {
    match filter {
        TextFilter::Anywhere(word) => words.contains(word),
        TextFilter::Not(inner) => !holds(inner, words),
        TextFilter::Any(some) => some.iter().any(|one| holds(one, words)),
        other => panic!("{other:?}"),
    }
}

/// Search, evaluated independently of the parser.
#[derive(Debug, Clone)]
enum Reference {
    Word(u8),
    Not(Box<Reference>),
    All(Vec<Reference>),
    Any(Vec<Reference>),
}

impl Reference {
    fn written(&self) -> String {
        let several = |some: &[Self]| some.iter().map(Self::written).collect::<Vec<_>>().join(" ");
        match self {
            Self::Word(word) => format!("w{word}"),
            Self::Not(one) => format!("-{}", one.written()),
            Self::All(some) => format!("({})", several(some)),
            Self::Any(some) => format!("{{{}}}", several(some)),
        }
    }

    fn holds(&self, words: &[String]) -> bool {
        match self {
            Self::Word(word) => words.contains(&format!("w{word}")),
            Self::Not(one) => !one.holds(words),
            Self::All(some) => some.iter().all(|one| one.holds(words)),
            Self::Any(some) => some.is_empty() || some.iter().any(|one| one.holds(words)),
        }
    }
}

fn reference() -> impl Strategy<Value = Reference> {
    (0..4_u8).prop_map(Reference::Word).prop_recursive(4, 24, 4, |inner| {
        let several = prop::collection::vec(inner.clone(), 0..4);
        prop_oneof![
            inner.prop_map(|one| Reference::Not(Box::new(one))),
            several.clone().prop_map(Reference::All),
            several.prop_map(Reference::Any),
        ]
    })
}

proptest! {
    #[test]
    fn a_search_means_what_it_says(reference in reference(), has in prop::collection::vec(0..4_u8, 0..4)) {
        let words: Vec<String> = has.iter().map(|word| format!("w{word}")).collect();
        let found = match search(&reference.written()) {
            Search::Nothing => false,
            Search::Messages(matches) => matches.filters.iter().all(|filter| holds(filter, &words)),
        };
        prop_assert_eq!(found, reference.holds(&words), "{}", reference.written());
    }

    #[test]
    fn no_text_panics(text in ".{0,200}") {
        let _ = parse(&text).map(|query| query.search(&labels(), "me@example.com", Millis(NOW)));
    }

    #[test]
    fn no_combination_of_tokens_panics(pieces in prop::collection::vec(
        prop::sample::select(vec!["(", ")", "{", "}", "-", "\"", "OR", "AND", " ", "from:", "in:", "label:", "after:", "larger:", "9", "2026/01/01", "é", "x", ":", "older_than:", "99999999999999999999d", "rfc822msgid:<", "M"]), 0..40))
    {
        let _ = parse(&pieces.concat()).map(|query| query.search(&labels(), "me@example.com", Millis(NOW)));
    }
}
