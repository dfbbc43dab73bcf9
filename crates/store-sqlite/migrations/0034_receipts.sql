-- An index of receipts by game was one more page to write for each turn. Instead, the receipts of deleted games are searched for after a
-- deletion, and no foreign key makes SQLite search for them on its own. The constraint is removed as SQLite's documentation of ALTER TABLE
-- allows where nothing in the table changes, so that millions of rows are not copied.
DROP INDEX commands_game;
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, ' REFERENCES games (id)', '') WHERE type = 'table' AND name = 'commands';
PRAGMA writable_schema = RESET;
