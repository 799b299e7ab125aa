-- The scopes of the token that made a deployment, with a space between two; none: all rights of who deployed it.
ALTER TABLE script_deployments ADD COLUMN scopes TEXT;
