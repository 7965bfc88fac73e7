-- Every event of the streams that have ended, whatever its type.
CREATE VIEW analysis.events WITH (security_barrier) AS
SELECT e.stream, e.version, e.type, e.schema_version, e.recorded_at, e.actor, e.payload, e.state_hash
FROM public.events e
WHERE EXISTS (
    SELECT FROM public.events last
    WHERE last.partition = e.partition AND last.stream = e.stream AND last.ends_stream
);
COMMENT ON VIEW analysis.events IS 'Every event of the streams that have ended, as it is stored.';
