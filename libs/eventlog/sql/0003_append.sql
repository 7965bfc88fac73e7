-- The append: one call for each group commit.
--
-- `writes` is one JSON document, an array of arrays, one for each stream that a command writes to (objects with names
-- cost twice the time to take apart, typed arrays five times):
--     [command, place, id, hash, actor, correlation, causation, trace,
--      stream, partition, expected, due, state_hash, ends, [[type, schema, payload, subject, data], ...]]
-- `command` numbers the commands and `place` the streams of one, both from 0; bytes are hex text; what there is not is
-- null. `partitions` are those of the streams. No stream stands twice in the document. One row comes back for each
-- write, in order. Its outcome is its command's: all of a command is appended or nothing.
--     appended   `from_version`, `to_version`, and the last position
--     duplicate  the id was appended before with this hash: `from_version` and `to_version` are the first outcome's
--     mismatch   the id was appended before with another hash, or to other streams
--     conflict   `from_version` is what was expected and `to_version` what the stream is at; a write of the command
--                whose stream is where it was expected shows the same twice
--
-- Each statement of the body takes a new snapshot, so what follows the lock sees what the lock waited for. In one plain
-- statement it would not.

CREATE FUNCTION append(writes jsonb, partitions smallint[])
    RETURNS TABLE (
        command integer, outcome text, from_version integer, to_version integer, last_position bigint,
        recorded_at timestamptz
    )
    LANGUAGE plpgsql
    -- Planning costs a lone append more than running does, and the one plan must not depend on what the statistics
    -- said when the tables were empty: always look up by index.
    SET plan_cache_mode = force_generic_plan
    SET enable_seqscan = off
    SET enable_hashjoin = off
    SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
    moment timestamptz;
BEGIN
    -- Whoever appends to a partition waits here, in the same order everywhere.
    PERFORM FROM partition_counters c WHERE c.partition = ANY (partitions) ORDER BY c.partition FOR UPDATE;
    moment := clock_timestamp();

    RETURN QUERY
    WITH
    given AS MATERIALIZED (
        SELECT (w ->> 0)::integer AS command, (w ->> 1)::integer AS place, w ->> 2 AS id, decode(w ->> 3, 'hex') AS hash,
               w ->> 4 AS actor, w ->> 5 AS correlation, w ->> 6 AS causation, w ->> 7 AS trace,
               w ->> 8 AS stream, (w ->> 9)::smallint AS partition, (w ->> 10)::integer AS expected,
               (w ->> 11)::timestamptz AS due, decode(w ->> 12, 'hex') AS state_hash, (w ->> 13)::boolean AS ends,
               w -> 14 AS events
        FROM jsonb_array_elements(writes) AS w
    ),
    looked_up AS (
        SELECT g.*, coalesce(head.version, 0) AS head, known.version AS known, known.body_hash = g.hash AS same
        FROM given g
        LEFT JOIN LATERAL (
            SELECT e.version FROM events e
            WHERE e.partition = g.partition AND e.stream = g.stream
            ORDER BY e.version DESC LIMIT 1
        ) AS head ON true
        LEFT JOIN LATERAL (
            SELECT e.version, e.body_hash FROM events e
            WHERE e.partition = g.partition AND e.stream = g.stream AND e.command_id = g.id LIMIT 1
        ) AS known ON true
    ),
    judged AS (
        SELECT l.*, jsonb_array_length(l.events) AS size,
               CASE WHEN bool_and(l.known IS NOT NULL AND l.same) OVER one_command THEN 'duplicate'
                    WHEN bool_or(l.known IS NOT NULL) OVER one_command THEN 'mismatch'
                    WHEN bool_or(l.head <> l.expected) OVER one_command THEN 'conflict'
                    ELSE 'appended' END AS outcome
        FROM looked_up l
        WINDOW one_command AS (PARTITION BY l.command)
    ),
    write AS MATERIALIZED (
        SELECT j.*,
               (SELECT c.position FROM partition_counters c WHERE c.partition = j.partition)
               + sum(j.size) FILTER (WHERE j.outcome = 'appended') OVER (
                   PARTITION BY j.partition ORDER BY j.command, j.place
               ) AS last_position
        FROM judged j
    ),
    inserted AS (
        INSERT INTO events (
            partition, position, stream, version, type, schema_version, payload, public_subject, public_data,
            command_id, body_hash, actor, correlation_id, causation_id, trace, state_hash, ends_stream, recorded_at
        )
        SELECT w.partition, w.last_position - w.size + e.place, w.stream, w.expected + e.place,
               event ->> 0, (event ->> 1)::smallint, event -> 2, event ->> 3, decode(event ->> 4, 'hex'),
               CASE WHEN e.place = 1 THEN w.id END, CASE WHEN e.place = 1 THEN w.hash END,
               w.actor, w.correlation, w.causation, w.trace,
               CASE WHEN e.place = w.size THEN w.state_hash END, e.place = w.size AND w.ends, moment
        FROM write w
        CROSS JOIN jsonb_array_elements(w.events) WITH ORDINALITY AS e (event, place)
        WHERE w.outcome = 'appended'
    ),
    counted AS (
        UPDATE partition_counters c SET position = last.position
        FROM (
            SELECT w.partition, max(w.last_position)::bigint AS position
            FROM write w WHERE w.outcome = 'appended' GROUP BY w.partition
        ) AS last
        WHERE c.partition = last.partition
    ),
    scheduled AS (
        INSERT INTO deadlines AS d (partition, stream, due_at, retry_at)
        SELECT w.partition, w.stream, w.due, w.due
        FROM write w WHERE w.outcome = 'appended' AND w.due IS NOT NULL
        ON CONFLICT (partition, stream) DO UPDATE SET due_at = excluded.due_at, retry_at = excluded.retry_at, attempts = 0
    ),
    cleared AS (
        DELETE FROM deadlines d USING write w
        WHERE w.outcome = 'appended' AND w.due IS NULL AND d.partition = w.partition AND d.stream = w.stream
    )
    SELECT w.command, w.outcome,
           CASE w.outcome WHEN 'duplicate' THEN w.known - 1 ELSE w.expected END,
           CASE w.outcome WHEN 'appended' THEN w.expected + w.size
                          WHEN 'duplicate' THEN command_end(w.partition, w.stream, w.known)
                          ELSE w.head END,
           w.last_position::bigint, moment
    FROM write w
    ORDER BY w.command, w.place;
END
$$;

-- The last version of the command whose first event stands at `first`.
CREATE FUNCTION command_end(of_partition smallint, of_stream text, first integer) RETURNS integer
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(
        (SELECT e.version - 1 FROM events e
         WHERE e.partition = of_partition AND e.stream = of_stream AND e.version > first AND e.command_id IS NOT NULL
         ORDER BY e.version LIMIT 1),
        (SELECT e.version FROM events e
         WHERE e.partition = of_partition AND e.stream = of_stream
         ORDER BY e.version DESC LIMIT 1)
    )
$$;
