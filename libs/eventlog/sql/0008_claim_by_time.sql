-- A claim reads overdue deadlines alone. Before, its bound was a time that changes while the statement runs, which no
-- index can be asked for: every claim walked over the deadlines of all running streams.

CREATE OR REPLACE FUNCTION claim_overdue(of_category text, overdue interval, most integer)
    RETURNS TABLE (stream text, due_at timestamptz, attempts integer)
    LANGUAGE sql AS $$
    WITH taken AS (
        SELECT d.partition, d.stream
        FROM deadlines d
        WHERE d.retry_at < statement_timestamp() - overdue
          AND split_part(d.stream, '-', 1) = of_category
        ORDER BY d.retry_at
        LIMIT most
        FOR UPDATE SKIP LOCKED
    )
    UPDATE deadlines d
    SET attempts = d.attempts + 1,
        retry_at = clock_timestamp() + make_interval(secs => least(60, 2 ^ least(d.attempts + 1, 10)))
    FROM taken
    WHERE d.partition = taken.partition AND d.stream = taken.stream
    RETURNING d.stream, d.due_at, d.attempts
$$;
