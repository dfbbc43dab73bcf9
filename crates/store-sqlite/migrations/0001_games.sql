-- The log is in `events`; all columns of `games` except `created_at` are derived from it and written with it.
CREATE TABLE games (
    id TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL CHECK (version > 0),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    phase TEXT NOT NULL CHECK (phase IN ('waiting', 'playing', 'over')),
    awaits_machine INTEGER,
    summary TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- After a restart, the games that await the machine's turn are found with this index.
CREATE INDEX games_awaiting_machine ON games (updated_at) WHERE awaits_machine IS NOT NULL;

CREATE TABLE events (
    game TEXT NOT NULL REFERENCES games (id),
    version INTEGER NOT NULL CHECK (version > 0),
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE seats (
    player TEXT NOT NULL,
    game TEXT NOT NULL REFERENCES games (id),
    color TEXT NOT NULL CHECK (color IN ('white', 'black')),
    PRIMARY KEY (player, game),
    UNIQUE (game, color)
) STRICT, WITHOUT ROWID;

CREATE TABLE invitations (
    token TEXT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL REFERENCES games (id)
) STRICT, WITHOUT ROWID;

-- The key begins with the player, so that nobody can find or block another player's commands.
CREATE TABLE commands (
    player TEXT NOT NULL,
    id BLOB NOT NULL,
    game TEXT NOT NULL REFERENCES games (id),
    answer TEXT NOT NULL,
    PRIMARY KEY (player, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE secrets (
    name TEXT NOT NULL PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;
