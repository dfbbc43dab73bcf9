-- An address gets nothing but a link to confirm it before its owner has done so. Addresses that were there before links were
-- asked for are marked: a link to recover the account may go there, as before, so that nobody is locked out.
ALTER TABLE accounts ADD COLUMN email_confirmed INTEGER NOT NULL DEFAULT 0 CHECK (email_confirmed IN (0, 1));
ALTER TABLE accounts ADD COLUMN email_from_before INTEGER NOT NULL DEFAULT 0 CHECK (email_from_before IN (0, 1));
ALTER TABLE accounts ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN reminders INTEGER NOT NULL DEFAULT 1 CHECK (reminders IN (0, 1));
UPDATE accounts SET email_from_before = 1 WHERE email IS NOT NULL;

-- Links to confirm an address; as of those to recover an account, only their hashes.
CREATE TABLE confirmations (
    token BLOB NOT NULL PRIMARY KEY,
    player TEXT NOT NULL REFERENCES accounts (player),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Mails of the last day, by a hash of whom they went to: how many more may go there.
CREATE TABLE mails (
    id INTEGER NOT NULL PRIMARY KEY,
    recipient BLOB NOT NULL,
    pool TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX mails_recipient ON mails (recipient, pool);
CREATE INDEX mails_at ON mails (at);

-- Games of which a player was reminded, and has not looked since.
CREATE TABLE reminders (
    player TEXT NOT NULL REFERENCES accounts (player),
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    PRIMARY KEY (player, game)
) STRICT, WITHOUT ROWID;
