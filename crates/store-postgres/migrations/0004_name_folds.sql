-- In skeletons, letters whose upper-case form has several letters, such as ß (SS), are now folded too. When the server starts, it
-- recomputes the skeletons of all names with characters other than ASCII, because SQL cannot.
UPDATE accounts SET skeleton = NULL WHERE name ~ '[^ -~]';
