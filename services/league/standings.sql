-- The tables of the Liga: rows that follow from its log. Leagues are numbered from 1 (bronze) to 6 (pro).

-- A player's week. `league` is the one in which the week is played: where the last closed week before it has led.
CREATE TABLE week_points (
    game       text        NOT NULL,
    week       date        NOT NULL,
    player_id  uuid        NOT NULL,
    league     smallint    NOT NULL,
    points     integer     NOT NULL,
    reached_at timestamptz NOT NULL,
    matches    integer     NOT NULL,
    wins       integer     NOT NULL,
    abandoned  integer     NOT NULL,
    PRIMARY KEY (game, week, player_id)
);
CREATE INDEX week_points_table ON week_points (game, week, league, points DESC, reached_at, player_id);

-- What each match gives now, so that a standing can be explained.
CREATE TABLE match_points (
    player_id uuid        NOT NULL,
    match_id  uuid        NOT NULL,
    game      text        NOT NULL,
    week      date        NOT NULL,
    ended_at  timestamptz NOT NULL,
    outcome   text        NOT NULL,
    percent   integer     NOT NULL,
    points    integer     NOT NULL,
    is_late   boolean     NOT NULL,
    PRIMARY KEY (player_id, match_id)
);

-- A player in a game over the weeks.
CREATE TABLE players (
    game      text             NOT NULL,
    player_id uuid             NOT NULL,
    wins      integer          NOT NULL,
    matches   integer          NOT NULL,
    mu        double precision NOT NULL,
    sigma     double precision NOT NULL,
    PRIMARY KEY (game, player_id)
);

CREATE TABLE medals (
    game      text    NOT NULL,
    player_id uuid    NOT NULL,
    wins      integer NOT NULL,
    match_id  uuid    NOT NULL,
    PRIMARY KEY (game, player_id, wins)
);

CREATE TABLE weeks (
    game      text        NOT NULL,
    week      date        NOT NULL,
    status    text        NOT NULL CHECK (status IN ('running', 'ended', 'closed')),
    closes_at timestamptz NOT NULL,
    PRIMARY KEY (game, week)
);
CREATE INDEX weeks_ended ON weeks (week) WHERE status = 'ended';

-- Where a closed week has put a player, and the league of the next one.
CREATE TABLE placements (
    game        text     NOT NULL,
    player_id   uuid     NOT NULL,
    week        date     NOT NULL,
    league      smallint NOT NULL,
    place       integer  NOT NULL,
    points      integer  NOT NULL,
    next_league smallint NOT NULL,
    PRIMARY KEY (game, player_id, week)
);

CREATE TABLE trophies (
    player_id uuid     NOT NULL,
    week      date     NOT NULL,
    game      text     NOT NULL,
    league    smallint NOT NULL,
    place     smallint NOT NULL,
    points    integer  NOT NULL,
    PRIMARY KEY (player_id, week, game)
);

-- What a match's log shows: the event of its table at `version` earned it.
CREATE TABLE achievements (
    game      text        NOT NULL,
    player_id uuid        NOT NULL,
    feat      text        NOT NULL,
    match_id  uuid        NOT NULL,
    version   integer     NOT NULL,
    ended_at  timestamptz NOT NULL,
    PRIMARY KEY (game, player_id, feat)
);
