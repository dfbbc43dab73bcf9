-- Has a row from the start of a copy into this file until the finished copy is opened: the id of the copied house, and the source location.
CREATE TABLE copied_from (
    only_row INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
    house BLOB NOT NULL,
    place TEXT NOT NULL,
    is_finished INTEGER NOT NULL CHECK (is_finished IN (0, 1))
) STRICT;
