-- The epoch of the store (`domain::epoch`): one row.
CREATE TABLE epoch (
    one    INTEGER PRIMARY KEY NOT NULL CHECK (one = 1),
    number INTEGER NOT NULL,
    -- The file that the epoch began in (`sqlite::place`): in a copy it is that of the original.
    place  TEXT NOT NULL,
    -- Grows while there are writes. The mark beside the database keeps the last one (`sqlite::mark`).
    marks  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE VIEW current_epoch AS SELECT number FROM epoch WHERE one = 1;
