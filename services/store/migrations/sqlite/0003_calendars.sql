-- Calendars: names and owners.
CREATE TABLE calendars (
    id        TEXT PRIMARY KEY NOT NULL,
    owner     INTEGER NOT NULL REFERENCES users (id),
    summary   TEXT NOT NULL,
    time_zone TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX calendars_by_owner ON calendars (owner);
