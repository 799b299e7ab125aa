-- Script projects. Times are milliseconds since 1970. `content` is the list of the files in their order, as numbers of
-- `script_files` in a JSON array; `manifest` is the one among them that configures the project.
CREATE TABLE script_projects (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    -- None while the project is being removed.
    id          TEXT,
    owner       INTEGER NOT NULL,
    title       TEXT NOT NULL,
    parent      TEXT,
    created     INTEGER NOT NULL,
    updated     INTEGER NOT NULL,
    creator     INTEGER NOT NULL,
    modifier    INTEGER NOT NULL,
    -- Number of the last change of anything but processes.
    changes     INTEGER NOT NULL,
    -- Number of the present content, of the last version and of the last deployment.
    saved       INTEGER NOT NULL,
    versions    INTEGER NOT NULL,
    deployments INTEGER NOT NULL,
    content     TEXT NOT NULL,
    manifest    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX script_projects_by_id ON script_projects (id);
CREATE INDEX script_projects_by_owner ON script_projects (owner, id);
CREATE INDEX script_projects_hidden ON script_projects (number) WHERE id IS NULL;

CREATE TABLE script_shares (
    project INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    role    INTEGER NOT NULL,
    PRIMARY KEY (project, user_id)
) STRICT;
CREATE INDEX script_shares_by_user ON script_shares (user_id, project);

-- Files, each as it was from one content to another: versions share what did not change between them. One is kept as long
-- as it is in the present content or in a version, which has all files that were in it when it was made.
CREATE TABLE script_files (
    number    INTEGER PRIMARY KEY AUTOINCREMENT,
    project   INTEGER NOT NULL,
    -- Number of the content that brought it.
    since     INTEGER NOT NULL,
    name      TEXT NOT NULL,
    kind      INTEGER NOT NULL,
    hash      BLOB NOT NULL,
    source    BLOB NOT NULL,
    -- What the file defines, as the service writes it.
    functions TEXT,
    created   INTEGER NOT NULL,
    updated   INTEGER NOT NULL,
    modifier  INTEGER NOT NULL
) STRICT;
CREATE INDEX script_files_by_project ON script_files (project, number);

CREATE TABLE script_versions (
    project     INTEGER NOT NULL,
    number      INTEGER NOT NULL,
    description TEXT NOT NULL,
    created     INTEGER NOT NULL,
    -- The content that it keeps.
    saved       INTEGER NOT NULL,
    content     TEXT NOT NULL,
    manifest    INTEGER NOT NULL,
    PRIMARY KEY (project, number)
) STRICT;

-- Deployments. `place` counts up within the project; that of the head is the greatest number there is.
CREATE TABLE script_deployments (
    project     INTEGER NOT NULL,
    place       INTEGER NOT NULL,
    id          TEXT NOT NULL,
    -- None: the present content.
    version     INTEGER,
    description TEXT NOT NULL,
    deployer    INTEGER NOT NULL,
    updated     INTEGER NOT NULL,
    PRIMARY KEY (project, place)
) STRICT;
CREATE UNIQUE INDEX script_deployments_by_id ON script_deployments (id);
CREATE INDEX script_deployments_by_time ON script_deployments (project, updated, place);

-- Executions. Each counts for a facet of its project and for one of its user: what filters look at is the same for all
-- executions of a facet.
CREATE TABLE script_processes (
    number        INTEGER PRIMARY KEY AUTOINCREMENT,
    project       INTEGER NOT NULL,
    user_id       INTEGER NOT NULL,
    of_project    INTEGER NOT NULL,
    of_user       INTEGER NOT NULL,
    started       INTEGER NOT NULL,
    -- None while it goes on.
    ended         INTEGER,
    -- The server that it runs on.
    server        INTEGER NOT NULL
) STRICT;
CREATE INDEX script_processes_by_project ON script_processes (project, started, number);
CREATE INDEX script_processes_by_user ON script_processes (user_id, started, number);
CREATE INDEX script_processes_of_project ON script_processes (of_project, started, number);
CREATE INDEX script_processes_of_user ON script_processes (of_user, started, number);
CREATE INDEX script_processes_by_time ON script_processes (started, number);
CREATE INDEX script_processes_running ON script_processes (number) WHERE ended IS NULL;

CREATE TABLE script_facets (
    number     INTEGER PRIMARY KEY AUTOINCREMENT,
    -- 0: of a project, 1: of a user; and of which.
    side       INTEGER NOT NULL,
    owner      INTEGER NOT NULL,
    project    INTEGER NOT NULL,
    -- A hash of all that follows.
    digest     BLOB NOT NULL,
    title      TEXT NOT NULL,
    function   TEXT NOT NULL,
    deployment TEXT NOT NULL,
    status     INTEGER NOT NULL,
    kind       INTEGER NOT NULL,
    access     INTEGER NOT NULL,
    runtime    INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX script_facets_by_digest ON script_facets (side, owner, project, digest);

-- How often the processes of a project (side 0) or of a user (side 1) have changed.
CREATE TABLE script_changes (
    side    INTEGER NOT NULL,
    owner   INTEGER NOT NULL,
    changes INTEGER NOT NULL,
    PRIMARY KEY (side, owner)
) STRICT;

-- Servers that run scripts, and until when each is believed to be there, by the clock of the machine.
CREATE TABLE script_servers (
    server INTEGER PRIMARY KEY,
    until  INTEGER NOT NULL
) STRICT;
CREATE INDEX script_servers_by_time ON script_servers (until, server);

-- What was counted when executions ended: of a deployment, or of all ('').
CREATE TABLE script_metrics (
    project    INTEGER NOT NULL,
    deployment TEXT NOT NULL,
    -- 0: a day, 1: a week.
    grain      INTEGER NOT NULL,
    bucket     INTEGER NOT NULL,
    total      INTEGER NOT NULL,
    failed     INTEGER NOT NULL,
    users      INTEGER NOT NULL,
    PRIMARY KEY (project, deployment, grain, bucket)
) STRICT;
CREATE INDEX script_metrics_by_time ON script_metrics (bucket, project, deployment, grain);
CREATE TABLE script_metric_users (
    project    INTEGER NOT NULL,
    deployment TEXT NOT NULL,
    grain      INTEGER NOT NULL,
    bucket     INTEGER NOT NULL,
    user_id    INTEGER NOT NULL,
    PRIMARY KEY (project, deployment, grain, bucket, user_id)
) STRICT;
CREATE INDEX script_metric_users_by_time ON script_metric_users (bucket, project, deployment, grain, user_id);

-- What scripts keep: for all users (user 0), or for one.
CREATE TABLE script_properties (
    project INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    PRIMARY KEY (project, user_id, name)
) STRICT;
CREATE INDEX script_properties_by_user ON script_properties (user_id, project, name);
CREATE TABLE script_cache (
    project INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    name    TEXT NOT NULL,
    value   TEXT NOT NULL,
    expires INTEGER NOT NULL,
    PRIMARY KEY (project, user_id, name)
) STRICT;
CREATE INDEX script_cache_by_user ON script_cache (user_id, project, name);
CREATE INDEX script_cache_by_expiry ON script_cache (expires, project, user_id, name);
-- Locks of scripts: who has it, and until when at the latest, by the clock of the machine.
CREATE TABLE script_locks (
    project INTEGER NOT NULL,
    user_id INTEGER NOT NULL,
    holder  INTEGER NOT NULL,
    until   INTEGER NOT NULL,
    PRIMARY KEY (project, user_id)
) STRICT;

-- Triggers. One with a time is due then; who runs it leases it, by the clock of the machine.
CREATE TABLE script_triggers (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    id       TEXT NOT NULL,
    project  INTEGER NOT NULL,
    user_id  INTEGER NOT NULL,
    function TEXT NOT NULL,
    -- When it fires, as the service writes it.
    spec     TEXT NOT NULL,
    created  INTEGER NOT NULL,
    due      INTEGER,
    lease    INTEGER NOT NULL,
    leased   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX script_triggers_by_id ON script_triggers (id);
CREATE INDEX script_triggers_by_project ON script_triggers (project, number);
CREATE INDEX script_triggers_by_user ON script_triggers (user_id, number);
CREATE INDEX script_triggers_by_due ON script_triggers (due, number) WHERE due IS NOT NULL;

-- What users say of their profiles.
CREATE TABLE profiles (
    user_id INTEGER PRIMARY KEY,
    -- Whether others see nothing of it.
    hidden  INTEGER NOT NULL,
    -- Address of a picture.
    photo   TEXT
) STRICT;
