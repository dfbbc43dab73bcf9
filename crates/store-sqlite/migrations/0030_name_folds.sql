-- Skeletons of names also fold letters that differ in case by more than one letter, such as ß and ss. The server computes those of names with
-- such letters again when it starts, because SQL cannot.
UPDATE accounts SET skeleton = NULL WHERE name GLOB '*[^ -~]*';
