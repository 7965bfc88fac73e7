-- How players stand to each other and to the platform: rows that follow from the log of accounts.

-- Two rows for each pair that ever had to do with each other, one from each side. `version` is the pair's stream's.
CREATE TABLE relations (
    player_id  uuid        NOT NULL,
    other_id   uuid        NOT NULL,
    status     text        NOT NULL CHECK (status IN ('none', 'friends', 'asked', 'asked_by_other')),
    since      timestamptz NOT NULL,
    blocked_at timestamptz,
    version    integer     NOT NULL,
    PRIMARY KEY (player_id, other_id)
);
CREATE INDEX relations_friends ON relations (player_id, status) WHERE status <> 'none';
CREATE INDEX relations_blocks ON relations (player_id) WHERE blocked_at IS NOT NULL;

-- Who is kept out: a session's or a player's id, until when (NULL: for ever; a time that has passed lifts it).
-- `changed_at` is when the row was written, by which gateways ask for what is new.
CREATE TABLE barred (
    id         uuid PRIMARY KEY,
    cause      text        NOT NULL CHECK (cause IN ('session_revoked', 'banned', 'erased')),
    until      timestamptz,
    changed_at timestamptz NOT NULL
);
CREATE INDEX barred_changed ON barred (changed_at, id);
