-- Who made a proposal, to limit the number of proposals, and whether the proposal ends when its maker leaves.
ALTER TABLE proposals ADD COLUMN command BLOB;
ALTER TABLE proposals ADD COLUMN origin BLOB;
ALTER TABLE proposals ADD COLUMN signed_in INTEGER NOT NULL DEFAULT 1 CHECK (signed_in IN (0, 1));
ALTER TABLE proposals ADD COLUMN needs_maker INTEGER NOT NULL DEFAULT 0 CHECK (needs_maker IN (0, 1));
CREATE UNIQUE INDEX proposals_command ON proposals (player, command);
CREATE INDEX proposals_origin ON proposals (origin) WHERE origin IS NOT NULL;
CREATE INDEX proposals_recipient ON proposals (recipient, signed_in, expires_at);
CREATE INDEX proposals_expiry ON proposals (expires_at);

-- Change counters, from which a process can tell whether it has missed a notice.
CREATE TABLE versions (
    name TEXT NOT NULL PRIMARY KEY,
    version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO versions (name, version) VALUES ('proposals', 0), ('house', 0);

-- Visitors with a socket, by the node that they are connected to. One who has left the hall is kept for a while.
CREATE TABLE visitors (
    player TEXT NOT NULL,
    node TEXT NOT NULL,
    is_here INTEGER NOT NULL CHECK (is_here IN (0, 1)),
    is_in_hall INTEGER NOT NULL CHECK (is_in_hall IN (0, 1)),
    left_hall_at INTEGER,
    PRIMARY KEY (player, node)
) STRICT, WITHOUT ROWID;

-- The number of spectators' sockets, by game and node.
CREATE TABLE watchers (
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    node TEXT NOT NULL,
    sockets INTEGER NOT NULL CHECK (sockets > 0),
    PRIMARY KEY (game, node)
) STRICT, WITHOUT ROWID;
