-- When the last server's host was booted, by the host's clock. If the clock is set while the host is running, this time changes.
CREATE TABLE boot (
    only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
    id TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
