-- Mailboxes. A label is a number (`Label::number`); the label 0 stands for every message, labelled or not.
CREATE TABLE mailboxes (
    mailbox    INTEGER PRIMARY KEY NOT NULL REFERENCES users (id),
    -- The last number of the history that was issued.
    history    INTEGER NOT NULL,
    -- What lies before this number is forgotten; a reader may begin after it.
    oldest     INTEGER NOT NULL,
    -- When the last record was made: time never goes back within a history.
    touched    INTEGER NOT NULL,
    -- The number that the next label of the user gets.
    next_label INTEGER NOT NULL
) STRICT;

CREATE TABLE labels (
    mailbox                 INTEGER NOT NULL REFERENCES mailboxes (mailbox),
    label                   INTEGER NOT NULL,
    name                    TEXT NOT NULL,
    -- The name in lower case, and none while the label is being taken from messages.
    name_key                TEXT,
    message_list_visibility TEXT,
    label_list_visibility   TEXT,
    text_color              TEXT,
    background_color        TEXT,
    PRIMARY KEY (mailbox, label)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX labels_by_name ON labels (mailbox, name_key) WHERE name_key IS NOT NULL;
CREATE INDEX labels_on_their_way ON labels (mailbox, label) WHERE name_key IS NULL;

CREATE TABLE messages (
    mailbox    INTEGER NOT NULL,
    id         INTEGER NOT NULL,
    thread     INTEGER NOT NULL,
    date       INTEGER NOT NULL,
    -- The last record of the history that changed it.
    history    INTEGER NOT NULL,
    size       INTEGER NOT NULL,
    -- A hash of its `Message-ID`.
    identifier INTEGER,
    -- The numbers of its labels in their order, as JSON.
    labels     TEXT NOT NULL,
    snippet    TEXT NOT NULL,
    PRIMARY KEY (mailbox, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_by_date ON messages (mailbox, date, id);
-- With the conversation in it: SQLite would rather read a whole mailbox than look up what an index does not hold.
CREATE INDEX messages_by_identifier ON messages (mailbox, identifier, id, thread) WHERE identifier IS NOT NULL;

-- What a message was stored as, apart from it so that lists and labels do not page through it.
CREATE TABLE texts (
    mailbox    INTEGER NOT NULL,
    id         INTEGER NOT NULL,
    sender     TEXT NOT NULL,
    recipients TEXT NOT NULL,
    subject    TEXT NOT NULL,
    text       TEXT NOT NULL,
    attachment INTEGER NOT NULL,
    -- The last column: what comes before it is read without it.
    raw        BLOB NOT NULL,
    PRIMARY KEY (mailbox, id)
) STRICT;

CREATE TABLE message_labels (
    mailbox INTEGER NOT NULL,
    label   INTEGER NOT NULL,
    date    INTEGER NOT NULL,
    id      INTEGER NOT NULL,
    PRIMARY KEY (mailbox, label, date, id)
) STRICT, WITHOUT ROWID;

-- How many messages of a conversation have a label, so that conversations are counted without being read.
CREATE TABLE thread_labels (
    mailbox  INTEGER NOT NULL,
    thread   INTEGER NOT NULL,
    label    INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    unread   INTEGER NOT NULL,
    PRIMARY KEY (mailbox, thread, label)
) STRICT, WITHOUT ROWID;

CREATE TABLE label_counts (
    mailbox        INTEGER NOT NULL,
    label          INTEGER NOT NULL,
    messages       INTEGER NOT NULL,
    unread         INTEGER NOT NULL,
    threads        INTEGER NOT NULL,
    threads_unread INTEGER NOT NULL,
    PRIMARY KEY (mailbox, label)
) STRICT, WITHOUT ROWID;

-- The history: what one operation has changed, as JSON (`domain::record`).
CREATE TABLE records (
    mailbox INTEGER NOT NULL,
    id      INTEGER NOT NULL,
    made    INTEGER NOT NULL,
    body    TEXT NOT NULL,
    PRIMARY KEY (mailbox, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX records_by_age ON records (made, mailbox, id);

-- Which records hold a change of a kind to a message with a label, so that a reader who asks for few finds them at once.
CREATE TABLE marks (
    mailbox INTEGER NOT NULL,
    label   INTEGER NOT NULL,
    kind    INTEGER NOT NULL,
    record  INTEGER NOT NULL,
    PRIMARY KEY (mailbox, label, kind, record)
) STRICT, WITHOUT ROWID;
