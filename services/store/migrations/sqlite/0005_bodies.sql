-- What large messages were stored as, apart from `texts`, in pieces of 512 KiB: each of them is found at once, and written
-- while others write between them.
CREATE TABLE bodies (
    body    INTEGER PRIMARY KEY NOT NULL,
    -- The message; none while the body is being written, and after the message was deleted.
    mailbox INTEGER,
    id      INTEGER,
    -- Since when the body has had no message; 0 where it will not get one any more.
    loose   INTEGER
) STRICT;
CREATE UNIQUE INDEX bodies_by_message ON bodies (mailbox, id) WHERE mailbox IS NOT NULL;
CREATE INDEX bodies_loose ON bodies (loose, body) WHERE loose IS NOT NULL;

CREATE TABLE pieces (
    body   INTEGER NOT NULL,
    number INTEGER NOT NULL,
    data   BLOB NOT NULL,
    PRIMARY KEY (body, number)
) STRICT;

INSERT INTO bodies (mailbox, id) SELECT mailbox, id FROM texts WHERE length(raw) > 262144;
WITH RECURSIVE numbers (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers WHERE number < 4096)
INSERT INTO pieces (body, number, data)
    SELECT b.body, n.number, substr(t.raw, n.number * 524288 + 1, 524288)
    FROM bodies b JOIN texts t ON t.mailbox = b.mailbox AND t.id = b.id JOIN numbers n
    ON n.number * 524288 < length(t.raw);
UPDATE texts SET raw = zeroblob(0) WHERE length(raw) > 262144;
