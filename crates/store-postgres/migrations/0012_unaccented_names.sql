-- The key of a name without its accents, which the owner can also use to sign in. Not unique. When the server starts, it fills in the
-- keys of names with characters other than ASCII, because SQL cannot.
ALTER TABLE accounts ADD COLUMN unaccented_key text COLLATE "C";
UPDATE accounts SET unaccented_key = name_key WHERE name IS NOT NULL AND name !~ '[^ -~]';
CREATE INDEX accounts_unaccented_key ON accounts (unaccented_key) WHERE unaccented_key IS NOT NULL;
-- The accounts whose name the server has yet to look at.
DROP INDEX accounts_unlooked;
CREATE INDEX accounts_unlooked ON accounts (player) WHERE (skeleton IS NULL OR unaccented_key IS NULL) AND name IS NOT NULL;
