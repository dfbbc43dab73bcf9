-- The processes that serve the database, each with its lease. `taken_by` is the node that takes over the work of a dead one.
CREATE TABLE nodes (
    id TEXT NOT NULL PRIMARY KEY,
    address TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    valid_until INTEGER NOT NULL,
    taken_by TEXT
) STRICT, WITHOUT ROWID;

-- Players by the node that they are or were connected to; `away_since` is NULL while they are connected.
CREATE TABLE presence (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    color TEXT NOT NULL CHECK (color IN ('white', 'black')),
    node TEXT NOT NULL,
    away_since INTEGER,
    PRIMARY KEY (game, color, node)
) STRICT, WITHOUT ROWID;

CREATE INDEX presence_node ON presence (node);

-- The node that has claimed the machine's turn, and the version of the game at that time.
ALTER TABLE games ADD COLUMN thinking_node TEXT;
ALTER TABLE games ADD COLUMN thinking_version INTEGER;
