-- When a player connected, and whether the connection ended because its node stopped or died.
ALTER TABLE presence ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE presence ADD COLUMN is_cut_off INTEGER NOT NULL DEFAULT 0;

-- The indexes find the players who are connected to a node, and the rows that are old enough to be deleted.
DROP INDEX presence_node;
CREATE INDEX presence_connected ON presence (node) WHERE away_since IS NULL;
CREATE INDEX presence_away ON presence (away_since) WHERE away_since IS NOT NULL;
