-- Skeletons now also fold letters whose folded form is more than one letter, such as ß (ss). When the server starts, it computes the
-- skeletons of all names that are not ASCII again, because SQL cannot.
UPDATE accounts SET skeleton = NULL WHERE name GLOB '*[^ -~]*';
