//! Compares the schemas with the documents that they describe.
//!
//! `tests/inventory/` lists every resource, field, value, operation and parameter with its origin: `spec` if a
//! specification mentions it, `wire` if only the facts about the public interface do, `ours` if only the servers of
//! this project have it. Whole resources and enums that are `ours` are omitted. The lists also have facts: types with
//! their limits, paths, scopes, aliases. They are derived from the documents if these are next to the repository;
//! `UPDATE_INVENTORY=1` writes the derived lists. Everywhere else the lists replace the documents.
//!
//! Lines that start with `rule` are written by hand, because no program can decide whether a sentence justifies a
//! condition. A rule without such a line is `ours`. Lines of fields that are `ours` (`field Event.note ours`) are
//! written by hand too, and so are those of [`behavior::KINDS`]: behavior, deprecation, constraints on strings and
//! lists, states, conditions of rules (`condition`), pages and synchronization, and single facts of another origin
//! (`origin`). The fixed words about fields in the tables of the specifications are compared with them.

mod behavior;
mod beyond;
mod derive;
mod deviations;
mod discovery;
mod fact;
pub mod judgement;
mod list;
pub mod markdown;
mod mentions;
mod prose;
mod schema;
mod specification;
mod table_words;
mod wire_facts;

use std::path::PathBuf;

use judgement::DOCUMENTS;
use list::List;
use wireform_codegen::{Source, load};
use wireform_test_data::requires;
use wireform_tests::{root, shared, sources};

pub fn file(api: &str) -> PathBuf {
    root().join("tests/inventory").join(api).with_extension("txt")
}

fn checked_in(api: &str) -> List {
    List::parse(&fs_err::read_to_string(file(api)).unwrap_or_default())
}

fn of_schema(api: &str, sources: &[Source]) -> List {
    schema::list(&load(sources).unwrap_or_else(|output| panic!("{api}: {:?}", output.diagnostics)))
}

/// Fails with all differences at once.
pub fn report(failures: &[String]) {
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

#[test]
fn schemas_have_what_the_lists_have() {
    let mut failures = Vec::new();
    for api in DOCUMENTS.map(|documents| documents.api) {
        let found = of_schema(api, &sources(&root().join("schemas").join(api)));
        let differences = checked_in(api).differences(&found);
        failures.extend(differences.iter().map(|difference| format!("schemas/{api}: {difference}")));
        if differences.iter().any(|difference| difference.starts_with("extra")) {
            failures.push(format!("help: add the lines marked `extra` to tests/inventory/{api}.txt, in sorted order"));
        }
    }
    report(&failures);
}

#[test]
fn members_of_our_own_are_written_by_hand() {
    let text = "field Event.id spec\nfield Event.note ours\ntext Event.note length=..500\ntype Event.id string\n";
    let by_hand = List::parse("field Event.note ours\ntext Event.note length=..500\n");
    assert_eq!(List::parse(text).only(behavior::is_by_hand), by_hand);
}

/// The comparison detects a field with another name, and a wrong origin.
#[test]
fn a_slip_shows() {
    let stored = checked_in("mailbox");
    let changed = |from: &str, to: &str| {
        let mut changed = sources(&root().join("schemas/mailbox"));
        changed.iter_mut().for_each(|source| source.text = source.text.replacen(from, to, 1).into());
        stored.differences(&of_schema("mailbox", &changed))
    };
    assert_eq!(
        changed("snippet: { type: string, behavior", "snippets: { type: string, behavior"),
        [
            "missing: behavior Message.snippet output_only",
            "missing: field Message.snippet wire",
            "missing: type Message.snippet string",
            "extra: behavior Message.snippets output_only",
            "extra: field Message.snippets wire",
        ]
    );
    let marked = "threadId: { type: string, origin: wire, ";
    assert_eq!(
        changed("threadId: { type: string, ", marked),
        ["different: field Message.threadId: expected `spec`, found `wire`"]
    );
    assert_eq!(
        changed("id: history.user", "id: history.person"),
        [
            "missing: condition history.user at=userId params.userId == 'me' || isEmail(params.userId)",
            "missing: rule history.user spec",
            "extra: condition history.person at=userId params.userId == 'me' || isEmail(params.userId)",
            "extra: rule history.person spec",
        ]
    );
}

/// The comparison detects differences of fields and operations beyond their types.
#[test]
fn a_slip_of_behaviour_shows() {
    let stored = checked_in("calendar");
    let changed = |from: &str, to: &str| {
        let mut changed = sources(&root().join("schemas/calendar"));
        let found = changed.iter_mut().filter(|source| source.text.contains(from));
        let count = found.map(|source| source.text = source.text.replacen(from, to, 1).into()).count();
        assert!(count > 0, "{from}");
        stored.differences(&of_schema("calendar", &changed))
    };
    let cases = [
        ("behavior: [identifier, immutable]", "behavior: [identifier]", "behavior Event.id"),
        ("deprecated: { since: v3, use: eventLabelId }", "example: '1'", "deprecated Event.colorId"),
        ("effective_when: \"params.supportsAttachments\"", "example: []", "effective Event.attachments"),
        ("length: 5..=1024", "length: 5..=1023", "text Event.id"),
        ("pattern: \"[a-v0-9]+\"", "pattern: \"[a-z0-9]+\"", "text Event.id"),
        ("items: ..=25", "items: ..=26", "text Event.attachments"),
        ("constrained: { in: [events.insert, events.import] }", "name: id", "text Event.id"),
        ("ignored: { unless: { type: homeOffice } }", "example: {}", "ignored WorkingLocationProperties.homeOffice"),
        ("initial: confirmed", "initial: tentative", "states Event.status"),
        ("- showDeleted: false", "- showDeleted", "sync events.list"),
        ("reason: fullSyncRequired, location", "reason: gone, location", "sync events.list"),
        ("stop: channels.stop", "stop: events.delete", "watch events.watch"),
        ("cost: 3", "cost: 2", "call events.patch"),
        ("!has(this.recurringEventId) || ", "", "condition event.instance_has_no_recurrence"),
        ("origins: { sync.forbids: wire }", "cost: 1", "origin events.list.sync.forbids"),
    ];
    for (from, to, key) in cases {
        let found = changed(from, to);
        assert!(!found.is_empty() && found.iter().any(|line| line.contains(key)), "{from}: {found:?}");
    }
}

/// The schemas agree with the fixed words of the specifications about fields.
#[requires("reference", "spec")]
#[test]
fn members_are_what_the_tables_say() {
    let folder = shared("");
    let mut failures = Vec::new();
    for documents in &DOCUMENTS {
        let differences = table_words::differences(
            &derive::statements(&folder, documents),
            documents.api,
            &checked_in(documents.api),
        );
        failures.extend(differences.iter().map(|difference| format!("{}: {difference}", documents.api)));
    }
    report(&failures);
}

#[requires("reference", "spec")]
#[test]
fn lists_are_what_the_documents_give() {
    let folder = shared("");
    let mut failures = Vec::new();
    for documents in &DOCUMENTS {
        let derived = derive::list(&folder, documents);
        let stored = checked_in(documents.api);
        if std::env::var_os("UPDATE_INVENTORY").is_some() {
            let rules = stored.only(behavior::is_by_hand);
            fs_err::write(file(documents.api), derived.with(&rules).render()).expect("the list can be written");
            continue;
        }
        let differences = derived.differences(&stored.only(|kind, value| !behavior::is_by_hand(kind, value)));
        let name = documents.api;
        failures.extend(differences.iter().map(|difference| format!("tests/inventory/{name}.txt: {difference}")));
    }
    report(&failures);
}
