/** The messages of the server. */
export type Color = 'white' | 'black';
export type Level = 1 | 2 | 3;
export type ColorChoice = Color | 'random';
export type OpponentChoice = { type: 'friend' } | { type: 'machine'; level: Level };
export type Seat = { type: 'open' } | { type: 'person' } | { type: 'machine'; level: Level };
export type GameResult = '1-0' | '0-1' | '1/2-1/2';
export type DrawRules = 'club' | 'fide';
export type Status =
  | { type: 'waiting' }
  | { type: 'playing' }
  | { type: 'over'; result: GameResult; reason: string };
export type Players = { white: Seat; black: Seat };
export type Game = {
  id: string;
  variant: string;
  initialFen: string;
  drawRules: DrawRules;
  turns: string[];
  version: number;
  players: Players;
  you: Color | null;
  status: Status;
  drawOffer: Color | null;
  createdAt: number;
};
export type GameSummary = {
  id: string;
  variant: string;
  players: Players;
  you: Color | null;
  status: Status;
  turn: Color | null;
  plies: number;
  createdAt: number;
  updatedAt: number;
};
export type CreateGame = {
  command: string;
  variant: string;
  fen?: string;
  color: ColorChoice;
  opponent: OpponentChoice;
  drawRules?: DrawRules;
};
export type CreatedGame = { id: string; invitation: string | null };
export type JoinedGame = { id: string };
export type GameList = { games: GameSummary[] };
export type ErrorDetail = { code: string; args: Record<string, string>; message: string };
export type ErrorBody = { error: ErrorDetail };
export type GameEvent =
  | { type: 'joined'; color: Color; seat: Seat }
  | { type: 'played'; color: Color; turn: string }
  | { type: 'draw-offered'; color: Color }
  | { type: 'draw-declined' }
  | { type: 'ended'; result: GameResult; reason: string };
export type ServerMessage =
  | { type: 'snapshot'; game: Game }
  | { type: 'event'; version: number; at: number; event: GameEvent }
  | { type: 'accepted'; command: string; version: number }
  | { type: 'refused'; command: string | null; code: string; args: Record<string, string> }
  | { type: 'pong' };
export type ClientMessage =
  | { type: 'play'; command: string; version: number; turn: string }
  | { type: 'resign'; command: string }
  | { type: 'offer-draw'; command: string }
  | { type: 'accept-draw'; command: string }
  | { type: 'decline-draw'; command: string }
  | { type: 'claim-draw'; command: string }
  | { type: 'resync' }
  | { type: 'ping' };
