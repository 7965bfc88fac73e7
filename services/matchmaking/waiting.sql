-- Open tables, tickets and matches under way: what is listed, matched and driven on.
CREATE TABLE open_tables (
    table_id uuid PRIMARY KEY,
    preset text NOT NULL,
    seats uuid[] NOT NULL,
    taken integer NOT NULL DEFAULT 0,
    opened_at timestamptz NOT NULL
);
CREATE INDEX open_tables_fullest ON open_tables (preset, taken DESC, opened_at);

CREATE TABLE tickets (
    player_id uuid PRIMARY KEY,
    ticket_id uuid NOT NULL,
    preset text NOT NULL,
    since timestamptz NOT NULL
);
CREATE INDEX tickets_by_time ON tickets (preset, since);

CREATE TABLE matches (
    match_id uuid PRIMARY KEY,
    status text NOT NULL,
    formed_at timestamptz NOT NULL
);
