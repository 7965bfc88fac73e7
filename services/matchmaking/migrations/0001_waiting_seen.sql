-- When a client last asked for the place of a player who waits. No fact of the log: it says only that somebody still looks.

CREATE TABLE waiting_seen (
    player_id uuid        PRIMARY KEY,
    seen_at   timestamptz NOT NULL
);
CREATE INDEX waiting_seen_by_time ON waiting_seen (seen_at);
