// Generated from services/gateway/openapi.json by `make web`; never edited.

export type Access = {
  readonly is_allowed: boolean;
  readonly reason: "FREE_GAME" | "TRIAL" | "PASSPORT" | "WITHIN_DAILY_LIMIT" | "DAILY_LIMIT_REACHED" | "PASSPORT_NEEDED" | "HOUSE_PRESET" | "UNKNOWN_GAME" | "UNKNOWN_PLAYER" | "NOT_KNOWN";
  readonly text: string;
  readonly rule: string;
  readonly valid_until: string;
  readonly matches_left: number | null;
};

export type Account = {
  readonly trial_until: string;
  readonly passport: Passport | null;
  readonly matches_left: number;
  readonly matches_a_day: number;
  readonly catalogue: string;
  readonly plans: readonly ({
    readonly name: string;
    readonly text: string;
    readonly price_centavos: number;
    readonly months: number;
  })[];
};

export type Achievement = {
  readonly feat: "zap_on_last_trick" | "bandeira" | "canastra_de_1000";
  readonly match_id: string;
  readonly version: number;
  readonly achieved_at: string;
};

export type Commitment = {
  readonly table_id: string;
  readonly commitment: Hex32;
};

export type Error = {
  readonly code: string;
  readonly text_pt: string;
  readonly text_en: string;
  readonly field?: string;
  readonly facts?: { readonly [name: string]: string };
};

export type Guest = {
  readonly player_id: string;
  readonly name: string;
  readonly token: string;
  readonly expires_at: string;
  readonly refresh_token: string;
  readonly refresh_expires_at: string;
};

export type Hex32 = string;

export type League = "bronze" | "prata" | "ouro" | "platina" | "diamante" | "pro";

export type LeagueStanding = {
  readonly place: number | null;
  readonly points: number;
  readonly wins: number;
  readonly matches: number;
  readonly trophies: readonly (Trophy)[];
  readonly medals: readonly ({
    readonly wins: number;
    readonly match_id: string;
  })[];
  readonly achievements: readonly (Achievement)[];
  readonly table: LeagueTable;
};

export type LeagueTable = {
  readonly game: string;
  readonly league: League;
  readonly week: string;
  readonly players: number;
  readonly promoted_to_place: number;
  readonly relegated_from_place: number;
  readonly is_closed: boolean;
  readonly rows: readonly ({
    readonly place: number;
    readonly player_id: string;
    readonly name: string | null;
    readonly points: number;
    readonly matches: number;
    readonly wins: number;
    readonly abandoned: number;
    readonly is_you: boolean;
  })[];
};

export type OpenTable = {
  readonly table_id: string;
  readonly preset: string;
  readonly seats: readonly ({
    readonly player_id: string;
    readonly name: string | null;
    readonly is_you: boolean;
  } | null)[];
  readonly opened_at: string;
};

export type OpenTables = {
  readonly tables: readonly (OpenTable)[];
};

export type Passport = {
  readonly passport_id: string;
  readonly plan: string;
  readonly status: "active" | "cancelled" | "in_grace" | "ended";
  readonly price_centavos: number;
  readonly bought_at: string;
  readonly paid_until: string;
  readonly valid_until: string;
  readonly withdraw_until: string;
};

export type Place = {
  readonly kind: "idle" | "open_table" | "queue" | "starting" | "playing";
  readonly version: number;
  readonly table_id: string | null;
  readonly preset: string | null;
  readonly room: "livre" | "treino" | "ranqueada" | null;
  readonly since: string | null;
  readonly last_refusal: string | null;
};

export type Players = {
  readonly players: readonly ({
    readonly player_id: string;
    readonly name: string;
  })[];
};

export type Practice = {
  readonly table_id: string;
};

export type Record = {
  readonly table_id: string;
  readonly preset: string;
  readonly rules_version: number;
  readonly switches: { readonly [name: string]: string };
  readonly seats: readonly ({
    readonly index: number;
    readonly kind: "person" | "robot";
    readonly player_id?: string;
  })[];
  readonly your_seat?: number;
  readonly result: {
    readonly reason: "finished" | "abandoned" | "walkover";
    readonly winners: readonly (number)[];
    readonly score: readonly (number)[];
    readonly abandoned_seats: readonly (number)[];
  };
  readonly commitment: Hex32;
  readonly secret: Hex32;
  readonly entropy: readonly (string)[];
  readonly events: readonly ({
    readonly version: number;
    readonly recorded_at: string;
    readonly by_seat?: number;
    readonly type: string;
    readonly schema_version: number;
    readonly payload: { readonly [name: string]: unknown };
    readonly state_hash?: Hex32;
  })[];
  readonly next_after?: number;
};

export type Rooms = {
  readonly games: readonly ({
    readonly preset: string;
    readonly player_counts: readonly (number)[];
    readonly rooms: readonly ("livre" | "treino" | "ranqueada")[];
    readonly strengths: readonly (string)[];
  })[];
};

export type Session = {
  readonly token: string;
  readonly expires_at: string;
  readonly refresh_token: string;
  readonly refresh_expires_at: string;
};

export type Trophy = {
  readonly game: string;
  readonly week: string;
  readonly league: League;
  readonly place: number;
  readonly points: number;
};

export type Wish = {
  readonly command_id: string;
  readonly preset: string;
  readonly entropy?: string;
};
