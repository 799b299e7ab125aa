//! All statements of the operations in one place, so that a test can examine the query plan of each.
//!
//! Queries for all rows use `WHERE key > …` with a condition that every key meets: the plan then shows that they walk
//! an index.

macro_rules! statements {
    ($($name:ident = $sql:literal;)*) => {
        $(pub(in crate::domain) const $name: &str = $sql;)*

        /// All statements with their names.
        #[cfg(test)]
        pub(crate) const ALL: &[(&str, &str)] = &[$((stringify!($name), $name),)*];
    };
}

pub(in crate::domain) use statements;

pub(crate) mod entries;

pub(in crate::domain) use self::entries::*;

// Users, tokens, settings, calendars.
statements! {
    USER_ADD = "INSERT INTO users (address, address_key, name, since) VALUES (?1, ?2, ?3, ?4) \
        ON CONFLICT (address_key) DO NOTHING RETURNING id";
    USER_BY_ADDRESS = "SELECT id, address, name, since FROM users WHERE address_key = ?1";
    USER_BY_NUMBER = "SELECT id, address, name, since FROM users WHERE id = ?1 AND address_key IS NOT NULL";
    USERS = "SELECT id, address, name, since FROM users WHERE address_key > '' ORDER BY address_key";
    USER_HIDE = "UPDATE users SET address_key = NULL WHERE id = ?1 AND address_key IS NOT NULL";
    USERS_HIDDEN = "SELECT id FROM users WHERE address_key IS NULL ORDER BY id LIMIT 1";
    USER_DROP = "DELETE FROM users WHERE id = ?1";

    TOKEN_ADD = "INSERT INTO tokens (user_id, hash, scopes, expires, note, since, kind) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) \
        ON CONFLICT (hash) DO NOTHING RETURNING number";
    GRANT = "SELECT u.id, u.address, u.name, u.since, t.scopes, t.kind FROM tokens t JOIN users u ON u.id = t.user_id \
        WHERE t.hash = ?1 AND (t.expires IS NULL OR t.expires > ?2) AND u.address_key IS NOT NULL";
    TOKENS_OF = "SELECT number, user_id, scopes, expires, note, since, kind FROM tokens WHERE user_id = ?1 \
        ORDER BY number";
    TOKENS = "SELECT number, user_id, scopes, expires, note, since, kind FROM tokens WHERE number > 0 ORDER BY number";
    TOKEN_DROP = "DELETE FROM tokens WHERE number = ?1";
    TOKEN_OF_HASH_DROP = "DELETE FROM tokens WHERE hash = ?1";
    TOKENS_OF_DROP = "DELETE FROM tokens WHERE user_id = ?1";
    TOKENS_ENDED = "SELECT number FROM tokens WHERE expires IS NOT NULL AND expires <= ?1 ORDER BY expires LIMIT ?2";

    // Executions that no server runs: server numbers are positive.
    EXECUTIONS_ORPHAN = "UPDATE script_processes SET server = 0 WHERE number > 0 AND ended IS NULL";

    SETTING = "SELECT value FROM settings WHERE name = ?1";
    SETTING_SET = "INSERT INTO settings (name, value) VALUES (?1, ?2) \
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    SETTING_CHANGE = "UPDATE settings SET value = ?2 WHERE name = ?1 AND value = ?3";
    SETTING_OFFER = "INSERT INTO settings (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING";

    // Calendars. A calendar without an identifier is being removed. The dialect's lock is appended to queries that
    // precede a write.
    CALENDAR_ADD = "INSERT INTO calendars (id, owner, summary, time_zone, settings, history, oldest, touched, forgotten) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?7, 0) ON CONFLICT (id) DO NOTHING RETURNING number";
    CALENDAR = "SELECT number, id, owner, summary, time_zone, settings, history, oldest, touched, forgotten, \
        (SELECT number FROM current_epoch) FROM calendars WHERE id = ?1";
    CALENDAR_AT = "SELECT number, id, owner, summary, time_zone, settings, history, oldest, touched, forgotten, \
        (SELECT number FROM current_epoch) FROM calendars WHERE number = ?1 AND id IS NOT NULL";
    CALENDAR_OF_USER = "SELECT c.number, c.id, c.owner, c.summary, c.time_zone, c.settings, c.history, c.oldest, \
        c.touched, c.forgotten, (SELECT number FROM current_epoch) \
        FROM users u JOIN calendars c ON c.id = u.address WHERE u.address_key = ?1";
    CALENDARS_OF = "SELECT number, id, owner, summary, time_zone, settings, history, oldest, touched, forgotten, \
        (SELECT number FROM current_epoch) FROM calendars WHERE owner = ?1 AND id IS NOT NULL ORDER BY id";
    CALENDARS = "SELECT number, id, owner, summary, time_zone, settings, history, oldest, touched, forgotten, \
        (SELECT number FROM current_epoch) FROM calendars WHERE id > '' ORDER BY id";
    CALENDARS_SHARED = "SELECT c.number, c.id, c.owner, c.summary, c.time_zone, c.settings, c.history, c.oldest, \
        c.touched, c.forgotten, (SELECT number FROM current_epoch), s.role \
        FROM calendar_shares s JOIN calendars c ON c.number = s.calendar \
        WHERE s.user_id = ?1 AND c.id IS NOT NULL ORDER BY s.calendar";
    CALENDAR_SET = "UPDATE calendars SET summary = ?2, settings = ?3, history = ?4, touched = ?5, time_zone = ?6 \
        WHERE number = ?1";
    // Returns a channel of the calendar, if there are any: only then they are marked.
    CALENDAR_MOVE = "UPDATE calendars SET history = history + 1, \
        touched = CASE WHEN touched < ?2 THEN ?2 ELSE touched END WHERE number = ?1 RETURNING history, \
        (SELECT h.number FROM channels h WHERE h.calendar = ?1 ORDER BY h.number LIMIT 1)";
    CALENDAR_FORGOT = "UPDATE calendars SET oldest = ?2, forgotten = ?3 WHERE number = ?1";
    CALENDAR_HIDE = "UPDATE calendars SET id = NULL WHERE id = ?1";
    CALENDARS_OF_HIDE = "UPDATE calendars SET id = NULL WHERE owner = ?1";
    CALENDARS_HIDDEN = "SELECT number FROM calendars WHERE id IS NULL ORDER BY number LIMIT 1";
    CALENDARS_OF_LEFT = "SELECT number FROM calendars WHERE owner = ?1 ORDER BY id LIMIT 1";
    CALENDAR_DROP = "DELETE FROM calendars WHERE number = ?1 AND id IS NULL";
    CALENDAR_HISTORY_GREATEST = "SELECT coalesce(max(history), 0) FROM calendars WHERE number > 0";
    CALENDARS_JUMP = "UPDATE calendars SET history = ?1, oldest = ?1 WHERE number > 0";
    SHARE_SET = "INSERT INTO calendar_shares (calendar, user_id, role) VALUES (?1, ?2, ?3) \
        ON CONFLICT (calendar, user_id) DO UPDATE SET role = excluded.role";
    SHARE = "SELECT role FROM calendar_shares WHERE calendar = ?1 AND user_id = ?2";
    SHARES = "SELECT s.user_id, u.address, s.role FROM calendar_shares s JOIN users u ON u.id = s.user_id \
        WHERE s.calendar = ?1 AND u.address_key IS NOT NULL ORDER BY s.user_id";
    SHARE_DROP = "DELETE FROM calendar_shares WHERE calendar = ?1 AND user_id = ?2";
    SHARES_DROP = "DELETE FROM calendar_shares WHERE calendar = ?1";
    SHARES_OF_DROP = "DELETE FROM calendar_shares WHERE user_id = ?1";

    // Epoch. `current_epoch` has no row in a database that was put in place from elsewhere, where that can be detected.
    EPOCH = "SELECT number FROM current_epoch";
    EPOCH_STORED = "SELECT number, place FROM epoch WHERE one = 1";
    EPOCH_DROP = "DELETE FROM epoch WHERE one = 1";
    EPOCH_ADD = "INSERT INTO epoch (one, number, place) VALUES (1, ?1, ?2)";
    HISTORY_GREATEST = "SELECT coalesce(max(history), 0) FROM mailboxes WHERE mailbox > 0";
    MAILBOXES_JUMP = "UPDATE mailboxes SET history = ?1, oldest = ?1 WHERE mailbox > 0";

    // Mailboxes. The dialect's lock is appended to queries that precede a write.
    MAILBOX_ADD = "INSERT INTO mailboxes (mailbox, history, oldest, touched, next_label) VALUES (?1, ?2, ?2, ?3, 1)";
    MAILBOX = "SELECT history, oldest, touched, next_label, (SELECT number FROM current_epoch) FROM mailboxes \
        WHERE mailbox = ?1";
    MAILBOX_MOVE = "UPDATE mailboxes SET history = ?2, touched = ?3 WHERE mailbox = ?1";
    MAILBOX_NEXT_LABEL = "UPDATE mailboxes SET next_label = ?2 WHERE mailbox = ?1";
    MAILBOX_FORGOT = "UPDATE mailboxes SET oldest = ?2 WHERE mailbox = ?1 AND oldest < ?2";
    MAILBOX_DROP = "DELETE FROM mailboxes WHERE mailbox = ?1";
    OVERVIEW = "SELECT u.id, u.address, u.name, u.since, m.history, m.oldest, c.messages, c.threads \
        FROM users u JOIN mailboxes m ON m.mailbox = u.id \
        LEFT JOIN label_counts c ON c.mailbox = u.id AND c.label = 0 WHERE u.address_key > '' ORDER BY u.address_key";

    LABELS = "SELECT label, name, message_list_visibility, label_list_visibility, text_color, background_color \
        FROM labels WHERE mailbox = ?1 AND name_key IS NOT NULL ORDER BY label";
    LABEL = "SELECT label, name, message_list_visibility, label_list_visibility, text_color, background_color \
        FROM labels WHERE mailbox = ?1 AND label = ?2 AND name_key IS NOT NULL";
    LABEL_NAMED = "SELECT label FROM labels WHERE mailbox = ?1 AND name_key = ?2";
    LABEL_AT = "SELECT label FROM labels WHERE mailbox = ?1 AND label > 0 ORDER BY label LIMIT 1 OFFSET ?2";
    LABEL_ADD = "INSERT INTO labels (mailbox, label, name, name_key, message_list_visibility, label_list_visibility, \
        text_color, background_color) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    LABEL_CHANGE = "UPDATE labels SET name = ?3, name_key = ?4, message_list_visibility = ?5, \
        label_list_visibility = ?6, text_color = ?7, background_color = ?8 WHERE mailbox = ?1 AND label = ?2";
    LABEL_HIDE = "UPDATE labels SET name_key = NULL WHERE mailbox = ?1 AND label = ?2 AND name_key IS NOT NULL";
    LABELS_HIDDEN = "SELECT mailbox, label FROM labels WHERE mailbox > 0 AND name_key IS NULL \
        ORDER BY mailbox, label LIMIT 1";
    LABEL_DROP = "DELETE FROM labels WHERE mailbox = ?1 AND label = ?2 AND name_key IS NULL";
    LABELS_DROP = "DELETE FROM labels WHERE mailbox = ?1";

    COUNTS = "SELECT messages, unread, threads, threads_unread FROM label_counts WHERE mailbox = ?1 AND label = ?2";
    COUNTS_ADD = "INSERT INTO label_counts (mailbox, label, messages, unread, threads, threads_unread) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (mailbox, label) DO UPDATE SET \
        messages = label_counts.messages + excluded.messages, unread = label_counts.unread + excluded.unread, \
        threads = label_counts.threads + excluded.threads, \
        threads_unread = label_counts.threads_unread + excluded.threads_unread";
    COUNTS_DROP = "DELETE FROM label_counts WHERE mailbox = ?1 AND label = ?2";
    THREAD_COUNTS = "SELECT messages, unread FROM thread_labels WHERE mailbox = ?1 AND thread = ?2 AND label = ?3";
    THREAD_COUNTS_SET = "INSERT INTO thread_labels (mailbox, thread, label, messages, unread) \
        VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (mailbox, thread, label) DO UPDATE SET \
        messages = excluded.messages, unread = excluded.unread";
    THREAD_COUNTS_DROP = "DELETE FROM thread_labels WHERE mailbox = ?1 AND thread = ?2 AND label = ?3";

    // Messages.
    MESSAGE = "SELECT id, thread, labels, history, date, size, snippet FROM messages WHERE mailbox = ?1 AND id = ?2";
    MESSAGE_RAW = "SELECT raw FROM texts WHERE mailbox = ?1 AND id = ?2";
    MESSAGE_BETWEEN = "SELECT id FROM messages WHERE mailbox = ?1 AND id >= ?2 AND id <= ?3 LIMIT 1";
    THREAD_BETWEEN = "SELECT thread FROM thread_labels WHERE mailbox = ?1 AND thread >= ?2 AND thread <= ?3 LIMIT 1";
    MESSAGE_IDENTIFIED = "SELECT id, thread FROM messages WHERE mailbox = ?1 AND identifier = ?2 ORDER BY id LIMIT 1";
    // The order makes SQLite walk the index of the thread rather than the whole mailbox.
    THREAD = "SELECT m.snippet, (SELECT max(h.history) FROM (SELECT history FROM messages \
        WHERE mailbox = ?1 AND thread = ?2 ORDER BY date DESC, id DESC LIMIT 1000000000) h) \
        FROM messages m WHERE m.mailbox = ?1 AND m.thread = ?2 ORDER BY m.date DESC, m.id DESC LIMIT 1";
    MESSAGE_ADD = "INSERT INTO messages (mailbox, id, thread, date, history, size, identifier, labels, snippet) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    TEXT_ADD = "INSERT INTO texts (mailbox, id, sender, recipients, subject, text, attachment, raw) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    MESSAGE_RELABEL = "UPDATE messages SET labels = ?3, history = ?4 WHERE mailbox = ?1 AND id = ?2";
    MESSAGE_DROP = "DELETE FROM messages WHERE mailbox = ?1 AND id = ?2";
    TEXT_DROP = "DELETE FROM texts WHERE mailbox = ?1 AND id = ?2";
    MESSAGE_LABEL_ADD = "INSERT INTO message_labels (mailbox, label, date, id) VALUES (?1, ?2, ?3, ?4)";
    MESSAGE_LABEL_DROP = "DELETE FROM message_labels WHERE mailbox = ?1 AND label = ?2 AND date = ?3 AND id = ?4";
    // Contents of large messages.
    BODY_ADD = "INSERT INTO bodies (body, loose) VALUES (?1, ?2)";
    BODY_ATTACH = "UPDATE bodies SET mailbox = ?2, id = ?3, loose = NULL WHERE body = ?1 AND loose IS NOT NULL";
    BODY_DETACH = "UPDATE bodies SET mailbox = NULL, id = NULL, loose = 0 WHERE mailbox = ?1 AND id = ?2";
    BODY = "SELECT body FROM bodies WHERE mailbox = ?1 AND id = ?2";
    BODY_LOOSE = "SELECT body FROM bodies WHERE loose < ?1 ORDER BY loose, body LIMIT 1";
    BODY_DROP = "DELETE FROM bodies WHERE body = ?1";
    PIECE_ADD = "INSERT INTO pieces (body, number, data) VALUES (?1, ?2, ?3)";
    PIECE = "SELECT data FROM pieces WHERE body = ?1 AND number = ?2";
    PIECES = "SELECT body, number FROM pieces WHERE body = ?1 LIMIT ?2";
    PIECE_DROP = "DELETE FROM pieces WHERE body = ?1 AND number = ?2";

    LABELLED = "SELECT id FROM message_labels WHERE mailbox = ?1 AND label = ?2 LIMIT ?3";

    // Lists: a page starts after (date, id), and ends at a date.
    LIST_ALL = "SELECT date, id, thread, labels, size, identifier FROM messages \
        WHERE mailbox = ?1 AND (date, id) < (?2, ?3) AND date >= ?4 ORDER BY date DESC, id DESC LIMIT ?5";
    LIST_LABEL = "SELECT l.date, l.id, m.thread, m.labels, m.size, m.identifier \
        FROM message_labels l JOIN messages m ON m.mailbox = l.mailbox AND m.id = l.id \
        WHERE l.mailbox = ?1 AND l.label = ?6 AND (l.date, l.id) < (?2, ?3) AND l.date >= ?4 \
        ORDER BY l.date DESC, l.id DESC LIMIT ?5";
    LIST_THREAD = "SELECT date, id, thread, labels, size, identifier FROM messages \
        WHERE mailbox = ?1 AND thread = ?6 AND (date, id) < (?2, ?3) AND date >= ?4 \
        ORDER BY date DESC, id DESC LIMIT ?5";
    LIST_IDENTIFIED = "SELECT mailbox, id FROM messages WHERE mailbox = ?1 AND identifier = ?2 LIMIT ?3";
    LIST_ONE = "SELECT date, id, thread, labels, size, identifier FROM messages WHERE mailbox = ?1 AND id = ?2";
    LIST_TEXT = "SELECT sender, recipients, subject, text, attachment FROM texts WHERE mailbox = ?1 AND id = ?2";

    // History.
    RECORD_ADD = "INSERT INTO records (mailbox, id, made, body) VALUES (?1, ?2, ?3, ?4)";
    RECORD = "SELECT id, body FROM records WHERE mailbox = ?1 AND id = ?2";
    RECORDS_AFTER = "SELECT id, body FROM records WHERE mailbox = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
    RECORD_BEFORE = "SELECT id FROM records WHERE mailbox = ?1 AND id <= ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3";
    RECORDS_OLD = "SELECT mailbox, id FROM records WHERE made < ?1 ORDER BY made, mailbox, id LIMIT ?2";
    RECORD_DROP = "DELETE FROM records WHERE mailbox = ?1 AND id = ?2";
    MARK_ADD = "INSERT INTO marks (mailbox, label, kind, record) VALUES (?1, ?2, ?3, ?4)";
    MARKS_AFTER = "SELECT record FROM marks WHERE mailbox = ?1 AND label = ?2 AND kind = ?3 AND record > ?4 \
        ORDER BY record LIMIT ?5";
    MARK_DROP = "DELETE FROM marks WHERE mailbox = ?1 AND label = ?2 AND kind = ?3 AND record = ?4";

    // Data of a removed mailbox, one step at a time.
    REMAINS_MESSAGES = "SELECT mailbox, id FROM messages WHERE mailbox = ?1 LIMIT ?2";
    REMAINS_BODIES = "SELECT mailbox, id FROM bodies WHERE mailbox = ?1 LIMIT ?2";
    REMAINS_TEXTS = "SELECT mailbox, id FROM texts WHERE mailbox = ?1 LIMIT ?2";
    REMAINS_LABELLED = "SELECT mailbox, label, date, id FROM message_labels WHERE mailbox = ?1 LIMIT ?2";
    REMAINS_THREADS = "SELECT mailbox, thread, label FROM thread_labels WHERE mailbox = ?1 LIMIT ?2";
    REMAINS_COUNTS = "SELECT mailbox, label FROM label_counts WHERE mailbox = ?1 LIMIT ?2";
    REMAINS_RECORDS = "SELECT mailbox, id FROM records WHERE mailbox = ?1 LIMIT ?2";
    REMAINS_MARKS = "SELECT mailbox, label, kind, record FROM marks WHERE mailbox = ?1 LIMIT ?2";
    REMAINS_ENTRIES = "SELECT calendar, id, event FROM entries WHERE calendar = ?1 ORDER BY id LIMIT ?2";
}
