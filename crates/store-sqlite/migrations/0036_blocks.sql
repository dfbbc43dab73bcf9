-- Players who have blocked others.
CREATE TABLE blocks (
    player TEXT NOT NULL,
    blocked TEXT NOT NULL,
    blocked_at INTEGER NOT NULL,
    PRIMARY KEY (player, blocked)
) STRICT, WITHOUT ROWID;

CREATE INDEX blocks_by_blocked ON blocks (blocked);

-- Who may see whether the player is here.
ALTER TABLE accounts ADD COLUMN shown_to TEXT NOT NULL DEFAULT 'everybody'
    CHECK (shown_to IN ('everybody', 'members', 'nobody'));
