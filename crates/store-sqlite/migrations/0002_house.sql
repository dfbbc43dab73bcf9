-- The values that the lists of games need, as columns.
ALTER TABLE games ADD COLUMN variant TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN turn TEXT;
ALTER TABLE games ADD COLUMN deadline INTEGER;
ALTER TABLE games ADD COLUMN public INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN match_id TEXT;
ALTER TABLE games ADD COLUMN match_number INTEGER;
UPDATE games SET variant = coalesce(json_extract(summary, '$.variant'), ''), turn = json_extract(summary, '$.turn')
    WHERE json_valid(summary);

-- For the games with a deadline, the public list, and matches.
CREATE INDEX games_running ON games (id) WHERE deadline IS NOT NULL;
CREATE INDEX games_public ON games (created_at) WHERE public = 1 AND phase = 'playing';
CREATE INDEX games_match ON games (match_id, match_number, created_at) WHERE match_id IS NOT NULL;

CREATE TABLE matches (
    id TEXT NOT NULL PRIMARY KEY,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The row of a deleted account is kept, without its name, password or address, so that an old cookie does not revive
-- the account.
CREATE TABLE accounts (
    player TEXT NOT NULL PRIMARY KEY,
    name TEXT,
    name_key TEXT UNIQUE,
    password TEXT,
    email TEXT,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Only the hashes of tokens are stored, so nobody can sign in with the contents of this table.
CREATE TABLE sessions (
    token BLOB NOT NULL PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    player TEXT NOT NULL REFERENCES accounts (player),
    agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_player ON sessions (player);

CREATE TABLE recoveries (
    token BLOB NOT NULL PRIMARY KEY,
    player TEXT NOT NULL REFERENCES accounts (player),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE proposals (
    id TEXT NOT NULL PRIMARY KEY,
    player TEXT NOT NULL,
    recipient TEXT,
    body TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE chat (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL REFERENCES games (id),
    room TEXT NOT NULL CHECK (room IN ('players', 'watchers')),
    player TEXT NOT NULL,
    command BLOB NOT NULL,
    color TEXT CHECK (color IN ('white', 'black')),
    text TEXT NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (player, command)
) STRICT;

CREATE INDEX chat_room ON chat (game, room, id);

CREATE TABLE reports (
    line INTEGER NOT NULL REFERENCES chat (id) ON DELETE CASCADE,
    player TEXT NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (line, player)
) STRICT, WITHOUT ROWID;

-- The last time at which a server was running, and the periods in which none was.
CREATE TABLE heartbeat (
    only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE downtimes (
    from_at INTEGER NOT NULL PRIMARY KEY,
    until_at INTEGER NOT NULL CHECK (until_at > from_at)
) STRICT;
