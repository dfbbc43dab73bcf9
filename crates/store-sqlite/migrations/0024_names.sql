-- Names that look alike have the same skeleton. The index is not unique, because existing accounts keep their names. The server fills
-- in missing skeletons when it starts, because SQL cannot.
ALTER TABLE accounts ADD COLUMN skeleton TEXT;
CREATE INDEX accounts_skeleton ON accounts (skeleton) WHERE skeleton IS NOT NULL;

-- Salted hashes of the names of deleted accounts. Such names cannot be registered for a while.
CREATE TABLE retired_names (
    mark BLOB NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
