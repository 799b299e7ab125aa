-- The epoch of the store (`domain::epoch`): one row.
CREATE TABLE epoch (
    one    BIGINT PRIMARY KEY CHECK (one = 1),
    number BIGINT NOT NULL,
    -- The database that the epoch began in (`postgres::place`): in a copy it is that of the original.
    place  TEXT NOT NULL,
    -- The transaction that began the epoch. Whoever brings a dump back writes the row in a transaction of their own,
    -- so that the row is not the current one in any copy that went through a dump.
    writer XID NOT NULL DEFAULT (txid_current() % 4294967296)::text::xid
);
CREATE VIEW current_epoch AS SELECT number FROM epoch WHERE one = 1 AND xmin = writer;
