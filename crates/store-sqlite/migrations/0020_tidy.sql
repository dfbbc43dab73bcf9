-- What is deleted with a game is found by the game.
CREATE INDEX commands_game ON commands (game);
CREATE INDEX invitations_game ON invitations (game);

-- What is old enough to be deleted.
CREATE INDEX games_unjoined ON games (created_at) WHERE phase = 'waiting';
CREATE INDEX games_finished ON games (updated_at) WHERE phase = 'over';
CREATE INDEX reports_at ON reports (at);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX recoveries_expiry ON recoveries (expires_at);

-- What a player has said is found by the player, a page at a time.
CREATE INDEX chat_player ON chat (player, id);
CREATE INDEX analyses_player ON analyses (player, changed_at);
