import type { Color } from './wire';
export type RoleView = { name: string; letter: string };
export type PieceView = { square: string; color: Color; role: string };
export type StepView = {
  from: string;
  to: string;
  alsoTo: string[];
  promotion: string | null;
  takes: string[];
  text: string;
};
export type ReserveView = { color: Color; role: string; count: number };
export type PositionView = {
  turn: Color;
  pieces: PieceView[];
  steps: StepView[];
  check: string[];
  chain: string | null;
  reserves: ReserveView[];
  fen: string;
  over: boolean;
};
export type TurnView = { text: string; san: string; steps: StepView[]; check: boolean; color: Color };
