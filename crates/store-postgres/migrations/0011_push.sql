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

-- The last turn of a game of whose deadline its player was warned, as the number of turns before it.
CREATE TABLE warnings (
    game text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    turn bigint NOT NULL
);
