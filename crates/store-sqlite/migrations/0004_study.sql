-- The first attempt of each account at each problem. In each variant, the attempt with the
-- largest number holds the account's current rating.
CREATE TABLE tries (
    player TEXT NOT NULL REFERENCES accounts (player),
    variant TEXT NOT NULL,
    problem TEXT NOT NULL,
    number INTEGER NOT NULL,
    command BLOB NOT NULL,
    solved INTEGER NOT NULL CHECK (solved IN (0, 1)),
    before INTEGER NOT NULL,
    after INTEGER NOT NULL,
    streak INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (player, variant, problem),
    UNIQUE (player, variant, number)
) STRICT, WITHOUT ROWID;

-- Analyses saved by accounts. The table has a rowid so that the index on `id` does not contain the `body` column, which
-- is long.
CREATE TABLE analyses (
    id TEXT NOT NULL PRIMARY KEY,
    player TEXT NOT NULL REFERENCES accounts (player),
    command BLOB NOT NULL,
    name TEXT NOT NULL,
    variant TEXT NOT NULL,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (player, command)
) STRICT;
