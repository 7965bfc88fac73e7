-- The outage rule: replicas beat; a time in which none could commit is an outage, recorded once.

CREATE TABLE last_beat (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    beaten_at timestamptz NOT NULL
) WITH (fillfactor = 10);
COMMENT ON TABLE last_beat IS 'When a replica last committed a beat.';

CREATE TABLE outages (
    began_at timestamptz PRIMARY KEY,
    ended_at timestamptz NOT NULL UNIQUE CHECK (ended_at > began_at)
);
COMMENT ON TABLE outages IS 'Times in which no replica could commit, from the last beat before to the first one after.';

-- Beat, and record the outage that this beat ends. The row lock lets one replica find it. Gives the latest outage.
CREATE FUNCTION beat(outage_after interval) RETURNS TABLE (began_at timestamptz, ended_at timestamptz)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    before timestamptz;
    moment timestamptz;
BEGIN
    INSERT INTO last_beat (beaten_at) VALUES (clock_timestamp()) ON CONFLICT DO NOTHING;
    SELECT b.beaten_at INTO before FROM last_beat b FOR UPDATE;
    moment := clock_timestamp();
    IF moment - before > outage_after THEN
        INSERT INTO outages (began_at, ended_at) VALUES (before, moment);
    END IF;
    UPDATE last_beat SET beaten_at = greatest(beaten_at, moment);
    RETURN QUERY SELECT o.began_at, o.ended_at FROM outages o ORDER BY o.ended_at DESC LIMIT 1;
END
$$;
