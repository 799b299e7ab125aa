-- What the instances of a series are computed from stands beside its weeks: a window looks at many series, and reads the
-- entries of those alone that have instances in it.
ALTER TABLE series_slots ADD COLUMN state BIGINT, ADD COLUMN length BIGINT, ADD COLUMN rule TEXT COLLATE "C";
UPDATE series_slots s SET state = e.state, length = e.length, rule = e.rule
    FROM entries e WHERE e.calendar = s.calendar AND e.id = s.id;
DELETE FROM series_slots WHERE rule IS NULL;
ALTER TABLE series_slots ALTER COLUMN state SET NOT NULL, ALTER COLUMN length SET NOT NULL, ALTER COLUMN rule SET NOT NULL;
