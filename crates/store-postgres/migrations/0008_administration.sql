-- The roles and states of accounts, and the teacher and class of a pupil's account.
ALTER TABLE accounts
    ADD COLUMN role text CHECK (role IN ('administrator', 'moderator', 'teacher', 'arbiter')),
    ADD COLUMN state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'pending', 'closed')),
    ADD COLUMN silenced_until bigint,
    ADD COLUMN teacher text COLLATE "C",
    ADD COLUMN class text;
CREATE INDEX accounts_role ON accounts (role) WHERE role IS NOT NULL;
CREATE INDEX accounts_state ON accounts (state) WHERE state <> 'open';
CREATE INDEX accounts_teacher ON accounts (teacher) WHERE teacher IS NOT NULL;

-- Whether the link was mailed to the account's address. Only such a link confirms the address; one that an administrator hands over does
-- not.
ALTER TABLE recoveries ADD COLUMN was_mailed boolean NOT NULL DEFAULT true;

-- What was done about a report.
ALTER TABLE reports
    ADD COLUMN handled_at bigint,
    ADD COLUMN handled_by text COLLATE "C",
    ADD COLUMN outcome text CHECK (outcome IN ('upheld', 'dismissed')),
    ADD COLUMN note text;
CREATE INDEX reports_open ON reports (at) WHERE handled_at IS NULL;

-- Invitations to register, or to claim a role with an existing account. If `is_first` is set, the invitation is valid only until the
-- house has an administrator.
CREATE TABLE house_invitations (
    token bytea NOT NULL PRIMARY KEY,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    uses bigint NOT NULL,
    is_first boolean NOT NULL,
    role text CHECK (role IN ('administrator', 'moderator', 'teacher', 'arbiter'))
);

-- The house's settings and text pages, by name.
CREATE TABLE documents (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    body text NOT NULL
);

-- The log of administrative actions. `head` is a hash of the log up to and including this entry, computed from the
-- number, time and body of each entry.
CREATE TABLE audit (
    number bigint NOT NULL PRIMARY KEY,
    happened bigint NOT NULL,
    body text NOT NULL,
    head bytea NOT NULL
);
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an entry of the audit log cannot be changed or deleted';
END
$$;
CREATE TRIGGER audit_is_not_changed BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
