//! Query plans of the statements of the domain.

use rusqlite::Connection;

use crate::domain::{scripts, sql};
use crate::sqlite::files::Files;
use crate::sqlite::migrate::migrate;

fn plan(connection: &Connection, statement: &str) -> Vec<String> {
    let mut explained = connection.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
    let values = vec![rusqlite::types::Null; explained.parameter_count()];
    let steps = explained.query_map(rusqlite::params_from_iter(values), |row| row.get(3)).unwrap();
    steps.collect::<rusqlite::Result<_>>().unwrap()
}

/// Uses empty tables without statistics, as in every store: SQLite plans by its indexes alone.
#[test]
fn every_statement_walks_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let files = Files::create(folder.path()).unwrap();
    let mut connection = files.writer().unwrap();
    migrate(&mut connection, &files.database()).unwrap();
    let mut wrong = Vec::new();
    for (name, statement) in sql::ALL.iter().chain(sql::entries::ALL).chain(scripts::sql::ALL) {
        let steps = plan(&connection, statement);
        // Labels are few; data of removed mailboxes is read in steps; foreign keys are looked up.
        let whole = name.starts_with("LABELS") || name.starts_with("REMAINS") || *name == "MAILBOX_DROP";
        let unwanted = |step: &String| {
            step.starts_with("SCAN")
                || step.contains("TEMP B-TREE")
                || step.contains("(side=?)")
                || (step.contains("(mailbox=?)") && !whole)
        };
        if steps.iter().any(unwanted) {
            wrong.push(format!("{name}: {statement}\n  {}", steps.join("\n  ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
