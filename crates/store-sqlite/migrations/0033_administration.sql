-- Roles, the state of accounts, and the pupils for whom a teacher has made accounts.
ALTER TABLE accounts ADD COLUMN role TEXT CHECK (role IN ('administrator', 'moderator', 'teacher', 'arbiter'));
ALTER TABLE accounts ADD COLUMN state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'pending', 'closed'));
ALTER TABLE accounts ADD COLUMN silenced_until INTEGER;
ALTER TABLE accounts ADD COLUMN teacher TEXT;
ALTER TABLE accounts ADD COLUMN class TEXT;
CREATE INDEX accounts_role ON accounts (role) WHERE role IS NOT NULL;
CREATE INDEX accounts_state ON accounts (state) WHERE state <> 'open';
CREATE INDEX accounts_teacher ON accounts (teacher) WHERE teacher IS NOT NULL;

-- Whether a link was sent to the address of the account. A link that an administrator hands over does not confirm the address.
ALTER TABLE recoveries ADD COLUMN was_mailed INTEGER NOT NULL DEFAULT 1 CHECK (was_mailed IN (0, 1));

-- What was done about a report.
ALTER TABLE reports ADD COLUMN handled_at INTEGER;
ALTER TABLE reports ADD COLUMN handled_by TEXT;
ALTER TABLE reports ADD COLUMN outcome TEXT CHECK (outcome IN ('upheld', 'dismissed'));
ALTER TABLE reports ADD COLUMN note TEXT;
CREATE INDEX reports_open ON reports (at) WHERE handled_at IS NULL;

-- Invitations to register. One for the first administrator is valid only while there is no administrator.
CREATE TABLE house_invitations (
    token BLOB NOT NULL PRIMARY KEY,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    uses INTEGER NOT NULL,
    is_first INTEGER NOT NULL CHECK (is_first IN (0, 1)),
    role TEXT CHECK (role IN ('administrator', 'moderator', 'teacher', 'arbiter'))
) STRICT, WITHOUT ROWID;

-- The settings of the house and its pages of text, by name.
CREATE TABLE documents (
    name TEXT NOT NULL PRIMARY KEY,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The log of administrative acts. `head` is a hash of the number, time and body of this entry and all earlier ones. Therefore the time
-- is never changed afterwards, not even by a clock reset.
CREATE TABLE audit (
    number INTEGER NOT NULL PRIMARY KEY,
    happened INTEGER NOT NULL,
    body TEXT NOT NULL,
    head BLOB NOT NULL
) STRICT;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN
    SELECT RAISE(ABORT, 'an entry of the audit log cannot be changed');
END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit BEGIN
    SELECT RAISE(ABORT, 'an entry of the audit log cannot be deleted');
END;
