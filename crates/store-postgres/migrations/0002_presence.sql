-- When a player connected, and whether the connection ended because the node stopped or died.
ALTER TABLE presence ADD COLUMN since bigint NOT NULL DEFAULT 0;
ALTER TABLE presence ADD COLUMN is_cut_off boolean NOT NULL DEFAULT false;

-- For the players who are connected to a node, and for rows that may be old enough to be deleted.
CREATE INDEX presence_connected ON presence (node) WHERE away_since IS NULL;
CREATE INDEX presence_away ON presence (away_since) WHERE away_since IS NOT NULL;
DROP INDEX presence_node;

-- Due games are listed in pages.
CREATE INDEX games_due ON games (deadline, id) WHERE deadline IS NOT NULL;
DROP INDEX games_deadline;
