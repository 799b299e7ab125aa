-- A label selects the messages of a record, with all of their changes: a record is found by each label of a message with
-- the kind of each of its changes. Before, those of another change of the same message were left out.
INSERT OR IGNORE INTO marks (mailbox, label, kind, record)
    WITH changes AS MATERIALIZED (
        SELECT r.mailbox, r.id AS record, c.value ->> 0 AS kind, c.value ->> 1 AS message, c.value AS change
        FROM records r, json_each(r.body) c
    )
    SELECT c.mailbox, l.value, c.kind, c.record
    FROM changes c JOIN changes o
        ON o.mailbox = c.mailbox AND o.record = c.record AND o.message = c.message AND o.kind <> c.kind,
        json_each(o.change, '$[3]') l;
