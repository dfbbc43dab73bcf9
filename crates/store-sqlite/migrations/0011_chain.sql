-- The head of a chain of hashes over the log of each game (`src/chain.rs`). Older games have none until the server
-- adds one, a few games at a time.
ALTER TABLE games ADD COLUMN chain BLOB;
CREATE INDEX games_unchained ON games (id) WHERE chain IS NULL;
