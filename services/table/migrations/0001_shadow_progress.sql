-- How far the shadow worker has replayed the finished matches of each partition.

CREATE TABLE shadow_progress (
    partition smallint    NOT NULL,
    pass      text        NOT NULL CHECK (pass IN ('fresh', 'again')),
    position  bigint      NOT NULL DEFAULT 0,
    began_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (partition, pass)
);
COMMENT ON COLUMN shadow_progress.pass IS 'fresh: matches as they end; again: all of them, from the beginning, over and over.';
COMMENT ON COLUMN shadow_progress.position IS 'Position of the last event of the last match that was replayed.';
COMMENT ON COLUMN shadow_progress.began_at IS 'When this pass began at position 0.';
INSERT INTO shadow_progress (partition, pass)
SELECT partition, pass FROM generate_series(0, 15) AS partition, unnest(ARRAY['fresh', 'again']) AS pass;

-- Finished matches in the order in which they ended.
CREATE INDEX events_ended_in_order ON events (partition, position) WHERE ends_stream;
