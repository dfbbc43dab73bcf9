-- Players who have blocked others.
CREATE TABLE blocks (
    player text COLLATE "C" NOT NULL,
    blocked text COLLATE "C" NOT NULL,
    blocked_at bigint NOT NULL,
    PRIMARY KEY (player, blocked)
);

CREATE INDEX blocks_by_blocked ON blocks (blocked);

-- Who may see whether the player is here.
ALTER TABLE accounts ADD COLUMN shown_to text COLLATE "C" NOT NULL DEFAULT 'everybody'
    CHECK (shown_to IN ('everybody', 'members', 'nobody'));
