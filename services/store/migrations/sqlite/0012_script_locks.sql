-- Locks of scripts by user, who can be removed.
CREATE INDEX script_locks_by_user ON script_locks (user_id, project);
