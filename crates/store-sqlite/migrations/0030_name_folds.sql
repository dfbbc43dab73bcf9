-- Skeletons now also fold letters whose folded form is more than one letter, such as ß (ss). When the server starts, it recomputes
-- the skeletons of all names that are not ASCII, because SQL cannot.
UPDATE accounts SET skeleton = NULL WHERE name GLOB '*[^ -~]*';
