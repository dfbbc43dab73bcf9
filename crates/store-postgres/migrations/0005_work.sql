-- Processes that only compute, each with its lease, as in `nodes`.
CREATE TABLE workers (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    address text NOT NULL,
    seen_at bigint NOT NULL,
    valid_until bigint NOT NULL
);

-- What computes for long and is done by any process. The id is a hash of kind and body. `worker` is the node or worker that has
-- claimed it, for as long as its lease holds.
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

-- A reminder that is to be sent has a sender: the node that has claimed it, or nobody, which is the empty text. One without a sender
-- was sent; the release before this one adds only such rows.
ALTER TABLE reminders ADD COLUMN sender text COLLATE "C";
CREATE INDEX reminders_due ON reminders (player, game) WHERE sender IS NOT NULL;
