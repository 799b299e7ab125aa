-- What large messages were stored as, apart from `texts`, in pieces of 512 KiB: each of them is found at once, and written
-- while others write between them.
CREATE TABLE bodies (
    body    BIGINT PRIMARY KEY,
    -- The message; none while the body is being written, and after the message was deleted.
    mailbox BIGINT,
    id      BIGINT,
    -- Since when the body has had no message; 0 where it will not get one any more.
    loose   BIGINT
);
CREATE UNIQUE INDEX bodies_by_message ON bodies (mailbox, id) WHERE mailbox IS NOT NULL;
CREATE INDEX bodies_loose ON bodies (loose, body) WHERE loose IS NOT NULL;

CREATE TABLE pieces (
    body   BIGINT NOT NULL,
    number BIGINT NOT NULL,
    data   BYTEA NOT NULL,
    PRIMARY KEY (body, number)
);
-- Mail is encoded or compressed already.
ALTER TABLE pieces ALTER COLUMN data SET STORAGE EXTERNAL;

INSERT INTO bodies (body, mailbox, id)
    SELECT row_number() OVER (ORDER BY mailbox, id), mailbox, id FROM texts WHERE length(raw) > 262144;
INSERT INTO pieces (body, number, data)
    SELECT b.body, n.number, substring(t.raw FROM (n.number * 524288 + 1)::integer FOR 524288)
    FROM bodies b JOIN texts t ON t.mailbox = b.mailbox AND t.id = b.id
    CROSS JOIN LATERAL generate_series(0, (length(t.raw) - 1) / 524288) AS n (number);
UPDATE texts SET raw = '' WHERE length(raw) > 262144;
