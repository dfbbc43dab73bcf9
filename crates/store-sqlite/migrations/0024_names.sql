-- What names that look alike have in common. Not unique: accounts that are there already keep their names. The server fills it in when it
-- starts, because SQL cannot.
ALTER TABLE accounts ADD COLUMN skeleton TEXT;
CREATE INDEX accounts_skeleton ON accounts (skeleton) WHERE skeleton IS NOT NULL;

-- Names of deleted accounts, as salted hashes, which cannot be registered for a while.
CREATE TABLE retired_names (
    mark BLOB NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
