-- The key of a name without its accents, with which its owner can sign in as well. It is not unique. When the server starts, it fills in
-- the keys of names that are not ASCII, because SQL cannot.
ALTER TABLE accounts ADD COLUMN unaccented_key TEXT;
UPDATE accounts SET unaccented_key = name_key WHERE name IS NOT NULL AND name NOT GLOB '*[^ -~]*';
CREATE INDEX accounts_unaccented_key ON accounts (unaccented_key) WHERE unaccented_key IS NOT NULL;
