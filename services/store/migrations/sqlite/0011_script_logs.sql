-- What executions write to their logs. `place` counts the lines of an execution from 0; times are milliseconds since 1970.
CREATE TABLE script_logs (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    project   INTEGER NOT NULL,
    execution INTEGER NOT NULL,
    place     INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    severity  INTEGER NOT NULL,
    text      TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX script_logs_by_execution ON script_logs (execution, place);
CREATE INDEX script_logs_by_project ON script_logs (project, number);
