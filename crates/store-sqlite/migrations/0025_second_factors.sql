-- The secret that an account shares with an authenticator app (RFC 6238). It takes effect with the first code from the app: from then on,
-- `spent_at` is the time of the last code used, so that no code can be used twice.
CREATE TABLE second_factors (
    player TEXT NOT NULL PRIMARY KEY REFERENCES accounts (player),
    secret BLOB NOT NULL,
    spent_at INTEGER
) STRICT, WITHOUT ROWID;

-- Recovery codes for when the app is lost. Only their hashes are stored, each until the code is used.
CREATE TABLE recovery_codes (
    player TEXT NOT NULL REFERENCES second_factors (player) ON DELETE CASCADE,
    code BLOB NOT NULL,
    PRIMARY KEY (player, code)
) STRICT, WITHOUT ROWID;
