-- The preferences of an account, a document that only the server reads.
CREATE TABLE preferences (
    player TEXT NOT NULL PRIMARY KEY REFERENCES accounts (player),
    version INTEGER NOT NULL,
    document TEXT NOT NULL
) STRICT, WITHOUT ROWID;
