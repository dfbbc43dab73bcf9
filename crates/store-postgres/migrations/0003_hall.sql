-- Who made a proposal, for the limits on the number of proposals, and whether the proposal ends when its maker leaves.
ALTER TABLE proposals ADD COLUMN command uuid;
ALTER TABLE proposals ADD COLUMN origin bytea;
ALTER TABLE proposals ADD COLUMN signed_in boolean NOT NULL DEFAULT true;
ALTER TABLE proposals ADD COLUMN needs_maker boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX proposals_command ON proposals (player, command);
CREATE INDEX proposals_origin ON proposals (origin) WHERE origin IS NOT NULL;
CREATE INDEX proposals_seeks ON proposals (signed_in) WHERE recipient IS NULL;

-- Version numbers, by which a node detects that it has missed a notice. A transaction that adds a proposal locks the
-- row named `proposals` in this table before it counts the existing proposals; a transaction that only deletes
-- proposals locks that row last.
CREATE TABLE versions (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    version bigint NOT NULL
);
INSERT INTO versions (name, version) VALUES ('proposals', 0), ('house', 0);

-- Visitors with a socket, by the node to which they are connected. The row of a visitor who has left the hall is kept
-- for a while.
CREATE TABLE visitors (
    player text COLLATE "C" NOT NULL,
    node text COLLATE "C" NOT NULL,
    is_here boolean NOT NULL,
    is_in_hall boolean NOT NULL,
    left_hall_at bigint,
    PRIMARY KEY (player, node)
);
CREATE INDEX visitors_node ON visitors (node);
CREATE INDEX visitors_gone ON visitors (left_hall_at) WHERE NOT is_here;

-- The number of sockets that spectators of a game have open, by node.
CREATE TABLE watchers (
    game text COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    node text COLLATE "C" NOT NULL,
    sockets integer NOT NULL CHECK (sockets > 0),
    PRIMARY KEY (game, node)
);
CREATE INDEX watchers_node ON watchers (node);
