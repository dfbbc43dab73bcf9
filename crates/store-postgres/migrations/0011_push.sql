-- Browsers to which notifications are pushed, each until its session ends.
CREATE TABLE push_subscriptions (
    session text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    player text COLLATE "C" NOT NULL,
    endpoint text COLLATE "C" NOT NULL UNIQUE,
    p256dh bytea NOT NULL,
    auth bytea NOT NULL,
    created_at bigint NOT NULL
);

CREATE INDEX push_subscriptions_by_player ON push_subscriptions (player);

-- For each game, the last turn whose deadline the player to move has been warned of. `turn` is the number of turns before it.
CREATE TABLE warnings (
    game text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    turn bigint NOT NULL
);
