-- Browsers to which notifications are pushed, each until its session ends.
CREATE TABLE push_subscriptions (
    session TEXT NOT NULL PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    player TEXT NOT NULL,
    endpoint TEXT NOT NULL UNIQUE,
    p256dh BLOB NOT NULL,
    auth BLOB NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX push_subscriptions_by_player ON push_subscriptions (player);

-- The last turn whose player was warned of its deadline. `turn` is the number of turns before it.
CREATE TABLE warnings (
    game TEXT NOT NULL PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    turn INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
