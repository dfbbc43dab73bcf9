-- Used to find the rows that are deleted with a game.
CREATE INDEX commands_game ON commands (game);
CREATE INDEX invitations_game ON invitations (game);

-- Rows that are old enough to be deleted.
CREATE INDEX games_unjoined ON games (created_at) WHERE phase = 'waiting';
CREATE INDEX games_finished ON games (updated_at) WHERE phase = 'over';
CREATE INDEX reports_at ON reports (at);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX recoveries_expiry ON recoveries (expires_at);

-- Used to read a player's chat messages and analyses, a page at a time.
CREATE INDEX chat_player ON chat (player, id);
CREATE INDEX analyses_player ON analyses (player, changed_at);
