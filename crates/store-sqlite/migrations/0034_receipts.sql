-- The index of receipts by game added one more page to write for each turn. Without it, the server searches for the receipts of deleted
-- games after a deletion, and the foreign key must not make SQLite search for them as well. The constraint is removed by editing the
-- schema, which SQLite's documentation of ALTER TABLE allows if no row changes; so millions of rows need not be copied.
DROP INDEX commands_game;
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, ' REFERENCES games (id)', '') WHERE type = 'table' AND name = 'commands';
PRAGMA writable_schema = RESET;
