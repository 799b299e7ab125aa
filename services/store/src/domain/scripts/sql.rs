//! Statements of script projects, like those of [`sql`](crate::domain::sql).

use crate::domain::sql::statements;

// Projects. A project without an identifier is being removed.
statements! {
    PROJECT_ADD = "INSERT INTO script_projects (id, owner, title, parent, created, updated, creator, modifier, changes, \
        saved, versions, deployments, content, manifest) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?2, ?2, 1, 1, 0, 0, '[]', 0) RETURNING number";
    PROJECT = "SELECT number, id, owner, title, parent, created, updated, creator, modifier, changes, saved, versions, \
        (SELECT number FROM current_epoch), content, manifest, deployments FROM script_projects WHERE id = ?1";
    PROJECT_AT = "SELECT number, id, owner, title, parent, created, updated, creator, modifier, changes, saved, \
        versions, (SELECT number FROM current_epoch), content, manifest, deployments \
        FROM script_projects WHERE number = ?1 AND id IS NOT NULL";
    PROJECTS = "SELECT number, id, owner, title, parent, created, updated, creator, modifier, changes, saved, versions, \
        (SELECT number FROM current_epoch) FROM script_projects WHERE id > '' ORDER BY id";
    PROJECTS_OF = "SELECT number, id, owner, title, parent, created, updated, creator, modifier, changes, saved, \
        versions, (SELECT number FROM current_epoch) FROM script_projects WHERE owner = ?1 AND id IS NOT NULL \
        ORDER BY id";
    PROJECTS_SHARED = "SELECT p.number, p.id, p.owner, p.title, p.parent, p.created, p.updated, p.creator, p.modifier, \
        p.changes, p.saved, p.versions, (SELECT number FROM current_epoch), s.role \
        FROM script_shares s JOIN script_projects p ON p.number = s.project \
        WHERE s.user_id = ?1 AND p.id IS NOT NULL ORDER BY s.project";
    PROJECT_TITLE = "UPDATE script_projects SET title = ?2, modifier = ?3, updated = ?4, changes = changes + 1 \
        WHERE number = ?1";
    PROJECT_TOUCH = "UPDATE script_projects SET updated = ?2, changes = changes + 1 WHERE number = ?1";
    PROJECT_SAVE = "UPDATE script_projects SET content = ?2, manifest = ?3, saved = ?4, modifier = ?5, updated = ?6, \
        changes = changes + 1 WHERE number = ?1";
    PROJECT_VERSION = "UPDATE script_projects SET versions = ?2, changes = changes + 1 WHERE number = ?1";
    PROJECT_DEPLOYED = "UPDATE script_projects SET deployments = ?2, changes = changes + 1 WHERE number = ?1";
    PROJECT_HIDE = "UPDATE script_projects SET id = NULL WHERE id = ?1 RETURNING number";
    PROJECTS_OF_HIDE = "UPDATE script_projects SET id = NULL WHERE owner = ?1";
    PROJECTS_OF_LEFT = "SELECT number FROM script_projects WHERE owner = ?1 ORDER BY id LIMIT 1";
    PROJECTS_HIDDEN = "SELECT number FROM script_projects WHERE id IS NULL ORDER BY number LIMIT 1";
    PROJECT_DROP = "DELETE FROM script_projects WHERE number = ?1 AND id IS NULL";

    ROLE = "SELECT role FROM script_shares WHERE project = ?1 AND user_id = ?2";
    ROLE_SET = "INSERT INTO script_shares (project, user_id, role) VALUES (?1, ?2, ?3) \
        ON CONFLICT (project, user_id) DO UPDATE SET role = excluded.role";
    ROLE_DROP = "DELETE FROM script_shares WHERE project = ?1 AND user_id = ?2";
    ROLES = "SELECT s.user_id, u.address, s.role FROM script_shares s JOIN users u ON u.id = s.user_id \
        WHERE s.project = ?1 AND u.address_key IS NOT NULL ORDER BY s.user_id";
    PERSON = "SELECT u.id, u.address, u.name, u.since, p.hidden, p.photo FROM users u \
        LEFT JOIN profiles p ON p.user_id = u.id WHERE u.id = ?1 AND u.address_key IS NOT NULL";
    PROFILE_SET = "INSERT INTO profiles (user_id, hidden, photo) VALUES (?1, ?2, ?3) \
        ON CONFLICT (user_id) DO UPDATE SET hidden = excluded.hidden, photo = excluded.photo";
    PROFILE_DROP = "DELETE FROM profiles WHERE user_id = ?1";
    ROLES_OF_DROP = "DELETE FROM script_shares WHERE user_id = ?1";

    // Files.
    FILE_ADD = "INSERT INTO script_files (project, since, name, kind, hash, source, functions, created, updated, modifier) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) RETURNING number";
    FILE_HEAD = "SELECT number, since, name, kind, hash, created, updated, modifier FROM script_files WHERE number = ?1";
    FILE = "SELECT name, kind, source, functions, created, updated, modifier, number FROM script_files \
        WHERE number = ?1";
    FILE_SIZE = "SELECT length(source) + coalesce(length(functions), 0) FROM script_files WHERE number = ?1";
    FILE_FUNCTIONS = "UPDATE script_files SET functions = ?2 WHERE number = ?1 AND functions IS NULL";
    FILE_FUNCTIONS_KEPT = "SELECT functions FROM script_files WHERE number = ?1";
    FILE_DROP = "DELETE FROM script_files WHERE number = ?1";

    // Versions.
    VERSION_ADD = "INSERT INTO script_versions (project, number, description, created, saved, content, manifest) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    VERSION = "SELECT number, description, created, saved, content FROM script_versions \
        WHERE project = ?1 AND number = ?2";
    VERSIONS = "SELECT number, description, created, saved FROM script_versions WHERE project = ?1 AND number < ?2 \
        ORDER BY number DESC LIMIT ?3";

    // Deployments, with the manifest of the deployed content.
    DEPLOYMENT_ADD = "INSERT INTO script_deployments (project, place, id, version, description, deployer, updated, \
        scopes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    DEPLOYMENT = "SELECT d.id, d.place, d.version, d.description, d.deployer, d.updated, d.project, \
        (SELECT f.source FROM script_files f WHERE f.number = coalesce((SELECT v.manifest FROM script_versions v \
        WHERE v.project = d.project AND v.number = d.version), (SELECT p.manifest FROM script_projects p \
        WHERE p.number = d.project))), d.scopes FROM script_deployments d WHERE d.id = ?1";
    PROJECT_OF_DEPLOYMENT = "SELECT project FROM script_deployments WHERE id = ?1";
    DEPLOYMENTS_BY_PLACE = "SELECT d.id, d.place, d.version, d.description, d.deployer, d.updated, d.project, \
        (SELECT f.source FROM script_files f WHERE f.number = coalesce((SELECT v.manifest FROM script_versions v \
        WHERE v.project = d.project AND v.number = d.version), (SELECT p.manifest FROM script_projects p \
        WHERE p.number = d.project))), d.scopes FROM script_deployments d WHERE d.project = ?1 AND d.place < ?2 \
        ORDER BY d.place DESC LIMIT ?3";
    DEPLOYMENTS_BY_TIME = "SELECT d.id, d.place, d.version, d.description, d.deployer, d.updated, d.project, \
        (SELECT f.source FROM script_files f WHERE f.number = coalesce((SELECT v.manifest FROM script_versions v \
        WHERE v.project = d.project AND v.number = d.version), (SELECT p.manifest FROM script_projects p \
        WHERE p.number = d.project))), d.scopes FROM script_deployments d \
        WHERE d.project = ?1 AND (d.updated, d.place) < (?2, ?3) ORDER BY d.updated DESC, d.place DESC LIMIT ?4";
    DEPLOYMENT_SET = "UPDATE script_deployments SET version = ?3, description = ?4, deployer = ?5, updated = ?6, \
        scopes = ?7 WHERE project = ?1 AND place = ?2";
    DEPLOYMENT_DROP = "DELETE FROM script_deployments WHERE project = ?1 AND place = ?2";

    // Executions.
    FACET_PUT = "INSERT INTO script_facets (side, owner, project, digest, title, function, deployment, status, kind, \
        access, runtime) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) \
        ON CONFLICT (side, owner, project, digest) DO UPDATE SET side = excluded.side RETURNING number";
    FACETS = "SELECT number, project, title, function, deployment, status, kind, access FROM script_facets \
        WHERE side = ?1 AND owner = ?2 ORDER BY project, digest LIMIT ?3";
    FACETS_OF_PROJECT = "SELECT number, project, title, function, deployment, status, kind, access FROM script_facets \
        WHERE side = ?1 AND owner = ?2 AND project = ?4 ORDER BY digest LIMIT ?3";
    PROJECT_RUN_THROUGH = "SELECT owner FROM script_facets WHERE side = 0 AND deployment = ?1 LIMIT 1";
    FACETS_AFTER = "SELECT number, side FROM script_facets WHERE number > ?1 ORDER BY number LIMIT ?2";
    FACET_LOCK = "SELECT number FROM script_facets WHERE number = ?1";
    FACET_DROP = "DELETE FROM script_facets WHERE number = ?1";
    FACET_GREATEST = "SELECT coalesce(max(number), 0) FROM script_facets WHERE number > 0";
    EXECUTION_ADD = "INSERT INTO script_processes (project, user_id, of_project, of_user, started, ended, server) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING number";
    EXECUTION = "SELECT number, project, user_id, started, ended, of_project FROM script_processes WHERE number = ?1";
    FACET = "SELECT title, function, deployment, status, kind, access, runtime FROM script_facets WHERE number = ?1";
    EXECUTION_SET = "UPDATE script_processes SET of_project = ?2, of_user = ?3, ended = ?4 WHERE number = ?1";
    EXECUTIONS = "SELECT e.number, e.project, e.user_id, e.started, e.ended, f.title, f.function, f.deployment, \
        f.status, f.kind, f.access, f.runtime FROM script_processes e JOIN script_facets f ON f.number = e.of_project \
        WHERE e.project = ?1 AND (e.started, e.number) < (?2, ?3) AND e.started >= ?4 \
        ORDER BY e.started DESC, e.number DESC LIMIT ?5";
    EXECUTIONS_OF_USER = "SELECT e.number, e.project, e.user_id, e.started, e.ended, f.title, f.function, f.deployment, \
        f.status, f.kind, f.access, f.runtime FROM script_processes e JOIN script_facets f ON f.number = e.of_project \
        WHERE e.user_id = ?1 AND (e.started, e.number) < (?2, ?3) AND e.started >= ?4 \
        ORDER BY e.started DESC, e.number DESC LIMIT ?5";
    EXECUTIONS_IN_FACET = "SELECT e.number, e.project, e.user_id, e.started, e.ended, f.title, f.function, \
        f.deployment, f.status, f.kind, f.access, f.runtime FROM script_processes e \
        JOIN script_facets f ON f.number = e.of_project \
        WHERE e.of_project = ?1 AND (e.started, e.number) < (?2, ?3) AND e.started >= ?4 \
        ORDER BY e.started DESC, e.number DESC LIMIT ?5";
    EXECUTIONS_IN_FACET_OF_USER = "SELECT e.number, e.project, e.user_id, e.started, e.ended, f.title, f.function, \
        f.deployment, f.status, f.kind, f.access, f.runtime FROM script_processes e \
        JOIN script_facets f ON f.number = e.of_project \
        WHERE e.of_user = ?1 AND (e.started, e.number) < (?2, ?3) AND e.started >= ?4 \
        ORDER BY e.started DESC, e.number DESC LIMIT ?5";
    EXECUTIONS_OLD = "SELECT number FROM script_processes WHERE started < ?1 ORDER BY started, number LIMIT ?2";
    EXECUTION_DROP = "DELETE FROM script_processes WHERE number = ?1 AND ended IS NOT NULL";
    EXECUTIONS_RUNNING = "SELECT number, server FROM script_processes WHERE ended IS NULL AND number > ?1 \
        ORDER BY number LIMIT ?2";
    EXECUTIONS_OF_SERVER = "SELECT number FROM script_processes WHERE server = ?1 AND ended IS NULL ORDER BY number";
    FACET_USED = "SELECT number FROM script_processes WHERE of_project = ?1 ORDER BY started, number LIMIT 1";
    FACET_USED_BY_USER = "SELECT number FROM script_processes WHERE of_user = ?1 ORDER BY started, number LIMIT 1";
    CHANGES_ADD = "INSERT INTO script_changes (side, owner, changes) VALUES (?1, ?2, 1) \
        ON CONFLICT (side, owner) DO UPDATE SET changes = script_changes.changes + 1";
    CHANGES = "SELECT changes FROM script_changes WHERE side = ?1 AND owner = ?2";
    CHANGES_DROP = "DELETE FROM script_changes WHERE side = ?1 AND owner = ?2";
    SERVER_SET = "INSERT INTO script_servers (server, until) VALUES (?1, ?2) \
        ON CONFLICT (server) DO UPDATE SET until = excluded.until";
    SERVER = "SELECT until FROM script_servers WHERE server = ?1";
    SERVERS_DROP = "DELETE FROM script_servers WHERE until <= ?1";

    // Logs of executions.
    LOG_ADD = "INSERT INTO script_logs (execution, project, place, at, severity, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
        ON CONFLICT (execution, place) DO NOTHING";
    LOG = "SELECT number, execution, place, at, severity, text, project FROM script_logs \
        WHERE execution = ?1 AND place > ?2 ORDER BY place LIMIT ?3";
    LOGS = "SELECT number, execution, place, at, severity, text, project FROM script_logs \
        WHERE project = ?1 AND number > ?2 ORDER BY number LIMIT ?3";
    LOGS_LATEST = "SELECT number, execution, place, at, severity, text, project FROM script_logs \
        WHERE project = ?1 ORDER BY number DESC LIMIT ?2";
    LOG_OF_DROP = "DELETE FROM script_logs WHERE execution = ?1 \
        AND NOT EXISTS (SELECT e.number FROM script_processes e WHERE e.number = ?1)";
    LOG_DROP = "DELETE FROM script_logs WHERE number = ?1";
    REMAINS_LOGS = "SELECT number FROM script_logs WHERE project = ?1 ORDER BY number LIMIT ?2";

    // Metrics.
    METRIC_USER_ADD = "INSERT INTO script_metric_users (project, deployment, grain, bucket, user_id) \
        VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (project, deployment, grain, bucket, user_id) DO NOTHING";
    METRIC_ADD = "INSERT INTO script_metrics (project, deployment, grain, bucket, total, failed, users) \
        VALUES (?1, ?2, ?3, ?4, 1, ?5, ?6) ON CONFLICT (project, deployment, grain, bucket) DO UPDATE SET \
        total = script_metrics.total + 1, failed = script_metrics.failed + excluded.failed, \
        users = script_metrics.users + excluded.users";
    METRICS = "SELECT bucket, total, failed, users FROM script_metrics \
        WHERE project = ?1 AND deployment = ?2 AND grain = ?3 AND bucket >= ?4 AND bucket <= ?5 ORDER BY bucket DESC";
    METRICS_OLD = "SELECT project, deployment, grain, bucket FROM script_metrics WHERE bucket < ?1 \
        ORDER BY bucket, project, deployment, grain LIMIT ?2";
    METRIC_DROP = "DELETE FROM script_metrics WHERE project = ?1 AND deployment = ?2 AND grain = ?3 AND bucket = ?4";
    METRIC_USERS_OLD = "SELECT project, deployment, grain, bucket, user_id FROM script_metric_users WHERE bucket < ?1 \
        ORDER BY bucket, project, deployment, grain, user_id LIMIT ?2";
    METRIC_USER_DROP = "DELETE FROM script_metric_users \
        WHERE project = ?1 AND deployment = ?2 AND grain = ?3 AND bucket = ?4 AND user_id = ?5";

    // Data of scripts.
    PROPERTIES = "SELECT name, value FROM script_properties WHERE project = ?1 AND user_id = ?2 ORDER BY name";
    PROPERTY_SET = "INSERT INTO script_properties (project, user_id, name, value) VALUES (?1, ?2, ?3, ?4) \
        ON CONFLICT (project, user_id, name) DO UPDATE SET value = excluded.value";
    PROPERTY_DROP = "DELETE FROM script_properties WHERE project = ?1 AND user_id = ?2 AND name = ?3";
    CACHED = "SELECT value FROM script_cache WHERE project = ?1 AND user_id = ?2 AND name = ?3 AND expires > ?4";
    CACHED_SET = "INSERT INTO script_cache (project, user_id, name, value, expires) VALUES (?1, ?2, ?3, ?4, ?5) \
        ON CONFLICT (project, user_id, name) DO UPDATE SET value = excluded.value, expires = excluded.expires";
    CACHED_DROP = "DELETE FROM script_cache WHERE project = ?1 AND user_id = ?2 AND name = ?3";
    CACHED_COUNT = "SELECT count(*) FROM script_cache WHERE project = ?1 AND user_id = ?2 AND expires > ?3";
    CACHED_OLD = "SELECT project, user_id, name FROM script_cache WHERE expires <= ?1 \
        ORDER BY expires, project, user_id, name LIMIT ?2";
    LOCK_TAKE = "INSERT INTO script_locks (project, user_id, holder, until) VALUES (?1, ?2, ?3, ?5) \
        ON CONFLICT (project, user_id) DO UPDATE SET holder = excluded.holder, until = excluded.until \
        WHERE script_locks.until <= ?4 OR script_locks.holder = ?3";
    LOCK_GIVE = "DELETE FROM script_locks WHERE project = ?1 AND user_id = ?2 AND holder = ?3";

    // Triggers.
    TRIGGER_ADD = "INSERT INTO script_triggers (id, project, user_id, function, spec, created, due, lease, leased) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, 0) RETURNING number";
    TRIGGERS = "SELECT number, id, project, user_id, function, spec, created, due FROM script_triggers \
        WHERE project = ?1 ORDER BY number";
    TRIGGER_REMOVE = "DELETE FROM script_triggers WHERE id = ?3 AND project = ?1 AND user_id = ?2";
    TRIGGERS_DUE = "SELECT number, id, project, user_id, function, spec, created, due FROM script_triggers \
        WHERE due IS NOT NULL AND due <= ?1 AND leased <= ?2 ORDER BY due, number LIMIT ?3";
    TRIGGER_LEASE = "UPDATE script_triggers SET lease = ?2, leased = ?3 WHERE number = ?1";
    TRIGGER_SETTLE = "UPDATE script_triggers SET due = ?3, lease = 0, leased = 0 WHERE number = ?1 AND lease = ?2";
    TRIGGER_END = "DELETE FROM script_triggers WHERE number = ?1 AND lease = ?2";
    TRIGGER_DROP = "DELETE FROM script_triggers WHERE number = ?1";

    // Data of a removed project or user, one step at a time.
    REMAINS_FILES = "SELECT number FROM script_files WHERE project = ?1 ORDER BY number LIMIT ?2";
    REMAINS_VERSIONS = "SELECT project, number FROM script_versions WHERE project = ?1 ORDER BY number LIMIT ?2";
    VERSION_DROP = "DELETE FROM script_versions WHERE project = ?1 AND number = ?2";
    REMAINS_DEPLOYMENTS = "SELECT project, place FROM script_deployments WHERE project = ?1 ORDER BY place LIMIT ?2";
    REMAINS_EXECUTIONS = "SELECT number FROM script_processes WHERE project = ?1 ORDER BY started, number LIMIT ?2";
    REMAINS_EXECUTION_DROP = "DELETE FROM script_processes WHERE number = ?1";
    REMAINS_FACETS = "SELECT number FROM script_facets WHERE side = 0 AND owner = ?1 ORDER BY project, digest LIMIT ?2";
    REMAINS_METRICS = "SELECT project, deployment, grain, bucket FROM script_metrics WHERE project = ?1 \
        ORDER BY deployment, grain, bucket LIMIT ?2";
    REMAINS_METRIC_USERS = "SELECT project, deployment, grain, bucket, user_id FROM script_metric_users \
        WHERE project = ?1 ORDER BY deployment, grain, bucket, user_id LIMIT ?2";
    REMAINS_PROPERTIES = "SELECT project, user_id, name FROM script_properties WHERE project = ?1 \
        ORDER BY user_id, name LIMIT ?2";
    REMAINS_CACHED = "SELECT project, user_id, name FROM script_cache WHERE project = ?1 ORDER BY user_id, name LIMIT ?2";
    REMAINS_LOCKS = "SELECT project, user_id, holder FROM script_locks WHERE project = ?1 ORDER BY user_id LIMIT ?2";
    REMAINS_TRIGGERS = "SELECT number FROM script_triggers WHERE project = ?1 ORDER BY number LIMIT ?2";
    REMAINS_ROLES = "SELECT project, user_id FROM script_shares WHERE project = ?1 ORDER BY user_id LIMIT ?2";
    REMAINS_OF_USER_PROPERTIES = "SELECT project, user_id, name FROM script_properties WHERE user_id = ?1 \
        ORDER BY project, name LIMIT ?2";
    REMAINS_OF_USER_CACHED = "SELECT project, user_id, name FROM script_cache WHERE user_id = ?1 \
        ORDER BY project, name LIMIT ?2";
    REMAINS_OF_USER_LOCKS = "SELECT project, user_id, holder FROM script_locks WHERE user_id = ?1 \
        ORDER BY project LIMIT ?2";
    REMAINS_OF_USER_TRIGGERS = "SELECT number FROM script_triggers WHERE user_id = ?1 ORDER BY number LIMIT ?2";
}
