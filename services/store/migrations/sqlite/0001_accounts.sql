-- Users, what lets them in, and what the store itself remembers. Times are milliseconds since 1970.
CREATE TABLE settings (
    name  TEXT PRIMARY KEY NOT NULL,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    address     TEXT NOT NULL,
    -- The address in lower case: who somebody is does not hang on the case of letters. None while what is theirs is
    -- being removed.
    address_key TEXT UNIQUE,
    name        TEXT NOT NULL,
    since       INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id),
    -- SHA-256; the token itself is nowhere.
    hash    BLOB NOT NULL UNIQUE,
    -- A list of texts as JSON.
    scopes  TEXT NOT NULL,
    expires INTEGER,
    note    TEXT NOT NULL,
    since   INTEGER NOT NULL
) STRICT;
CREATE INDEX tokens_by_user ON tokens (user_id);
CREATE INDEX tokens_by_expiry ON tokens (expires) WHERE expires IS NOT NULL;
