-- Mailboxes. A label is a number (`Label::number`); the label 0 stands for every message, labelled or not.
-- Rows that are changed often leave room in their page, so that a new version needs no entry in an index; tables that
-- are changed often are cleaned up often.
CREATE TABLE mailboxes (
    mailbox    BIGINT PRIMARY KEY REFERENCES users (id),
    -- The last number of the history that was issued.
    history    BIGINT NOT NULL,
    -- What lies before this number is forgotten; a reader may begin after it.
    oldest     BIGINT NOT NULL,
    -- When the last record was made: time never goes back within a history.
    touched    BIGINT NOT NULL,
    -- The number that the next label of the user gets.
    next_label BIGINT NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE labels (
    mailbox                 BIGINT NOT NULL REFERENCES mailboxes (mailbox),
    label                   BIGINT NOT NULL,
    name                    TEXT COLLATE "C" NOT NULL,
    -- The name in lower case, and none while the label is being taken from messages.
    name_key                TEXT COLLATE "C",
    message_list_visibility TEXT,
    label_list_visibility   TEXT,
    text_color              TEXT,
    background_color        TEXT,
    PRIMARY KEY (mailbox, label)
);
CREATE UNIQUE INDEX labels_by_name ON labels (mailbox, name_key) WHERE name_key IS NOT NULL;
CREATE INDEX labels_on_their_way ON labels (mailbox, label) WHERE name_key IS NULL;

CREATE TABLE messages (
    mailbox    BIGINT NOT NULL,
    id         BIGINT NOT NULL,
    thread     BIGINT NOT NULL,
    date       BIGINT NOT NULL,
    -- The last record of the history that changed it.
    history    BIGINT NOT NULL,
    size       BIGINT NOT NULL,
    -- A hash of its `Message-ID`.
    identifier BIGINT,
    -- The numbers of its labels in their order, as JSON.
    labels     TEXT NOT NULL,
    snippet    TEXT NOT NULL,
    PRIMARY KEY (mailbox, id)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX messages_by_date ON messages (mailbox, date, id);
CREATE INDEX messages_by_identifier ON messages (mailbox, identifier, id) WHERE identifier IS NOT NULL;

-- What a message was stored as, apart from it so that lists and labels do not page through it.
CREATE TABLE texts (
    mailbox    BIGINT NOT NULL,
    id         BIGINT NOT NULL,
    sender     TEXT NOT NULL,
    recipients TEXT NOT NULL,
    subject    TEXT NOT NULL,
    text       TEXT NOT NULL,
    attachment BIGINT NOT NULL,
    raw        BYTEA NOT NULL,
    PRIMARY KEY (mailbox, id)
);

CREATE TABLE message_labels (
    mailbox BIGINT NOT NULL,
    label   BIGINT NOT NULL,
    date    BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    PRIMARY KEY (mailbox, label, date, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

-- How many messages of a conversation have a label, so that conversations are counted without being read.
CREATE TABLE thread_labels (
    mailbox  BIGINT NOT NULL,
    thread   BIGINT NOT NULL,
    label    BIGINT NOT NULL,
    messages BIGINT NOT NULL,
    unread   BIGINT NOT NULL,
    PRIMARY KEY (mailbox, thread, label)
) WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE label_counts (
    mailbox        BIGINT NOT NULL,
    label          BIGINT NOT NULL,
    messages       BIGINT NOT NULL,
    unread         BIGINT NOT NULL,
    threads        BIGINT NOT NULL,
    threads_unread BIGINT NOT NULL,
    PRIMARY KEY (mailbox, label)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- The history: what one operation has changed, as JSON (`domain::record`).
CREATE TABLE records (
    mailbox BIGINT NOT NULL,
    id      BIGINT NOT NULL,
    made    BIGINT NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (mailbox, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX records_by_age ON records (made, mailbox, id);

-- Which records hold a change of a kind to a message with a label, so that a reader who asks for few finds them at once.
CREATE TABLE marks (
    mailbox BIGINT NOT NULL,
    label   BIGINT NOT NULL,
    kind    BIGINT NOT NULL,
    record  BIGINT NOT NULL,
    PRIMARY KEY (mailbox, label, kind, record)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
