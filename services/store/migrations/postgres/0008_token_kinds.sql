-- Whom a token stands for: 0 its user, 1 a service account, 2 a service account to which the user has delegated what they
-- may do.
ALTER TABLE tokens ADD COLUMN kind BIGINT NOT NULL DEFAULT 0;
