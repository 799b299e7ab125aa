//! Valid seeds, and the errors of invalid ones.

use std::path::Path;

use wireform_store::{Label, MessageDate, Millis, SystemLabel};

use super::plan::Plan;
use super::relative::SeedText;

fn plan(text: &str) -> anyhow::Result<Plan> {
    plan_on(jiff::civil::date(2026, 3, 4), text)
}

fn plan_on(today: jiff::civil::Date, text: &str) -> anyhow::Result<Plan> {
    super::plan(&SeedText::resolve(Path::new("seed.yaml"), text, today))
}

/// Returns a seed with one user, which has the additional lines `more`.
fn user(more: &str) -> String {
    format!("users:\n  - address: ada@example.com\n{more}")
}

#[test]
fn the_demo_seed_is_valid() {
    let text =
        fs_err::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/demo.yaml")).expect("it is there");
    let plan = plan(&text).expect("it has no errors");
    assert_eq!(plan.users.len(), 2);
    assert!(plan.users[0].messages.len() > 5);
}

#[test]
fn the_seed_of_the_present_week_is_valid() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds/today.yaml");
    let text = fs_err::read_to_string(path).expect("it is there");
    let plan = plan_on(jiff::civil::date(2028, 2, 29), &text).expect("it has no errors");
    assert_eq!((plan.users.len(), plan.users[0].messages.len()), (2, 4));
    let start = plan.users[0].own.events[1].1.start.clone().expect("a start");
    assert_eq!(start.date_time.expect("a time").to_civil().to_string(), "2028-02-29T16:00:00");
}

#[test]
fn mail_is_composed_from_its_parts() {
    let text = user(
        "    labels: [{ name: Fêtes }]\n    messages:\n      - from: Société des Machines <salon@example.org>\n        \
         subject: Soirée du quatorze mars, où l'on parlera de la machine à différences et d'autres merveilles\n        \
         date: 2026-02-02T16:00:00Z\n        labels: [INBOX, fêtes]\n        id: a@b\n        answers: c@d\n        \
         text: |\n          Chère Madame\n        html: <p>Chère Madame</p>\n        \
         attachments: [{ name: plan.csv, type: text/csv, text: \"a,b\" }]\n",
    );
    let mut plan = plan(&text).expect("it has no errors");
    let message = plan.users.remove(0).messages.remove(0).prepare(&[Label::User(7)]);
    assert_eq!(message.labels, [Label::System(SystemLabel::Inbox), Label::User(7)]);
    assert_eq!(message.date, MessageDate::At(Millis(1_770_048_000_000)));
    assert!(message.search.subject.ends_with("à différences et d'autres merveilles"), "{}", message.search.subject);
    assert!(message.search.from.contains("société des machines"), "{}", message.search.from);
    assert!(message.search.to.contains("ada@example.com"), "{}", message.search.to);
    assert!(message.search.attachment);
    assert!(message.snippet.starts_with("Chère Madame"), "{}", message.snippet);
    assert_eq!(message.threading.references.len(), 1);
    let raw = String::from_utf8(message.raw).expect("it is text");
    assert!(raw.lines().all(|line| line.len() <= 998) && !raw.replace("\r\n", "").contains('\n'), "{raw}");
}

