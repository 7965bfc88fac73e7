-- The relay's checkpoints: how far each partition's public messages have reached JetStream.

CREATE TABLE relay_positions (
    partition  smallint    PRIMARY KEY,
    position   bigint      NOT NULL DEFAULT 0,
    updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE relay_positions IS 'Everything public up to this position was acknowledged by JetStream; an operator may rewind it.';
INSERT INTO relay_positions (partition) SELECT generate_series(0, 15);
