-- Calendars: names and owners.
CREATE TABLE calendars (
    id        TEXT COLLATE "C" PRIMARY KEY,
    owner     BIGINT NOT NULL REFERENCES users (id),
    summary   TEXT NOT NULL,
    time_zone TEXT NOT NULL
);
CREATE INDEX calendars_by_owner ON calendars (owner, id);
