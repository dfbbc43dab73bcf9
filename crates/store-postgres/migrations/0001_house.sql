-- Times are milliseconds since 1970 (UTC). Ids are compared by their bytes (COLLATE "C"), as in the program.

-- Identifies the database.
CREATE TABLE house (
    only_row boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (only_row),
    id uuid NOT NULL DEFAULT gen_random_uuid()
);
INSERT INTO house DEFAULT VALUES;

CREATE TABLE secrets (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    value bytea NOT NULL
);

-- The log is in `events`. The columns of `games` are derived from it and written with it, except those that are set
-- when the game is created, and `thinking_node` and `thinking_version`. Each turn rewrites a row of `games`, so some
-- space is left free in each page.
CREATE TABLE games (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    version bigint NOT NULL CHECK (version > 0),
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    deadline bigint,
    match_number integer,
    awaits_machine smallint,
    public boolean NOT NULL,
    phase text NOT NULL CHECK (phase IN ('waiting', 'playing', 'over')),
    turn text CHECK (turn IN ('white', 'black')),
    result text CHECK (result IN ('1-0', '0-1', '1/2-1/2', '*')),
    variant text COLLATE "C" NOT NULL,
    match_id text COLLATE "C",
    -- The node or worker that has claimed the machine's turn, and the version of the game at that time.
    thinking_node text COLLATE "C",
    thinking_version bigint,
    -- The head of a chain of hashes over the log.
    chain bytea NOT NULL CHECK (octet_length(chain) = 32),
    -- Text that only the server understands.
    summary text NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- For due games, public lists and matches.
CREATE INDEX games_awaiting_machine ON games (updated_at, id) WHERE awaits_machine IS NOT NULL;
CREATE INDEX games_deadline ON games (deadline) WHERE deadline IS NOT NULL;
CREATE INDEX games_public ON games (created_at) WHERE public AND phase = 'playing';
CREATE INDEX games_match ON games (match_id, match_number, created_at) WHERE match_id IS NOT NULL;
-- Games that may be old enough to be deleted.
CREATE INDEX games_unjoined ON games (created_at) WHERE phase = 'waiting';
CREATE INDEX games_finished ON games (updated_at) WHERE phase = 'over';

-- There is no foreign key to `games`, because it would cost a lookup per event. None is needed: the row of the game is locked whenever
-- events or receipts are added or deleted. The table is partitioned by game so that partitions can be moved to other servers later.
CREATE TABLE events (
    game text COLLATE "C" NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    at bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (game, version)
) PARTITION BY HASH (game);

-- Receipts. The key starts with the player, so that no player can find or block the commands of another.
CREATE TABLE commands (
    player text COLLATE "C" NOT NULL,
    id uuid NOT NULL,
    game text COLLATE "C" NOT NULL,
    answer text NOT NULL,
    PRIMARY KEY (player, id)
) PARTITION BY HASH (player);
CREATE INDEX commands_game ON commands (game);

DO $$
BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE events_%s PARTITION OF events FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
        EXECUTE format('CREATE TABLE commands_%s PARTITION OF commands FOR VALUES WITH (MODULUS 16, REMAINDER %s)', part, part);
    END LOOP;
END
$$;

CREATE TABLE seats (
    player text COLLATE "C" NOT NULL,
    game text COLLATE "C" NOT NULL REFERENCES games (id),
    color text NOT NULL CHECK (color IN ('white', 'black')),
    PRIMARY KEY (player, game),
    UNIQUE (game, color)
);

CREATE TABLE invitations (
    token text COLLATE "C" NOT NULL PRIMARY KEY,
    game text COLLATE "C" NOT NULL REFERENCES games (id)
);
CREATE INDEX invitations_game ON invitations (game);

CREATE TABLE matches (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    body text NOT NULL
);

-- The row of a deleted account remains, with little more than the player's id, so that an old cookie does not revive the account.
CREATE TABLE accounts (
    player text COLLATE "C" NOT NULL PRIMARY KEY,
    created_at bigint NOT NULL,
    email_confirmed boolean NOT NULL DEFAULT false,
    email_from_before boolean NOT NULL DEFAULT false,
    reminders boolean NOT NULL DEFAULT true,
    language text NOT NULL DEFAULT '',
    name text,
    name_key text COLLATE "C" UNIQUE,
    -- Names that look alike have the same skeleton.
    skeleton text COLLATE "C",
    password text,
    email text
);
CREATE INDEX accounts_skeleton ON accounts (skeleton) WHERE skeleton IS NOT NULL;
CREATE INDEX accounts_unlooked ON accounts (player) WHERE skeleton IS NULL AND name IS NOT NULL;

-- Salted hashes of the names of deleted accounts. These names cannot be registered for a while.
CREATE TABLE retired_names (
    mark bytea NOT NULL PRIMARY KEY,
    until bigint NOT NULL
);
CREATE INDEX retired_names_until ON retired_names (until);

-- Only the hashes of tokens and codes are stored, so someone who reads the tables cannot use them.
CREATE TABLE sessions (
    token bytea NOT NULL PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    player text COLLATE "C" NOT NULL REFERENCES accounts (player),
    created_at bigint NOT NULL,
    used_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    agent text NOT NULL
);
CREATE INDEX sessions_player ON sessions (player);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE recoveries (
    token bytea NOT NULL PRIMARY KEY,
    player text COLLATE "C" NOT NULL REFERENCES accounts (player),
    expires_at bigint NOT NULL
);
CREATE INDEX recoveries_player ON recoveries (player);
CREATE INDEX recoveries_expiry ON recoveries (expires_at);

CREATE TABLE confirmations (
    token bytea NOT NULL PRIMARY KEY,
    player text COLLATE "C" NOT NULL REFERENCES accounts (player),
    expires_at bigint NOT NULL
);
CREATE INDEX confirmations_player ON confirmations (player);

-- The secret that an account shares with an app (RFC 6238). It takes effect once a code from the app has been confirmed. From then on,
-- `spent_at` is the time of the last code used, so that no code is accepted twice.
CREATE TABLE second_factors (
    player text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES accounts (player),
    secret bytea NOT NULL,
    spent_at bigint
);

CREATE TABLE recovery_codes (
    player text COLLATE "C" NOT NULL REFERENCES second_factors (player) ON DELETE CASCADE,
    code bytea NOT NULL,
    PRIMARY KEY (player, code)
);

-- E-mails and notifications sent in the last day, each with a hash of its recipient.
CREATE TABLE mails (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    recipient bytea NOT NULL,
    pool text NOT NULL,
    kind text NOT NULL
);
CREATE INDEX mails_recipient ON mails (recipient, pool);
CREATE INDEX mails_at ON mails (at);

-- Games of which a player has been reminded, and which the player has not viewed since.
CREATE TABLE reminders (
    player text COLLATE "C" NOT NULL REFERENCES accounts (player),
    game text COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    PRIMARY KEY (player, game)
);
CREATE INDEX reminders_game ON reminders (game);

CREATE TABLE proposals (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    player text COLLATE "C" NOT NULL,
    recipient text COLLATE "C",
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    body text NOT NULL
);
CREATE INDEX proposals_expiry ON proposals (expires_at);
CREATE INDEX proposals_player ON proposals (player);
CREATE INDEX proposals_recipient ON proposals (recipient) WHERE recipient IS NOT NULL;

CREATE TABLE chat (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    at bigint NOT NULL,
    command uuid NOT NULL,
    game text COLLATE "C" NOT NULL REFERENCES games (id),
    room text NOT NULL CHECK (room IN ('players', 'watchers')),
    player text COLLATE "C" NOT NULL,
    color text CHECK (color IN ('white', 'black')),
    text text NOT NULL,
    UNIQUE (player, command)
);
CREATE INDEX chat_room ON chat (game, room, id);
CREATE INDEX chat_player ON chat (player, id);

-- Reported chat lines, with the lines before and after each. This record outlives the author's account and the game; it is deleted when
-- it is old enough. `name` is the name that the line's author had when the line was reported.
CREATE TABLE reports (
    line bigint NOT NULL,
    at bigint NOT NULL,
    player text COLLATE "C" NOT NULL,
    game text COLLATE "C" NOT NULL,
    room text NOT NULL,
    author text COLLATE "C" NOT NULL,
    name text,
    reason text NOT NULL,
    said jsonb NOT NULL,
    PRIMARY KEY (line, player)
);
CREATE INDEX reports_at ON reports (at);

-- Problems composed by visitors. A withdrawn problem leaves its command behind, so that a late repeat of the command does not
-- restore the problem.
CREATE TABLE problems (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    created_at bigint NOT NULL,
    command uuid NOT NULL,
    owner text COLLATE "C" NOT NULL REFERENCES accounts (player),
    variant text COLLATE "C" NOT NULL,
    position text COLLATE "C",
    title text,
    document text,
    UNIQUE (owner, command),
    CHECK ((position IS NULL) = (document IS NULL))
);
CREATE UNIQUE INDEX problems_position ON problems (variant, position) WHERE position IS NOT NULL;
CREATE INDEX problems_listed ON problems (created_at, id) WHERE document IS NOT NULL;
CREATE INDEX problems_variant ON problems (variant, created_at, id) WHERE document IS NOT NULL;
CREATE INDEX problems_owner ON problems (owner, created_at, id) WHERE document IS NOT NULL;

-- Each account's first attempt at each problem. In each variant, the attempt with the highest `number` holds the account's standing.
CREATE TABLE tries (
    player text COLLATE "C" NOT NULL REFERENCES accounts (player),
    variant text COLLATE "C" NOT NULL,
    problem text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    command uuid NOT NULL,
    number integer NOT NULL,
    before integer NOT NULL,
    after integer NOT NULL,
    streak integer NOT NULL,
    solved boolean NOT NULL,
    PRIMARY KEY (player, variant, problem),
    UNIQUE (player, variant, number)
);

-- Analyses saved by accounts.
CREATE TABLE analyses (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    changed_at bigint NOT NULL,
    command uuid NOT NULL,
    player text COLLATE "C" NOT NULL REFERENCES accounts (player),
    variant text COLLATE "C" NOT NULL,
    name text NOT NULL,
    body text NOT NULL,
    UNIQUE (player, command)
);
CREATE INDEX analyses_player ON analyses (player, changed_at);

-- The time of the last heartbeat, and the periods in which no server was running.
CREATE TABLE heartbeat (
    only_row boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (only_row),
    at bigint NOT NULL
);

CREATE TABLE downtimes (
    from_at bigint NOT NULL PRIMARY KEY,
    until_at bigint NOT NULL CHECK (until_at > from_at)
);

-- When the last server's host was booted, by the host's clock.
CREATE TABLE boot (
    only_row boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (only_row),
    id text NOT NULL,
    at bigint NOT NULL
);

-- The processes that serve the house, each with its lease. `taken_by` is the node that takes over the work of this one after its death.
CREATE TABLE nodes (
    id text COLLATE "C" NOT NULL PRIMARY KEY,
    address text NOT NULL,
    seen_at bigint NOT NULL,
    valid_until bigint NOT NULL,
    taken_by text COLLATE "C"
);

-- Players, by the node to which they are or were connected. `away_since` is NULL while they are connected.
CREATE TABLE presence (
    game text COLLATE "C" NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    color text NOT NULL CHECK (color IN ('white', 'black')),
    node text COLLATE "C" NOT NULL,
    away_since bigint,
    PRIMARY KEY (game, color, node)
);
CREATE INDEX presence_node ON presence (node);