#[test]
fn errors_have_locations() {
    let token = |secret: &str, scope: &str| user(&format!("    tokens: [{{ secret: {secret}, scopes: [{scope}] }}]\n"));
    let message = |more: &str| user(&format!("    messages:\n      - {more}\n"));
    let table = [
        ("users: []\n".to_owned(), "at least one user"),
        (
            "user: []\n".to_owned(),
            "seed.yaml:1:1: unknown field `user`, expected one of retention, users; did you mean `users`?",
        ),
        ("retention: 5m\nusers: [{ address: a@b }]\n".to_owned(), "seed.yaml:1:12: `5m`: must be at least 1h"),
        ("users: [{ address: ada }]\n".to_owned(), "not a mail address"),
        ("users: [{ address: a@b }, { address: A@b }]\n".to_owned(), "`A@b`: is already a user"),
        (user("    labels: [{ name: Inbox }]\n"), "`Inbox`: is already a label"),
        (user("    labels: [{ name: A }, { name: a }]\n"), "seed.yaml:3:35: `a`: is already a label"),
        (user("    labels: [{ name: A, text-color: \"#000000\" }]\n"), "both a text-color and"),
        (user("    labels: [{ name: A, label-list-visibility: no }]\n"), "must be one of labelShow"),
        (message("{ from: a@b, labels: [Work] }"), "`Work`: is neither a system label"),
        (message("{ subject: a }"), "seed.yaml:4:9: message 1 of ada@example.com has neither"),
        (message("{ raw: a, from: a@b }"), "either `raw` or its parts"),
        (message("{ from: ada }"), "`ada`: is not an address"),
        (message("{ from: a@b, id: <a@b> }"), "is not an identifier without angle brackets"),
        (message("{ from: a@b, date: yesterday }"), "seed.yaml:4:28: `yesterday`: must be an RFC 3339 time"),
        (message("{ from: a@b, attachments: [{ name: a, type: csv, text: a }] }"), "`csv`: is not a media type"),
        (
            user("    calendars: [{ id: c, summary: a }, { id: c, summary: b }]\n"),
            "seed.yaml:3:46: `c`: is already a calendar",
        ),
        (user("    calendars: [{ id: ada@example.com, summary: a }]\n"), "`ada@example.com`: is already a calendar"),
        (user("    calendars: [{ summary: a, time-zone: Berlin }]\n"), "`Berlin`: is not a time zone"),
        (user("    labels: [{ name: A, text-color: red, background-color: blue }]\n"), "`red`: is not a label color"),
        (message("{ raw: a, text: b }"), "either `raw` or its parts"),
        (user("    name: Ada\n    name: Ada\n"), "seed.yaml:4:5: duplicate key `name`"),
        (user("    labels: Work\n"), "seed.yaml:3:13: expected a list"),
        (user("    labels: [Work]\n"), "seed.yaml:3:14: expected keys with values"),
        ("users: [{ address: [a] }]\n".to_owned(), "seed.yaml:1:20: expected a single value"),
        ("users: [{ address: a@b }]\n---\nusers: []\n".to_owned(), "a second document"),
        ("users:\n  - address:\n".to_owned(), "the value is missing"),
        (token("short", "mail"), "at least 16 visible"),
        (token("long-enough-for-tests", "male"), "unknown scope `male`; did you mean `mail`?"),
        (token("long-enough-for-tests", ""), "needs at least one scope"),
    ];
    for (text, expected) in table {
        let error = format!("{:#}", plan(&text).map(|_| ()).expect_err(&text));
        assert!(error.contains(expected), "{error}\ndoes not contain {expected}");
        assert!(!error.contains("short") && !error.contains("long-enough"), "{error}");
    }
}

#[test]
fn errors_have_the_columns_of_the_file() {
    for (text, expected) in [
        ("    birthdays: [{ name: <today>, date: soon }]\n", "seed.yaml:3:40: `soon`"),
        ("    birthdays: [{ name: Für <monday+100> <today>, date: soon }]\n", "seed.yaml:3:57: `soon`"),
        ("    birthdays: [{ name: <today>, date: <today>x }]\n", "seed.yaml:3:40: `2026-03-04x`"),
        ("    birthdays: [{ name: <today>, date: <today> }]\n    working-hours: [noon]\n", "seed.yaml:4:21: `noon`"),
        ("    labels: [{ name: <today>, colour: red }]\n", "seed.yaml:3:31: unknown field `colour`"),
    ] {
        let error = format!("{:#}", plan(&user(text)).map(|_| ()).expect_err(text));
        assert!(error.contains(expected), "{error}\ndoes not contain {expected}");
    }
}

#[test]
fn all_errors_are_reported_at_once_in_the_order_of_the_file() {
    let text = user(
        "    time-zone: Berlin\n    labels: [{ name: A, text-color: red, background-color: blue }]\n    messages:\n      \
         - { from: a@b, labels: [Work, Home], date: soon }\n      - subject: a\n    events: [{ start: 1 }, { summary: 2 }]\n    \
         birthdays: [{ name: Ada, date: today, type: custom }]\n    working-hours: [noon]\n    shares: { eve@example.com: boss }\n    \
         scripts:\n      - title: Sums\n        manifest: { timeZone: 1 }\n        triggers: [{ function: add, every: 6x }, { function: sub }]\n    \
         tokens: [{ secret: long-enough-for-tests, scopes: [male], expires: soon }]\n  - address: bob\n",
    );
    let error = format!("{:#}", plan(&text).map(|_| ()).expect_err("it has errors"));
    let lines: Vec<(usize, &str)> = error
        .lines()
        .map(|line| {
            let mut parts = line.strip_prefix("seed.yaml:").expect("a location").splitn(3, ':');
            (parts.next().expect("a line").parse().expect("a number"), parts.nth(1).expect("a message"))
        })
        .collect();
    let expected = [
        (3, "`Berlin`"),
        (4, "`red`"),
        (4, "`blue`"),
        (6, "`Work`"),
        (6, "`Home`"),
        (6, "`soon`"),
        (7, "neither"),
        (8, "start"),
        (8, "summary"),
        (9, "`today`"),
        (9, "`custom`"),
        (10, "`noon`"),
        (11, "`boss`"),
        (13, "timeZone"),
        (15, "`6x`"),
        (15, "`sub`"),
        (16, "`male`"),
        (16, "`soon`"),
        (17, "`bob`"),
    ];
    assert_eq!(lines.len(), expected.len(), "{error}");
    for ((line, message), (expected_line, expected)) in lines.iter().zip(expected) {
        assert!(*line == expected_line && message.contains(expected), "{line}: {message}\n{expected_line}: {expected}");
    }
}
