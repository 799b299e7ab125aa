//! Baseline: the same rows as the store writes for a message, in one transaction with prepared statements and no other
//! users.

use std::path::Path;

use rusqlite::{Connection, params};
use wireform_store::{Mailbox, Millis, NewMessage};

/// Database with the store's tables, and a mailbox in it.
pub struct Baseline {
    database: Connection,
    mailbox: i64,
}

impl Baseline {
    /// Opens a database that the store has created.
    pub fn open(folder: &Path, mailbox: Mailbox) -> anyhow::Result<Self> {
        let database = Connection::open(folder.join("store.sqlite3"))?;
        database.pragma_update(None, "journal_mode", "WAL")?;
        database.pragma_update(None, "synchronous", "FULL")?;
        database.set_prepared_statement_cache_capacity(64);
        Ok(Self { database, mailbox: mailbox.0 })
    }

    /// Writes a message that has the labels 1 and 2, is unread and replies to no other.
    pub fn insert(&mut self, message: &NewMessage, now: Millis) -> anyhow::Result<()> {
        let transaction = self.database.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let run = |sql: &str, values: &[&dyn rusqlite::ToSql]| transaction.prepare_cached(sql)?.execute(values);
        let mailbox = self.mailbox;
        let last: i64 = transaction
            .prepare_cached("SELECT history FROM mailboxes WHERE mailbox = ?1")?
            .query_row([mailbox], |row| row.get(0))?;
        let (number, id) = (last + 17, (now.0 << 20) | (last & 0xF_FFFF));
        run(
            "INSERT INTO messages (mailbox, id, thread, date, history, size, identifier, labels, snippet)
             VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, '[1,2]', ?7)",
            params![
                mailbox,
                id,
                now.0,
                number,
                i64::try_from(message.raw.len())?,
                message.threading.message_id,
                message.snippet
            ],
        )?;
        run(
            "INSERT INTO texts (mailbox, id, sender, recipients, subject, text, attachment, raw)
             VALUES (?1, ?2, '', '', ?3, ?4, 0, ?5)",
            params![mailbox, id, message.search.subject, message.search.text, message.raw],
        )?;
        insert_labels(&run, (mailbox, id), now, number)?;
        let body = format!("[[1,{id},{id},[],[1,2]]]");
        run(
            "INSERT INTO records (mailbox, id, made, body) VALUES (?1, ?2, ?3, ?4)",
            params![mailbox, number, now.0, body],
        )?;
        run("UPDATE mailboxes SET history = ?2, touched = ?3 WHERE mailbox = ?1", params![mailbox, number, now.0])?;
        transaction.commit()?;
        Ok(())
    }
}

/// Runs a statement with values.
type Run<'a> = dyn Fn(&str, &[&dyn rusqlite::ToSql]) -> rusqlite::Result<usize> + 'a;

/// Writes the labels of a message, with their counts and the marks of its history record.
fn insert_labels(run: &Run<'_>, (mailbox, id): (i64, i64), now: Millis, record: i64) -> rusqlite::Result<()> {
    for label in [1, 2] {
        run(
            "INSERT INTO message_labels (mailbox, label, date, id) VALUES (?1, ?2, ?3, ?4)",
            params![mailbox, label, now.0, id],
        )?;
    }
    for label in [0, 1, 2] {
        run(
            "INSERT INTO thread_labels (mailbox, thread, label, messages, unread) VALUES (?1, ?2, ?3, 1, 1)",
            params![mailbox, id, label],
        )?;
        run(
            "INSERT INTO label_counts (mailbox, label, messages, unread, threads, threads_unread)
             VALUES (?1, ?2, 1, 1, 1, 1) ON CONFLICT (mailbox, label) DO UPDATE SET messages = messages + 1,
             unread = unread + 1, threads = threads + 1, threads_unread = threads_unread + 1",
            params![mailbox, label],
        )?;
        run(
            "INSERT INTO marks (mailbox, label, kind, record) VALUES (?1, ?2, 1, ?3)",
            params![mailbox, label, record],
        )?;
    }
    Ok(())
}
