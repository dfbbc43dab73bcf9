-- The id of the house that is copied into this database, and the location of the source. The row exists from the start of the copy until
-- a server opens the finished copy.
CREATE TABLE copied_from (
    only_row boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (only_row),
    house bytea NOT NULL,
    place text NOT NULL,
    is_finished boolean NOT NULL
);

-- Token buckets that all nodes share. `full_at` is when the bucket is full again, in microseconds since 1970. `max_ahead` is the maximum
-- number of microseconds by which `full_at` could be ahead of the clock when tokens were last taken. The table is not logged, so that
-- counting a wrong password does not wait for the disk. All buckets are therefore full after the database crashes.
CREATE UNLOGGED TABLE limits (
    bucket bytea NOT NULL PRIMARY KEY,
    full_at bigint NOT NULL,
    max_ahead bigint NOT NULL
);
CREATE INDEX limits_full_at ON limits (full_at);
