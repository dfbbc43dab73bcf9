-- The result of a game, as a column, so that no statement has to read it from a JSON document. The summary keeps only what no column
-- contains, and the number of its own format.
ALTER TABLE games ADD COLUMN result TEXT CHECK (result IN ('1-0', '0-1', '1/2-1/2', '*'));
-- `json_patch` leaves out null values, such as `reason` while a game is in progress.
UPDATE games SET
    result = json_extract(summary, '$.status.result'),
    summary = json_patch(
        json_object('schema', 2, 'players', json(json_extract(summary, '$.players'))),
        json_object(
            'reason', json_extract(summary, '$.status.reason'),
            'plies', json_extract(summary, '$.plies'),
            'timeControl', json(coalesce(json_extract(summary, '$.timeControl'), '{"type":"unlimited"}')),
            'touchMove', json(iif(json_extract(summary, '$.touchMove'), 'true', 'false'))
        )
    )
    WHERE json_valid(summary) AND json_extract(summary, '$.players') IS NOT NULL;
