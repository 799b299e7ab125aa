-- Calendars with numbers, a history and settings. The number names a calendar in other tables; a calendar without an
-- identifier is being removed.
CREATE TABLE numbered_calendars (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    id        TEXT UNIQUE,
    owner     INTEGER NOT NULL REFERENCES users (id),
    summary   TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    -- Description, default reminders and labels, as JSON.
    settings  TEXT NOT NULL,
    -- The number of the last change that was made.
    history   INTEGER NOT NULL,
    -- Entries that were removed up to this change may be forgotten; a reader may begin after it.
    oldest    INTEGER NOT NULL,
    -- When the last change was made.
    touched   INTEGER NOT NULL,
    -- Entries that were removed up to this time may be forgotten.
    forgotten INTEGER NOT NULL
) STRICT;
INSERT INTO numbered_calendars (id, owner, summary, time_zone, settings, history, oldest, touched, forgotten)
    SELECT c.id, c.owner, c.summary, c.time_zone, '{}', coalesce(e.number, 1), coalesce(e.number, 1), 0, 0
    FROM calendars c LEFT JOIN epoch e ON e.one = 1 ORDER BY c.id;
DROP TABLE calendars;
ALTER TABLE numbered_calendars RENAME TO calendars;
CREATE INDEX calendars_by_owner ON calendars (owner, id);
CREATE INDEX calendars_on_their_way ON calendars (number) WHERE id IS NULL;

-- What users may do with calendars that are not theirs.
CREATE TABLE calendar_shares (
    calendar INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    role     INTEGER NOT NULL,
    PRIMARY KEY (calendar, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX calendar_shares_by_user ON calendar_shares (user_id, calendar);

-- What all copies of an event share, as JSON. A copy is an entry on a calendar.
CREATE TABLE events (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    body   TEXT NOT NULL
) STRICT;

-- Entries of calendars: single events, series, and exceptions of series. Times are seconds since 1970.
CREATE TABLE entries (
    calendar INTEGER NOT NULL,
    id       TEXT NOT NULL,
    event    INTEGER NOT NULL,
    -- The change of the calendar that wrote it last.
    changed  INTEGER NOT NULL,
    -- When the main data of the event changed last, in milliseconds.
    updated  INTEGER NOT NULL,
    state    INTEGER NOT NULL,
    -- When it was removed, in milliseconds, where it is to be forgotten one day.
    removed  INTEGER,
    uid      TEXT NOT NULL,
    -- Of an exception: its series, and the start that the series gives it.
    series   TEXT,
    original INTEGER,
    -- From the first start to the last end; of a series without end that of the calendar.
    first    INTEGER NOT NULL,
    last     INTEGER NOT NULL,
    -- How long it is, in steps of a factor of 16 from a day on; 9 for a series.
    class    INTEGER NOT NULL,
    -- Of a series: what its instances are computed from, and the length of the longest.
    rule     TEXT,
    length   INTEGER NOT NULL,
    -- What belongs to this copy, as JSON.
    own      TEXT NOT NULL,
    PRIMARY KEY (calendar, id)
) STRICT;
CREATE INDEX entries_by_change ON entries (calendar, changed, id);
CREATE INDEX entries_by_update ON entries (calendar, updated, id);
CREATE INDEX entries_by_uid ON entries (calendar, uid, id);
CREATE INDEX entries_by_event ON entries (event, calendar);
CREATE INDEX entries_by_start ON entries (calendar, class, first, id);
CREATE INDEX exceptions_by_series ON entries (calendar, series, original) WHERE series IS NOT NULL;
CREATE INDEX exceptions_by_original ON entries (calendar, original, series, state) WHERE series IS NOT NULL;
CREATE INDEX entries_by_removal ON entries (removed, calendar, id) WHERE removed IS NOT NULL;

-- In which weeks of a year a series can have instances, so that a window does not compute those of all series. A slot is
-- a seventh of the day of the year; the slot 53 stands for any week.
CREATE TABLE series_slots (
    calendar INTEGER NOT NULL,
    slot     INTEGER NOT NULL,
    last     INTEGER NOT NULL,
    first    INTEGER NOT NULL,
    id       TEXT NOT NULL,
    PRIMARY KEY (calendar, slot, last, first, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX series_slots_by_series ON series_slots (calendar, id);

-- Work that an event waits for, such as a conference that is to be made.
CREATE TABLE jobs (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    calendar INTEGER NOT NULL,
    id       TEXT NOT NULL,
    due      INTEGER NOT NULL
) STRICT;
CREATE INDEX jobs_by_due ON jobs (due, number);
