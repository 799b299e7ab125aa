//! Tests of the documentation of limits: each row names existing tests, and numbers that are in the sources.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::program::Home;

/// Rows of the documentation by their limit, with their default, the source file of the default, and its text there.
const SOURCES: &[(&str, &str, &str, &str)] = &[
    ("concurrent connections", "4,096", "runtime/server/src/serve/limits.rs", "connections: 4096,"),
    ("open files", "128", "services/server/src/service/descriptors.rs", "RESERVED: u64 = 128;"),
    ("request line and headers", "64 KiB", "runtime/server/src/serve/limits.rs", "head_bytes: 64 << 10,"),
    ("time until a head", "10 s", "runtime/server/src/serve/limits.rs", "head_time: Duration::from_secs(10),"),
    ("time between two", "60 s", "runtime/server/src/serve/limits.rs", "idle_time: Duration::from_secs(60),"),
    ("time in which a peer", "20 s", "runtime/server/src/serve/limits.rs", "write_pause: Duration::from_secs(20),"),
    ("time for accepted requests", "30 s", "runtime/server/src/serve/limits.rs", "grace: Duration::from_secs(30),"),
    ("headers", "100", "runtime/server/src/limits/mod.rs", "headers: 100,"),
    ("names and values", "32 KiB", "runtime/server/src/limits/mod.rs", "header_bytes: 32 << 10,"),
    ("path and query", "16 KiB", "runtime/server/src/limits/mod.rs", "target_bytes: 16 << 10,"),
    ("query parameters", "500", "runtime/server/src/limits/mod.rs", "query_pairs: 500,"),
    ("body of the mail", "48 MiB and 64 KiB", "services/mailbox/src/service.rs", "div_ceil(3) * 4 + (64 << 10);"),
    ("body of the script", "24 MiB", "services/script/src/service.rs", "BODY_BYTES: usize = 24 << 20;"),
    ("body of the calendar", "1 MiB", "services/calendar/src/service.rs", "MAX_BODY_BYTES: usize = 1 << 20;"),
    ("nested lists", "127", "runtime/server/src/limits/mod.rs", "json_depth: 127,"),
    ("concurrent requests", "1,024", "runtime/server/src/limits/mod.rs", "concurrent_requests: 1024,"),
    ("concurrent bodies", "1,024", "runtime/server/src/limits/mod.rs", "concurrent_bodies: 1024,"),
    ("concurrent batches", "64", "runtime/server/src/limits/mod.rs", "concurrent_batches: 64,"),
    ("concurrent requests, bodies and", "25 percent", "runtime/server/src/limits/mod.rs", "share_percent: 25,"),
    ("memory of bodies", "52 MiB", "services/mailbox/src/service.rs", "MEMORY_BUDGET: u64 = 52 << 20;"),
    ("complete texts", "6.5 MiB", "runtime/server/src/memory/text.rs", "WAITING_FRACTION: u64 = 8;"),
    ("memory of one body", "512 bytes", "runtime/server/src/limits/cost.rs", "CONTAINER_BYTES: u64 = 512;"),
    ("time in which a body", "3 s", "runtime/server/src/memory.rs", "PAUSE: Duration = Duration::from_secs(3);"),
    ("time in which 16 KiB", "3 s", "runtime/server/src/memory.rs", "PAUSE: Duration = Duration::from_secs(3);"),
    ("time of a request, mail", "120 s", "services/mailbox/src/service.rs", "request_time: Duration::from_secs(120)"),
    ("time of a request, the", "60 s", "runtime/server/src/limits/mod.rs", "request_time: Duration::from_secs(60),"),
    ("time until the next", "10 s", "runtime/server/src/limits/mod.rs", "body_pause: Duration::from_secs(10),"),
    ("requests of a batch", "100", "generated/mailbox-types/src/requests/mod.rs", "max_requests: 100u32,"),
    ("`X-Request-Id`", "64", "runtime/server/src/observe/id.rs", "const MAX_LENGTH: usize = 64;"),
    ("message", "36 MiB", "services/mailbox/src/mail.rs", "MAX_MESSAGE_BYTES: usize = 36 << 20;"),
    ("parsed parts", "1,000", "services/mailbox/src/mail/structure.rs", "MAX_PARTS: usize = 1000;"),
    ("parsed headers", "4,000", "services/mailbox/src/mail/structure.rs", "MAX_FIELDS: usize = 4000;"),
    ("references", "50", "services/mailbox/src/mail/threading.rs", "REFERENCES: usize = 50;"),
    ("snippet", "200", "services/mailbox/src/mail/text.rs", "SNIPPET: usize = 200;"),
    ("searchable text", "16,384", "services/mailbox/src/mail/text.rs", "MAX_SEARCHABLE: usize = 16 << 10;"),
    ("labels of a mailbox", "10,000", "services/store/src/domain/labels.rs", "MAX_LABELS_PER_MAILBOX: i64 = 10_000;"),
    ("labels of a message", "100", "services/store/src/domain/labels.rs", "MAX_LABELS_PER_MESSAGE: usize = 100;"),
    ("labels that a request", "100 each", "services/mailbox/src/messages.rs", "MAX_LABELS: usize = 100;"),
    ("name of a label", "225", "schemas/mailbox/labels.yaml", "length: 1..=225"),
    ("messages of `batchModify`", "1,000", "schemas/mailbox/messages.yaml", "items: 1..=1000"),
    ("messages of `batchDelete`", "1,000", "schemas/mailbox/operations-send.yaml", "items: 1..=1000"),
    ("labels that a transaction", "4,000", "services/store/src/domain/edit.rs", "MAX_LABEL_CHANGES: usize = 4_000;"),
    ("message that is sent", "12 MiB", "services/mailbox/src/messages/send.rs", "MAX_SENT_BYTES: usize = 12 << 20;"),
    ("resumable uploads", "40 MiB", "services/mailbox/src/service.rs", "UPLOAD_BYTES: u64 = 40 << 20;"),
    ("recipients of a message", "50", "services/mailbox/src/mail/outgoing.rs", "MAX_RECIPIENTS: usize = 50;"),
    ("messages of a thread", "500", "services/mailbox/src/threads.rs", "MAX_MESSAGES: u32 = 500;"),
    (
        "headers and small parts of a thread",
        "8 MiB",
        "services/mailbox/src/threads.rs",
        "MAX_TEXT_BYTES: u64 = 8 << 20;",
    ),
    (
        "messages of a page",
        "500; default 100",
        "services/mailbox/src/messages/list.rs",
        "DEFAULT_PAGE_SIZE: u32 = 100;",
    ),
    ("messages examined", "5,000", "services/store/src/domain/list.rs", "EXAMINED: usize = 5_000;"),
    ("search query", "2,048", "services/mailbox/src/query.rs", "MAX_LENGTH: usize = 2048;"),
    ("conditions of a search", "100", "services/mailbox/src/query.rs", "MAX_TERMS: usize = 100;"),
    ("nested brackets", "19", "services/mailbox/src/query.rs", "MAX_DEPTH: usize = 20;"),
    (
        "concurrent searches of a mailbox",
        "16",
        "services/store/src/search_scheduler.rs",
        "MAX_SEARCHES_PER_CALLER: usize = 16;",
    ),
    ("concurrent searches", "512", "services/store/src/search_scheduler.rs", "MAX_SEARCHES: usize = 512;"),
    ("history records", "500; default 100", "services/mailbox/src/service/history.rs", "DEFAULT_PAGE_SIZE: u32 = 100;"),
    ("history changes", "20,000", "services/store/src/domain/history.rs", "MAX_CHANGES: usize = 20_000;"),
    ("quota units of a user", "10,000", "services/server/src/settings/resolve.rs", "QUOTA: u32 = 10_000;"),
    ("periods and instances", "5,000,000", "services/calendar/src/read/page.rs", "MAX_STEPS: u64 = 5_000_000;"),
    ("work of preparing", "5,000 steps", "services/calendar/src/series/steps.rs", "MAX_ATTEMPT: u64 = 5_000;"),
    ("calendars of `freebusy.query`", "50", "services/calendar/src/read/free_busy.rs", "MAX_CALENDARS: usize = 50;"),
    ("events examined for", "10,000", "services/calendar/src/read/free_busy.rs", "MAX_EXAMINED: usize = 10_000;"),
    ("stored size of the events", "2 MiB", "services/calendar/src/read/memory.rs", "PAGE_BYTES: u64 = 2 << 20;"),
    ("memory of a page while", "6 times", "services/calendar/src/read/memory.rs", "COPIES: u64 = 6;"),
    ("memory of a read or changed event", "6 times", "services/calendar/src/write/memory.rs", "COPIES: u64 = 6;"),
    (
        "stored size of the exceptions",
        "12 MiB",
        "services/calendar/src/write/memory.rs",
        "MAX_EXCEPTION_BYTES: u64 = 12 << 20;",
    ),
    ("instances of a series", "60", "services/calendar/src/write/declines.rs", "INSTANCES: usize = 60;"),
    ("watch channels", "100", "services/store/src/domain/channels.rs", "MAX_PER_USER: i64 = 100;"),
    ("identifier of a channel", "64", "services/calendar/src/watch.rs", "MAX_ID: usize = 64;"),
    ("token of a channel", "256", "services/calendar/src/watch.rs", "MAX_TOKEN: usize = 256;"),
    ("URL of a channel", "2,048", "services/calendar/src/watch/url.rs", "MAX_BYTES: usize = 2_048;"),
    ("lifetime of a channel", "30 days", "services/calendar/src/watch.rs", "from_secs(30 * 24 * 60 * 60)"),
    ("notifications being", "64", "services/calendar/src/watch/sender.rs", "MAX_CONCURRENT: u32 = 64;"),
    (
        "time of an attempt",
        "10 s",
        "services/calendar/src/watch/callbacks.rs",
        "ATTEMPT_TIMEOUT: Duration = Duration::from_secs(10)",
    ),
    (
        "status line and headers of",
        "16 KiB",
        "services/calendar/src/watch/callbacks.rs",
        "MAX_HEAD_BYTES: usize = 16 << 10;",
    ),
    ("attempts to send", "15", "services/calendar/src/watch/backoff.rs", "attempts: 15,"),
    (
        "time after which",
        "20 s",
        "services/calendar/src/watch/sender.rs",
        "LEASE_DURATION: Duration = Duration::from_secs(20);",
    ),
    ("manifest", "64 KiB", "services/script/src/manifest.rs", "MAX_BYTES: usize = 64 << 10;"),
    ("memory of the files", "3 times", "services/script/src/content.rs", "CONTENT_COPIES: u64 = 3;"),
    ("memory of the code", "3 times", "services/script/src/run_memory.rs", "CODE_COPIES: u64 = 3;"),
    ("memory of a result", "3 times", "runtime/server/src/limits/cost.rs", "TEXT_COPIES: u64 = 3;"),
    ("memory of the responses", "their size", "services/script/src/apis.rs", "RESPONSE_BUDGET: usize = 32 << 20;"),
    (
        "memory of a page of a web",
        "as that of a result",
        "services/script/src/web.rs",
        "share.shrink(response.length()",
    ),
    ("imported message", "36 MiB", "services/mailbox/src/import/mbox.rs", "MAX_MESSAGE_BYTES"),
    ("labels of an imported", "100", "services/mailbox/src/messages.rs", "MAX_LABELS: usize = 100;"),
    ("secret of a token", "16 characters", "services/server/src/seed/plan.rs", "SECRET_LENGTH: usize = 16;"),
    ("ready token", "24 hours", "services/server/src/service/ready.rs", "from_secs(24 * 60 * 60)"),
    ("token of", "30 days", "services/server/src/cli.rs", "default_value = \"30d\""),
    ("retention", "8 days, at least 1 hour", "services/store/src/maintenance.rs", "from_secs(8 * 24 * 60 * 60)"),
    ("body of `POST", "4 KiB", "services/server/src/service/control.rs", "BODY_BYTES: usize = 4096;"),
    ("body of `POST", "4 KiB", "services/server/src/service/control.rs", "BODY_BYTES: usize = 4096;"),
    ("memory of all", "64 MiB", "services/server/src/service/snapshots.rs", "MAX_BYTES: usize = 64 << 20;"),
    ("snapshots", "100", "services/server/src/service/snapshots.rs", "MAX_SNAPSHOTS: usize = 100;"),
    ("body of `POST", "16 KiB", "services/server/src/service/oauth.rs", "BODY_BYTES: usize = 16 << 10;"),
    ("access token", "1 hour", "services/server/src/service/oauth/grants.rs", "Duration::from_secs(60 * 60);"),
    ("authorization codes", "1,000", "services/server/src/service/oauth/codes.rs", "MAX_CODES: usize = 1_000;"),
    ("move of the clock", "the retention", "services/server/src/service/clock.rs", "the clock was moved by more than"),
    ("mailboxes, and calendars", "200", "services/server/src/service/overview.rs", "MAX_SHOWN: usize = 200;"),
    (
        "health checks",
        "1 s",
        "services/server/src/service/health/probe.rs",
        "MAX_AGE: Duration = Duration::from_secs(1);",
    ),
    (
        "time of a health",
        "5 s",
        "services/server/src/service/health/probe.rs",
        "TIMEOUT: Duration = Duration::from_secs(5);",
    ),
    ("free disk space", "1 MiB", "services/store/src/sqlite/disk_space.rs", "MIN_FREE_SPACE: u64 = 1 << 20;"),
    ("size of a store file", "`ulimit -f`", "services/store/src/error.rs", "`ulimit -f`"),
    ("operations waiting", "1,024", "services/store/src/sqlite.rs", "QUEUE_LENGTH: usize = 1_024;"),
    (
        "time to wait for another process",
        "5 s",
        "services/store/src/sqlite/files.rs",
        "BUSY_TIMEOUT: Duration = Duration::from_secs(5);",
    ),
    ("connections to PostgreSQL", "16", "services/store/src/postgres.rs", "connections: 16,"),
    ("time to wait for a lock", "5 s", "services/store/src/postgres.rs", "lock_time: Duration::from_secs(5),"),
    ("time of a PostgreSQL", "30 s", "services/store/src/postgres.rs", "statement_time: Duration::from_secs(30),"),
];

