-- The key of a name without its accents, with which its owner can sign in as well. Not unique. The server fills in those of names with
-- other letters than ASCII when it starts, because SQL cannot.
ALTER TABLE accounts ADD COLUMN unaccented_key TEXT;
UPDATE accounts SET unaccented_key = name_key WHERE name IS NOT NULL AND name NOT GLOB '*[^ -~]*';
CREATE INDEX accounts_unaccented_key ON accounts (unaccented_key) WHERE unaccented_key IS NOT NULL;
