-- When the machine of the last server was booted, by its clock: if the clock is set while the machine runs, that changes.
CREATE TABLE boot (
    only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
    id TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
