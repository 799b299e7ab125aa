-- Channels on which changes of a calendar are announced, one row each with the message that is on its way. A change of a
-- calendar with channels marks them in its own transaction (`changed`, `due`); a sender leases what is due. Times are
-- milliseconds since 1970.
CREATE TABLE channels (
    number        INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id       INTEGER NOT NULL,
    id            TEXT NOT NULL,
    calendar      INTEGER NOT NULL,
    -- What is watched, as messages name it.
    resource_id   TEXT NOT NULL,
    resource_uri  TEXT NOT NULL,
    address       TEXT NOT NULL,
    token         TEXT,
    -- Which changes are announced, as the service writes it.
    filter        TEXT NOT NULL,
    opened        INTEGER NOT NULL,
    expires       INTEGER NOT NULL,
    -- Changes of the calendar: the last one, the last one that the message on its way announces, and the last one that was
    -- announced.
    changed       INTEGER NOT NULL,
    covered       INTEGER NOT NULL,
    announced     INTEGER NOT NULL,
    -- The number of the last message, whether it is still on its way, and how often it was tried.
    message       INTEGER NOT NULL,
    sending       INTEGER NOT NULL,
    attempts      INTEGER NOT NULL,
    -- When there is something to send; none while there is nothing.
    due           INTEGER,
    -- Who sends it, and until when nobody else does, by the clock of the machine.
    lease         INTEGER NOT NULL,
    leased        INTEGER NOT NULL,
    -- The last attempt: when, of which message, and what came of it.
    tried         INTEGER,
    tried_message INTEGER,
    outcome       TEXT
) STRICT;
CREATE UNIQUE INDEX channels_by_id ON channels (user_id, id);
CREATE INDEX channels_by_calendar ON channels (calendar, number);
CREATE INDEX channels_by_due ON channels (due, number) WHERE due IS NOT NULL;
CREATE INDEX channels_by_expiry ON channels (expires, number);
