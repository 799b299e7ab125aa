//! Statements of calendar entries, jobs and channels.

statements! {
    // Calendar entries and the shared data of events.
    EVENT_ADD = "INSERT INTO events (body) VALUES (?1) RETURNING number";
    EVENT_SET = "UPDATE events SET body = ?2 WHERE number = ?1";
    EVENT_DROP = "DELETE FROM events WHERE number = ?1";
    // Does nothing if an entry with the identifier exists already.
    ENTRY_ADD = "INSERT INTO entries (calendar, id, event, changed, updated, state, removed, uid, series, original, first, \
        last, class, rule, length, own) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) \
        ON CONFLICT (calendar, id) DO NOTHING";
    ENTRY_PUT = "INSERT INTO entries (calendar, id, event, changed, updated, state, removed, uid, series, original, first, \
        last, class, rule, length, own) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16) \
        ON CONFLICT (calendar, id) DO UPDATE SET event = excluded.event, changed = excluded.changed, \
        updated = excluded.updated, state = excluded.state, removed = excluded.removed, uid = excluded.uid, \
        series = excluded.series, original = excluded.original, first = excluded.first, last = excluded.last, \
        class = excluded.class, rule = excluded.rule, length = excluded.length, own = excluded.own";
    ENTRY_STAND = "SELECT changed, rule, first, last, state, length FROM entries WHERE calendar = ?1 AND id = ?2";
    // An event with a UID; exceptions have the UID of their series.
    ENTRY_OF_UID = "SELECT id FROM entries WHERE calendar = ?1 AND uid = ?2 AND series IS NULL ORDER BY id LIMIT 1";
    ENTRY_DROP = "DELETE FROM entries WHERE calendar = ?1 AND id = ?2";
    ENTRY = "SELECT e.calendar, e.id, e.event, e.changed, e.updated, e.state, e.uid, e.series, e.original, e.first, \
        e.last, e.rule, e.length, e.own, v.body, e.removed FROM entries e JOIN events v ON v.number = e.event \
        WHERE e.calendar = ?1 AND e.id = ?2";
    // The shared data come once, with the first entry.
    ENTRIES_OF_EVENT = "SELECT e.calendar, e.id, e.event, e.changed, e.updated, e.state, e.uid, e.series, e.original, \
        e.first, e.last, e.rule, e.length, e.own, \
        CASE WHEN e.calendar = (SELECT c.calendar FROM entries c WHERE c.event = e.event ORDER BY c.calendar LIMIT 1) \
        THEN v.body ELSE '' END, e.removed FROM entries e JOIN events v ON v.number = e.event WHERE e.event = ?1 ORDER BY e.calendar";
    // The size of an event with its entries on all calendars, and of the exceptions of a series on one.
    ENTRY_SIZE = "SELECT octet_length(v.body) + (SELECT coalesce(sum(octet_length(c.own)), 0) FROM entries c \
        WHERE c.event = e.event) FROM entries e JOIN events v ON v.number = e.event WHERE e.calendar = ?1 AND e.id = ?2";
    EXCEPTIONS_SIZE = "SELECT coalesce(sum(octet_length(e.own) + octet_length(v.body)), 0) FROM entries e \
        JOIN events v ON v.number = e.event WHERE e.calendar = ?1 AND e.series = ?2";
    EVENT_LEFT = "SELECT calendar FROM entries WHERE event = ?1 ORDER BY calendar LIMIT 1";
    EXCEPTIONS = "SELECT e.calendar, e.id, e.event, e.changed, e.updated, e.state, e.uid, e.series, e.original, \
        e.first, e.last, e.rule, e.length, e.own, v.body, e.removed FROM entries e JOIN events v ON v.number = e.event \
        WHERE e.calendar = ?1 AND e.series = ?2 AND e.original >= ?3 AND e.original < ?4 ORDER BY e.original LIMIT ?5";
    EXCEPTION_HEADS = "SELECT e.calendar, e.id, e.event, e.changed, e.updated, e.state, e.uid, e.series, e.original, \
        e.first, e.last FROM entries e WHERE e.calendar = ?1 AND e.series = ?2 ORDER BY e.original LIMIT ?3";
    EXCEPTION_SINCE = "SELECT id FROM entries WHERE calendar = ?1 AND series = ?2 AND changed > ?3 LIMIT 1";
    SLOT_ADD = "INSERT INTO series_slots (calendar, slot, last, first, id, state, length, rule) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    SLOTS_STATE = "UPDATE series_slots SET state = ?3 WHERE calendar = ?1 AND id = ?2";
    SLOTS_DROP = "DELETE FROM series_slots WHERE calendar = ?1 AND id = ?2";

    JOB_ADD = "INSERT INTO jobs (calendar, id, due) VALUES (?1, ?2, ?3)";
    JOBS_DUE = "SELECT number, calendar, id FROM jobs WHERE due <= ?1 ORDER BY due, number LIMIT ?2";
    JOB_POSTPONE = "UPDATE jobs SET due = ?2 WHERE number = ?1";
    JOB_DROP = "DELETE FROM jobs WHERE number = ?1";

    // Channels. The dialect's lock, which skips rows locked by others, is appended to the query for due channels.
    CHANNEL_ADD = "INSERT INTO channels (user_id, id, calendar, resource_id, resource_uri, address, token, filter, \
        opened, expires, changed, covered, announced, message, sending, attempts, due, lease, leased) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11, ?11, 1, 1, 0, ?9, 0, 0) \
        ON CONFLICT (user_id, id) DO NOTHING RETURNING number";
    CHANNEL_AT = "SELECT number FROM channels WHERE user_id = ?1 ORDER BY id LIMIT 1 OFFSET ?2";
    CHANNELS = "SELECT number, user_id, id, calendar, resource_id, resource_uri, address, token, filter, opened, expires, \
        announced, covered, message, sending, attempts, due, tried, tried_message, outcome FROM channels \
        WHERE number > 0 ORDER BY number";
    CHANNELS_OF = "SELECT number, user_id, id, calendar, resource_id, resource_uri, address, token, filter, opened, \
        expires, announced, covered, message, sending, attempts, due, tried, tried_message, outcome FROM channels \
        WHERE user_id = ?1 ORDER BY id";
    CHANNEL_STOP = "DELETE FROM channels WHERE user_id = ?1 AND id = ?2 AND resource_id = ?3 AND expires > ?4";
    CHANNEL_REPLACE = "DELETE FROM channels WHERE user_id = ?1 AND id = ?2 AND expires <= ?3";
    CHANNELS_DROP = "DELETE FROM channels WHERE calendar = ?1";
    CHANNELS_OF_DROP = "DELETE FROM channels WHERE user_id = ?1";
    CHANNELS_SHARED_DROP = "DELETE FROM channels WHERE calendar = ?1 AND user_id = ?2";
    CHANNELS_EXPIRED = "SELECT number FROM channels WHERE expires <= ?1 ORDER BY expires, number LIMIT ?2";
    CHANNEL_DROP = "DELETE FROM channels WHERE number = ?1";
    // Marks all channels, including those with a pending message: no change may be lost between reading a row and
    // taking its change along.
    CHANNELS_MARK = "UPDATE channels SET changed = ?2, due = coalesce(due, ?3) WHERE calendar = ?1";
    CHANNELS_JUMP = "UPDATE channels SET changed = ?1, message = message + 1000000, due = coalesce(due, 0) \
        WHERE number > 0";
    CHANNELS_DUE = "SELECT number, user_id FROM channels WHERE due IS NOT NULL AND due <= ?1 AND leased <= ?2 \
        AND expires > ?1 ORDER BY due, number LIMIT ?3";
    CHANNEL_WAITS = "SELECT number FROM channels WHERE due IS NOT NULL AND due <= ?1 AND leased <= ?2 AND expires > ?1 \
        ORDER BY due, number LIMIT 1";
    CHANNEL_FREE = "SELECT number FROM channels WHERE number = ?1 AND due <= ?2 AND leased <= ?3";
    CHANNEL_LEASE = "UPDATE channels SET lease = ?2, leased = ?3, \
        attempts = CASE WHEN sending = 0 THEN 0 ELSE attempts END, \
        covered = CASE WHEN sending = 0 THEN changed ELSE covered END, \
        message = CASE WHEN sending = 0 THEN message + 1 ELSE message END, sending = 1 WHERE number = ?1 \
        RETURNING number, user_id, id, calendar, resource_id, resource_uri, address, token, filter, opened, expires, \
        announced, covered, message, sending, attempts, due, tried, tried_message, outcome";
    CHANNEL_DONE = "UPDATE channels SET sending = 0, announced = covered, attempts = attempts + 1, lease = 0, leased = 0, \
        tried = ?3, tried_message = message, outcome = ?4, due = CASE WHEN changed > covered THEN CAST(?3 AS BIGINT) END \
        WHERE number = ?1 AND lease = ?2";
    CHANNEL_RETRY = "UPDATE channels SET attempts = attempts + 1, lease = 0, leased = 0, tried = ?3, \
        tried_message = message, outcome = ?4, due = ?5 WHERE number = ?1 AND lease = ?2";
    CHANNEL_SKIP = "UPDATE channels SET sending = 0, announced = covered, message = message - 1, lease = 0, leased = 0, \
        due = CASE WHEN changed > covered THEN CAST(?3 AS BIGINT) END WHERE number = ?1 AND lease = ?2";

    // Windows. Entries that start before a window are found by the maximum length of their class.
    WINDOW_SINGLES = "SELECT e.calendar, e.id, e.event, e.changed, e.updated, e.state, e.uid, e.series, e.original, \
        e.first, e.last, e.rule, e.length, e.own, v.body, e.removed FROM entries e JOIN events v ON v.number = e.event \
        WHERE e.calendar = ?1 AND e.class = ?2 AND e.first >= ?3 AND e.first < ?4 AND e.last > ?5 \
        ORDER BY e.first, e.id LIMIT ?6";
    WINDOW_SERIES = "SELECT id, state, first, last, length, rule FROM series_slots \
        WHERE calendar = ?1 AND slot = ?2 AND last > ?3 AND first < ?4 ORDER BY last";
    WINDOW_ORIGINALS = "SELECT series, original FROM entries WHERE calendar = ?1 AND series IS NOT NULL \
        AND original >= ?2 AND original < ?3 AND state < 3 ORDER BY original";
    WINDOW_START = "SELECT first FROM entries WHERE calendar = ?1 AND class = ?2 ORDER BY first LIMIT 1";

    // Lists of entries: a page starts after the last entry of the previous one.
    ENTRIES_AFTER = "SELECT e.calendar, e.id, e.event, e.changed, e.updated, e.state, e.uid, e.series, e.original, \
        e.first, e.last, e.rule, e.length, e.own, v.body, e.removed FROM entries e JOIN events v ON v.number = e.event \
        WHERE e.calendar = ?1 AND e.id > ?2 ORDER BY e.id LIMIT ?3";
    ENTRIES_UPDATED = "SELECT e.calendar, e.id, e.event, e.changed, e.updated, e.state, e.uid, e.series, e.original, \
        e.first, e.last, e.rule, e.length, e.own, v.body, e.removed FROM entries e JOIN events v ON v.number = e.event \
        WHERE e.calendar = ?1 AND (e.updated, e.id) > (?2, ?3) ORDER BY e.updated, e.id LIMIT ?4";
    ENTRIES_CHANGED = "SELECT e.calendar, e.id, e.event, e.changed, e.updated, e.state, e.uid, e.series, e.original, \
        e.first, e.last, e.rule, e.length, e.own, v.body, e.removed FROM entries e JOIN events v ON v.number = e.event \
        WHERE e.calendar = ?1 AND (e.changed, e.id) > (?2, ?3) AND e.changed <= ?4 ORDER BY e.changed, e.id LIMIT ?5";
    ENTRIES_WITH_UID = "SELECT e.calendar, e.id, e.event, e.changed, e.updated, e.state, e.uid, e.series, e.original, \
        e.first, e.last, e.rule, e.length, e.own, v.body, e.removed FROM entries e JOIN events v ON v.number = e.event \
        WHERE e.calendar = ?1 AND e.uid = ?2 AND e.id > ?3 ORDER BY e.id LIMIT ?4";
    ENTRIES_REMOVED = "SELECT calendar, id, event, changed, removed FROM entries \
        WHERE removed IS NOT NULL AND removed < ?1 ORDER BY removed, calendar, id LIMIT ?2";
}
