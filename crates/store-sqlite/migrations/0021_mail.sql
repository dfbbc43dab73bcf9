-- Until the owner of an address has confirmed it, only confirmation links are sent to it. Addresses from before confirmation was
-- required are marked: recovery links may still be sent to them, so that nobody is locked out.
ALTER TABLE accounts ADD COLUMN email_confirmed INTEGER NOT NULL DEFAULT 0 CHECK (email_confirmed IN (0, 1));
ALTER TABLE accounts ADD COLUMN email_from_before INTEGER NOT NULL DEFAULT 0 CHECK (email_from_before IN (0, 1));
ALTER TABLE accounts ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN reminders INTEGER NOT NULL DEFAULT 1 CHECK (reminders IN (0, 1));
UPDATE accounts SET email_from_before = 1 WHERE email IS NOT NULL;

-- Links to confirm an address. Only their hashes are stored, as for recovery links.
CREATE TABLE confirmations (
    token BLOB NOT NULL PRIMARY KEY,
    player TEXT NOT NULL REFERENCES accounts (player),
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- E-mails sent in the last day, each with a hash of its recipient. They limit how many more may be sent to the same recipient.
CREATE TABLE mails (
    id INTEGER NOT NULL PRIMARY KEY,
    recipient BLOB NOT NULL,
    pool TEXT NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE INDEX mails_recipient ON mails (recipient, pool);
CREATE INDEX mails_at ON mails (at);

-- Games of which a player was reminded, and which the player has not opened since.
CREATE TABLE reminders (
    player TEXT NOT NULL REFERENCES accounts (player),
    game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    PRIMARY KEY (player, game)
) STRICT, WITHOUT ROWID;
