-- Every match, a row each: what a list of matches shows without reading the matches themselves.

CREATE TABLE matches (
    table_id        text        PRIMARY KEY,
    preset          text        NOT NULL,
    rules_version   integer     NOT NULL,
    players         text[]      NOT NULL,
    robots          text[]      NOT NULL,
    status          text        NOT NULL,
    began_at        timestamptz NOT NULL,
    ended_at        timestamptz,
    winners         integer[],
    score           integer[],
    abandoned_seats integer[],
    CHECK ((status = 'running') = (ended_at IS NULL))
);
COMMENT ON COLUMN matches.players IS 'By seat: the player''s id, empty on a robot''s seat.';
COMMENT ON COLUMN matches.robots IS 'By seat: the robot''s strength, empty on a player''s seat.';
COMMENT ON COLUMN matches.status IS 'running, or the reason for which the table ended.';
COMMENT ON COLUMN matches.winners IS 'The winning sides; empty for a draw or an abandoned match.';

CREATE INDEX matches_began ON matches (began_at DESC, table_id);
