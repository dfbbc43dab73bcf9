-- Reported chat messages, with the messages before and after. A report is kept until it is old enough to be deleted, even if the account
-- or the game is deleted earlier. `said` is a list of messages, as JSON; `name` is the author's name at the time of the report.
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
