-- Reported lines as they were reported, with what was said before and after: the house's record, which outlives the account and the
-- game of the line until it is old enough. `said` is a list of lines, as JSON; `name` is that of the line's author at that time.
CREATE TABLE reported (
    line INTEGER NOT NULL,
    player TEXT NOT NULL,
    game TEXT NOT NULL,
    room TEXT NOT NULL,
    reason TEXT NOT NULL,
    author TEXT NOT NULL,
    name TEXT,
    said TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (line, player)
) STRICT;

INSERT INTO reported (line, player, game, room, reason, author, name, said, at)
    SELECT chat.id, reports.player, chat.game, chat.room, reports.reason, chat.player, accounts.name,
        json_array(json_object('id', chat.id, 'room', chat.room, 'player', chat.player, 'color', chat.color,
            'text', chat.text, 'at', chat.at)), reports.at
    FROM reports JOIN chat ON chat.id = reports.line LEFT JOIN accounts ON accounts.player = chat.player;

DROP TABLE reports;
ALTER TABLE reported RENAME TO reports;

CREATE INDEX reports_at ON reports (at);
