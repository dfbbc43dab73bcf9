-- Problems composed by accounts. A withdrawn problem keeps its command, so that a late repeat of the command does not publish
-- it again.
CREATE TABLE problems (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL REFERENCES accounts (player),
    command BLOB NOT NULL,
    variant TEXT NOT NULL,
    position TEXT,
    title TEXT,
    document TEXT,
    created_at INTEGER NOT NULL,
    UNIQUE (owner, command),
    CHECK ((position IS NULL) = (document IS NULL))
) STRICT;

CREATE UNIQUE INDEX problems_position ON problems (variant, position) WHERE position IS NOT NULL;
CREATE INDEX problems_variant ON problems (variant, created_at, id) WHERE document IS NOT NULL;
CREATE INDEX problems_owner ON problems (owner, created_at, id) WHERE document IS NOT NULL;