/// Folders with the tests of limits.
const TESTED: [&str; 8] = [
    "runtime/server",
    "services/calendar",
    "services/engine",
    "services/mailbox",
    "services/page",
    "services/script",
    "services/server",
    "services/store",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Row of one of the tables of the documentation.
struct Row {
    what: String,
    default: String,
    beyond: String,
    tests: Vec<String>,
}

fn rows() -> Vec<Row> {
    let page = fs_err::read_to_string(root().join("docs/limits.md")).expect("the page is there");
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| limit |"));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let cells: [&str; 5] = cells.try_into().expect("a row has five cells");
        let [what, default, _, beyond, tests] = cells;
        let tests = tests.split(", ").map(|name| name.trim_matches('`').to_owned()).collect();
        Row { what: what.to_owned(), default: default.to_owned(), beyond: beyond.to_owned(), tests }
    })
    .collect()
}

/// Returns the names of all tests below a folder.
fn tests_below(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs_err::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            tests_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs_err::read_to_string(&path).expect("it is text");
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            let each_database = text.contains("on_each_database! {");
            for (at, line) in lines.iter().enumerate() {
                let Some((_, rest)) = line.split_once("fn ") else { continue };
                let Some((name, arguments)) = rest.split_once('(') else { continue };
                let attributes = lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
                let marked =
                    attributes.clone().any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"));
                if marked || each_database && arguments.starts_with("store, place)") {
                    found.insert(name.to_owned());
                }
            }
        }
    }
}

