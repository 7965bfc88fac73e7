-- Every stream, running ones too: of those no more than that they are there and when something last happened.
CREATE VIEW analysis.streams WITH (security_barrier) AS
SELECT first.stream,
       split_part(first.stream, '-', 1) AS category,
       substr(first.stream, strpos(first.stream, '-') + 4) AS id,
       last.version,
       last.type,
       first.recorded_at AS began_at,
       last.recorded_at AS last_at,
       last.ends_stream AS has_ended
FROM public.events first
CROSS JOIN LATERAL (
    SELECT e.version, e.type, e.recorded_at, e.ends_stream
    FROM public.events e
    WHERE e.partition = first.partition AND e.stream = first.stream
    ORDER BY e.version DESC
    LIMIT 1
) AS last
WHERE first.version = 1;
COMMENT ON VIEW analysis.streams IS
    'Every stream, running ones too: its version, and the type and time of its last event.';
