-- Present from the start of a copy into this database until the finished copy is opened: the id of the house that is copied, and where from.
CREATE TABLE copied_from (
    only_row boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (only_row),
    house bytea NOT NULL,
    place text NOT NULL,
    is_finished boolean NOT NULL
);

-- Token buckets that all nodes share: when each is full again, in microseconds since 1970. `max_ahead` is how far ahead that may be after
-- the last attempt to take from it. Not logged, so that counting a wrong password does not wait for the disk: after a crash of the
-- database, all buckets are full.
CREATE UNLOGGED TABLE limits (
    bucket bytea NOT NULL PRIMARY KEY,
    full_at bigint NOT NULL,
    max_ahead bigint NOT NULL
);
CREATE INDEX limits_full_at ON limits (full_at);