#[test]
fn each_row_of_the_page_about_limits_names_tests_that_there_are() {
    let mut known = BTreeSet::new();
    TESTED.iter().for_each(|folder| tests_below(&root().join(folder), &mut known));
    assert!(known.len() > 300, "{} tests", known.len());
    for row in rows() {
        for test in &row.tests {
            assert!(known.contains(test), "`{}` names the test `{test}`, which is not there", row.what);
        }
        assert!(!row.default.is_empty() && !row.beyond.is_empty(), "{} is incomplete", row.what);
    }
}

#[test]
fn documented_limits_equal_those_of_the_sources() {
    let rows = rows();
    assert_eq!(rows.len(), SOURCES.len(), "docs/limits.md and the list in this test differ");
    for (row, (what, default, file, written)) in rows.iter().zip(SOURCES) {
        assert!(row.what.starts_with(what), "found the row `{}`, expected `{what}…`", row.what);
        assert!(row.default.contains(default), "`{}` is {default}, and the page says {}", row.what, row.default);
        let source = fs_err::read_to_string(root().join(file)).expect("the source is there");
        assert!(source.contains(written), "`{}`: there is no `{written}` in {file} any more", row.what);
    }
}

#[tokio::test]
async fn a_head_that_is_too_long_ends_the_connection() {
    let home = Home::new();
    let server = home.serve(&[]);
    let address = server.base.trim_start_matches("http://").to_owned();
    for (bytes, status) in [(20 << 10, "200"), (70 << 10, "431")] {
        let mut stream = TcpStream::connect(&address).expect("it listens");
        // A timeout, for a response that never ends.
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
        let head =
            format!("GET /-/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-A: {}\r\n\r\n", "a".repeat(bytes));
        // The server may have refused the request and closed the connection before all of it was sent.
        let _ = stream.write_all(head.as_bytes());
        let mut response = Vec::new();
        let _ = stream.read_to_end(&mut response);
        let response = String::from_utf8_lossy(&response);
        assert!(response.starts_with(&format!("HTTP/1.1 {status}")), "{bytes}: {response}");
    }
}
