-- Processes that only compute, each with its lease, as in `nodes`.
CREATE TABLE workers (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    address text NOT NULL,
    seen_at bigint NOT NULL,
    valid_until bigint NOT NULL
);

-- Long computations, which any process can carry out. The id is a hash of `kind` and `body`. `worker` is the node or worker that has
-- claimed the job; the claim ends with its lease.
CREATE TABLE jobs (
    id bytea NOT NULL PRIMARY KEY CHECK (octet_length(id) = 32),
    kind text COLLATE "C" NOT NULL,
    body text NOT NULL,
    asked_at bigint NOT NULL,
    wanted_until bigint NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    worker text COLLATE "C",
    result text
);
CREATE INDEX jobs_open ON jobs (asked_at, id) WHERE result IS NULL;
CREATE INDEX jobs_wanted ON jobs (wanted_until);

-- A reminder that is still to be sent has a sender: the node or worker that has claimed it, or the empty string if none has. A reminder
-- whose sender is NULL has been sent; the previous release adds only such rows.
ALTER TABLE reminders ADD COLUMN sender text COLLATE "C";
CREATE INDEX reminders_due ON reminders (player, game) WHERE sender IS NOT NULL;
