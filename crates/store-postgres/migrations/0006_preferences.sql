-- The preferences of an account, a document that only the server reads.
CREATE TABLE preferences (
    player text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES accounts (player),
    version bigint NOT NULL,
    document text NOT NULL
);
