-- The secret that an account shares with an app (RFC 6238). It counts once a code of the app was seen: from then on there is the time of the
-- last code that was spent, so that no code opens twice.
CREATE TABLE second_factors (
    player TEXT NOT NULL PRIMARY KEY REFERENCES accounts (player),
    secret BLOB NOT NULL,
    spent_at INTEGER
) STRICT, WITHOUT ROWID;

-- Codes for when the app is lost; only their hashes, and each until it is used.
CREATE TABLE recovery_codes (
    player TEXT NOT NULL REFERENCES second_factors (player) ON DELETE CASCADE,
    code BLOB NOT NULL,
    PRIMARY KEY (player, code)
) STRICT, WITHOUT ROWID;
