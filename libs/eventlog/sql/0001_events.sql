-- The log: events, and the counters from which they take their positions.

CREATE TABLE log_settings (
    only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    partitions smallint NOT NULL
);
COMMENT ON TABLE log_settings IS 'What can never change in this database; checked whenever a service starts.';
INSERT INTO log_settings (partitions) VALUES (16);

-- The last position given out in each partition. An append locks the rows of its partitions until it commits, so the
-- order of commits is the order of positions, and a rollback gives its numbers back: positions have no gaps.
-- Rows are updated by every append: room in the page keeps those updates in place.
CREATE TABLE partition_counters (
    partition smallint PRIMARY KEY,
    position  bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
INSERT INTO partition_counters (partition) SELECT generate_series(0, 15);

CREATE TABLE events (
    partition      smallint    NOT NULL,
    position       bigint      NOT NULL,
    stream         text        NOT NULL COLLATE "C",
    version        integer     NOT NULL,
    type           text        NOT NULL,
    schema_version smallint    NOT NULL,
    payload        jsonb       NOT NULL,
    public_subject text,
    public_data    bytea,
    command_id     text        COLLATE "C",
    body_hash      bytea,
    actor          text        NOT NULL,
    correlation_id text,
    causation_id   text,
    trace          text,
    state_hash     bytea,
    ends_stream    boolean     NOT NULL DEFAULT false,
    recorded_at    timestamptz NOT NULL,
    PRIMARY KEY (partition, stream, version),
    UNIQUE (partition, position),
    CHECK ((public_subject IS NULL) = (public_data IS NULL)),
    CHECK ((command_id IS NULL) = (body_hash IS NULL))
) PARTITION BY LIST (partition);

COMMENT ON TABLE events IS 'Every fact of this service, in order. Rows are never altered.';
COMMENT ON COLUMN events.position IS 'Place in the partition, contiguous from 1; commit order.';
COMMENT ON COLUMN events.version IS 'Place in the stream, contiguous from 1.';
COMMENT ON COLUMN events.type IS 'Registered name, never a class path.';
COMMENT ON COLUMN events.public_data IS 'The bytes that other services get of this event; the only ones.';
COMMENT ON COLUMN events.command_id IS 'On the first event of a command: the id that its client gave it.';
COMMENT ON COLUMN events.body_hash IS 'On the first event of a command: tells a repeated command from another one.';
COMMENT ON COLUMN events.state_hash IS 'On the last event of a command: hash of the state after it.';

-- The same command id appends once to a stream.
CREATE UNIQUE INDEX events_command ON events (partition, stream, command_id) WHERE command_id IS NOT NULL;
-- What the relay reads.
CREATE INDEX events_public ON events (partition, position) WHERE public_subject IS NOT NULL;
-- Streams by the time they began, for the operators' list.
CREATE INDEX events_began ON events (recorded_at, stream) WHERE version = 1;

DO $$
BEGIN
    FOR number IN 0..15 LOOP
        EXECUTE format(
            'CREATE TABLE events_%s PARTITION OF events FOR VALUES IN (%s)', to_char(number, 'FM00'), number
        );
    END LOOP;
END
$$;

-- A stored event is never altered.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'events are never altered: % of % refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER events_are_never_altered BEFORE UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_are_never_truncated BEFORE TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
DO $$
BEGIN
    FOR number IN 0..15 LOOP
        EXECUTE format(
            'CREATE TRIGGER events_are_never_truncated BEFORE TRUNCATE ON events_%s
                 FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', to_char(number, 'FM00')
        );
    END LOOP;
END
$$;
