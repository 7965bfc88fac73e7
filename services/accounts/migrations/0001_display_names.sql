-- What players are called. Personal data stands here, never in the log, so that it can be erased.

CREATE TABLE display_names (
    player_id uuid PRIMARY KEY,
    name      text NOT NULL,
    set_at    timestamptz NOT NULL DEFAULT now()
);
