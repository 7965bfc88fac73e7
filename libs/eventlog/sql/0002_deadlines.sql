-- What happens by itself: the next deadline of each stream, written by the append that made it so.

CREATE TABLE deadlines (
    partition smallint    NOT NULL,
    stream    text        NOT NULL COLLATE "C",
    due_at    timestamptz NOT NULL,
    retry_at  timestamptz NOT NULL,
    attempts  integer     NOT NULL DEFAULT 0,
    PRIMARY KEY (partition, stream)
) WITH (fillfactor = 70);

COMMENT ON TABLE deadlines IS 'One row for each stream in which something will happen by itself.';
COMMENT ON COLUMN deadlines.retry_at IS 'When a replica may next take it: the due time, and later after each try.';

CREATE INDEX deadlines_retry ON deadlines (retry_at);

-- Take overdue deadlines of a category: committed before any of them is decided, so that no lock outlives this
-- statement, and never waiting for a row that an append or another replica holds.
CREATE FUNCTION claim_overdue(of_category text, overdue interval, most integer)
    RETURNS TABLE (stream text, due_at timestamptz, attempts integer)
    LANGUAGE sql AS $$
    WITH taken AS (
        SELECT d.partition, d.stream
        FROM deadlines d
        WHERE d.retry_at < clock_timestamp() - overdue
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
