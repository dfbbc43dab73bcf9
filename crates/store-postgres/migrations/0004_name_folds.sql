-- The skeletons of names now also fold letters whose other case has several letters, such as ß and SS. When the server starts, it
-- recomputes the skeletons of all names with characters other than ASCII, because SQL cannot.
UPDATE accounts SET skeleton = NULL WHERE name ~ '[^ -~]';
