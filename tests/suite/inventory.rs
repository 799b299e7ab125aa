//! Holds the schemas against the documents that they describe.
//!
//! `tests/inventory/` lists every resource, member, value, operation and parameter with its origin:
//! `spec` where a specification names it, `wire` where only the facts about the public interface
//! do, `ours` what only the servers of this project say. Facts stand beside: types with their limits, paths, scopes, other spellings. A program
//! derives the lists from the documents where those lie beside the repository;
//! `UPDATE_INVENTORY=1` writes what it derives. Everywhere else the lists stand for the documents.
//!
//! The lines that start with `rule` are written by hand, because no program can tell whether a
//! sentence stands behind a condition. A rule without one is `ours`.

mod beyond;
mod derive;
mod deviations;
mod discovery;
mod fact;
mod judgement;
mod list;
mod markdown;
mod mentions;
mod prose;
mod schema;
mod specification;
mod wire_facts;

use std::path::PathBuf;

use judgement::DOCUMENTS;
use list::List;
use wireform_codegen::{Source, load};
use wireform_tests::{root, shared, sources};

fn file(api: &str) -> PathBuf {
    root().join("tests/inventory").join(api).with_extension("txt")
}

fn checked_in(api: &str) -> List {
    List::parse(&fs_err::read_to_string(file(api)).unwrap_or_default())
}

fn of_schema(api: &str, sources: &[Source]) -> List {
    schema::list(&load(sources).unwrap_or_else(|output| panic!("{api}: {:?}", output.diagnostics)))
}

/// All of what differs in one answer.
fn report(failures: &[String]) {
    assert!(failures.is_empty(), "\n{}\n", failures.join("\n"));
}

#[test]
fn schemas_have_what_the_lists_have() {
    let mut failures = Vec::new();
    for api in DOCUMENTS.map(|documents| documents.api) {
        let found = of_schema(api, &sources(&root().join("schemas").join(api)));
        let differences = checked_in(api).differences(&found);
        failures.extend(differences.iter().map(|difference| format!("schemas/{api}: {difference}")));
    }
    report(&failures);
}

/// The comparison sees a member of another name, and an origin that does not fit.
#[test]
fn a_slip_shows() {
    let stored = checked_in("mailbox");
    let changed = |from: &str, to: &str| {
        let mut changed = sources(&root().join("schemas/mailbox"));
        changed.iter_mut().for_each(|source| source.text = source.text.replacen(from, to, 1).into());
        stored.differences(&of_schema("mailbox", &changed))
    };
    assert_eq!(
        changed("snippet: ", "snippets: "),
        [
            "missing: field Message.snippet wire",
            "missing: type Message.snippet string",
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
        ["missing: rule history.user spec", "extra: rule history.person spec",]
    );
}

#[test]
fn lists_are_what_the_documents_give() {
    let Some(folder) = shared("spec").and_then(|_| shared("reference")) else { return };
    let folder = folder.parent().expect("it lies in a folder");
    let mut failures = Vec::new();
    for documents in &DOCUMENTS {
        let derived = derive::list(folder, documents);
        let stored = checked_in(documents.api);
        if std::env::var_os("UPDATE_INVENTORY").is_some() {
            let rules = stored.only(|kind| kind == "rule");
            fs_err::write(file(documents.api), derived.with(&rules).render()).expect("the list can be written");
            continue;
        }
        let differences = derived.differences(&stored.only(|kind| kind != "rule"));
        let name = documents.api;
        failures.extend(differences.iter().map(|difference| format!("tests/inventory/{name}.txt: {difference}")));
    }
    report(&failures);
}
