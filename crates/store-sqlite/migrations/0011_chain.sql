-- The head of a chain of hashes over the log of each game (`src/chain.rs`). Games of before have none until the server has come to
-- them, some at a time.
ALTER TABLE games ADD COLUMN chain BLOB;
CREATE INDEX games_unchained ON games (id) WHERE chain IS NULL;
