-- A label selects the messages of a record, with all of their changes: a record is found by each label of a message with
-- the kind of each of its changes. Before, those of another change of the same message were left out.
INSERT INTO marks (mailbox, label, kind, record)
    WITH changes AS MATERIALIZED (
        SELECT r.mailbox, r.id AS record, (c ->> 0)::bigint AS kind, c ->> 1 AS message, c AS change
        FROM records r CROSS JOIN LATERAL jsonb_array_elements(r.body::jsonb) c
    )
    SELECT DISTINCT c.mailbox, l::text::bigint, c.kind, c.record
    FROM changes c JOIN changes o
        ON o.mailbox = c.mailbox AND o.record = c.record AND o.message = c.message AND o.kind <> c.kind
        CROSS JOIN LATERAL jsonb_array_elements(o.change -> 3) l
    ON CONFLICT DO NOTHING;
