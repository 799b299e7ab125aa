-- What the instances of a series are computed from stands beside its weeks: a window looks at many series, and reads the
-- entries of those alone that have instances in it.
DROP INDEX series_slots_by_series;
ALTER TABLE series_slots RENAME TO bare_series_slots;
CREATE TABLE series_slots (
    calendar INTEGER NOT NULL,
    slot     INTEGER NOT NULL,
    last     INTEGER NOT NULL,
    first    INTEGER NOT NULL,
    id       TEXT NOT NULL,
    state    INTEGER NOT NULL,
    length   INTEGER NOT NULL,
    rule     TEXT NOT NULL,
    PRIMARY KEY (calendar, slot, last, first, id)
) STRICT, WITHOUT ROWID;
INSERT INTO series_slots (calendar, slot, last, first, id, state, length, rule)
    SELECT s.calendar, s.slot, s.last, s.first, s.id, e.state, e.length, e.rule
    FROM bare_series_slots s JOIN entries e ON e.calendar = s.calendar AND e.id = s.id WHERE e.rule IS NOT NULL;
DROP TABLE bare_series_slots;
CREATE INDEX series_slots_by_series ON series_slots (calendar, id);
