-- Names are unique by how they look, sessions can be listed and renewed once per refresh token, and players of an outside
-- issuer are found by their subject. All of it is personal data in plain tables: erasing a player deletes it here.

-- Who has which name. `key` is a hash of the name's look (services/accounts/name_keys.py). A name that was given up or
-- erased is held for a while, so that nobody passes for its owner; an erased owner leaves no id behind.
CREATE TABLE name_claims (
    key        bytea PRIMARY KEY,
    player_id  uuid,
    claimed_at timestamptz NOT NULL DEFAULT now(),
    held_until timestamptz,
    CHECK (player_id IS NOT NULL OR held_until IS NOT NULL)
);
CREATE INDEX name_claims_of_player ON name_claims (player_id);
CREATE INDEX name_claims_held ON name_claims (held_until) WHERE held_until IS NOT NULL;

-- `first_key`: the key of the name that the player was registered with, so that the same registration is known again.
-- `keys_version`: the rules by which the keys were made; 0 for none yet.
ALTER TABLE display_names
    ADD COLUMN first_key    bytea,
    ADD COLUMN keys_version smallint NOT NULL DEFAULT 0;
CREATE INDEX display_names_to_key ON display_names (keys_version);

CREATE TABLE sessions (
    session_id uuid PRIMARY KEY,
    player_id  uuid        NOT NULL,
    issuer     text        NOT NULL,
    opened_at  timestamptz NOT NULL DEFAULT now(),
    renewed_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    generation integer     NOT NULL DEFAULT 0,
    renewal_id uuid,
    ended_at   timestamptz
);
COMMENT ON COLUMN sessions.generation IS 'How often it was renewed: only the refresh token of this number renews it.';
COMMENT ON COLUMN sessions.renewal_id IS 'The command that made this generation, so that its repetition gets the same answer.';
CREATE INDEX sessions_of_player ON sessions (player_id, renewed_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE sign_in_subjects (
    issuer        text        NOT NULL,
    subject       text        NOT NULL,
    player_id     uuid        NOT NULL UNIQUE,
    first_seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (issuer, subject)
);

-- Who was erased while banned may not come back as somebody new before the ban ends: a hash, and no player.
CREATE TABLE barred_subjects (
    subject_hash bytea PRIMARY KEY,
    until        timestamptz
);

-- What operators write about a player. The log holds the id of the note alone.
CREATE TABLE operator_notes (
    note_id    uuid PRIMARY KEY,
    player_id  uuid        NOT NULL,
    note       text        NOT NULL,
    written_by text        NOT NULL,
    written_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX operator_notes_of_player ON operator_notes (player_id);
