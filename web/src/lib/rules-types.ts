// Written by the tests of crates/wasm. Do not edit.
import type { Square } from './board';
import type { Color } from './api';
import type { Role, Variant } from './variants';
export type RoleView = { name: Role, letter: string, };
export type PieceView = { square: Square, color: Color, role: Role, };
export type CompanionView = { from: Square, to: Square, };
export type StepView = { from: Square, 
/**
 * The square where the man ends up; equal to `from` if it takes without moving, or is given up (U14).
 */
to: Square, 
/**
 * Other squares that a player may choose for this step: the rook's, for castling.
 */
alsoTo: Square[], companion: CompanionView | null, promotion: Role | null, 
/**
 * The squares of the men taken.
 */
takes: Square[], 
/**
 * The step in coordinate notation.
 */
text: string, };
export type ReserveView = { color: Color, role: Role, count: number, };
export type PositionView = { turn: Color, pieces: Array<PieceView>, steps: Array<StepView>, 
/**
 * The kings of the side to move that are in check.
 */
check: Square[], 
/**
 * The man that must continue its chain.
 */
chain: Square | null, reserves: Array<ReserveView>, fen: string, };
export type TurnView = { color: Color, 
/**
 * Coordinate notation, or `--` for a null move, which has no steps.
 */
text: string, 
/**
 * The turn in SAN, with English letters.
 */
san: string, steps: Array<StepView>, 
/**
 * Whether it gives check.
 */
check: boolean, };
export type Refusal = { code: string, args: { [key in string]: string }, };
export type FenView = { fen: string, 
/**
 * The changes made to the text, as codes with arguments.
 */
changes: Array<Refusal>, };
export type ReasonCode = "game-over" | "not-your-turn" | "pass" | "no-man" | "not-your-man" | "invalid-movement" | "not-from-start" | "wrong-square-color" | "odd-distance" | "own-man" | "occupied" | "blocked" | "nothing-to-take" | "nothing-to-leap" | "leap-over-friend" | "leap-over-other" | "leap-even-distance" | "two-in-a-row" | "two-in-one-leap" | "no-room-behind" | "en-passant-not-possible" | "en-passant-exposes" | "pinned" | "check-not-parried" | "double-check" | "king-exposed" | "king-left-in-check" | "castling-right-lost" | "castling-no-rook" | "castling-between" | "castling-in-check" | "castling-crosses" | "castling-lands-on" | "frozen-by-immobilizer" | "frees-only-others" | "frozen-by-chameleon" | "taking-compulsory" | "chain-goes-on" | "promotion-missing" | "promotion-not-here" | "promotion-role" | "not-in-reserve" | "no-man-in-reserve" | "other";
export type CaptureMethodCode = "landing" | "en-passant" | "pincer" | "coordination" | "leap" | "withdrawal" | "approach" | "short-leap" | "long-leap" | "double-knight-leap" | "removal" | "custodian" | "other";
export type ClauseView = { 
/**
 * The clause's id, which is also its anchor on the page.
 */
id: string, 
/**
 * The game whose rules it belongs to.
 */
rules: Variant, };
export type TakingView = { 
/**
 * The man that takes, on its square before the step.
 */
by: PieceView, to: Square, victim: PieceView, method: CaptureMethodCode, 
/**
 * The other square involved in the taking: the partner's in a pincer or custodian capture, or the king's
 * in a capture by a coordinator.
 */
with: Square | null, 
/**
 * Whether a chameleon takes this way because its victim does.
 */
imitating: boolean, clause: ClauseView, 
/**
 * The lines that illustrate the taking, in addition to the path of the man itself.
 */
lines: [Square, Square][], };
export type LegalView = { man: PieceView, to: Square, takings: Array<TakingView>, 
/**
 * The squares that the rook leaves and reaches, if this is castling.
 */
castling: [Square, Square] | null, 
/**
 * Whether the same man must take again afterwards.
 */
goesOn: boolean, 
/**
 * The clause under which the man leaves the board instead of moving; null if it moves, or takes where it
 * stands.
 */
givingUp: ClauseView | null, };
export type ReasonView = { code: ReasonCode, clause: ClauseView, 
/**
 * The man that would move.
 */
man: PieceView | null, 
/**
 * The man that is the cause: it blocks, pins, freezes or gives check.
 */
other: PieceView | null, 
/**
 * Another man behind it.
 */
second: PieceView | null, 
/**
 * The square that the reason is about.
 */
at: Square | null, color: Color | null, distance: number | null, 
/**
 * The outcome of the game, if it is over.
 */
outcome: string | null, 
/**
 * The role chosen for a promotion; `choices` are the roles allowed.
 */
role: Role | null, choices: Role[], 
/**
 * The taking that the step would allow the enemy.
 */
taking: TakingView | null, 
/**
 * The takings that are possible instead.
 */
instead: Array<LegalView>, lines: [Square, Square][], };
export type ManExplanationView = { man: PieceView, 
/**
 * Whether its side is to move. If not, `steps` lists what it could do if its side were to move.
 */
toMove: boolean, 
/**
 * The reasons that keep the man from moving at all, or from moving freely.
 */
holding: Array<ReasonView>, 
/**
 * If the man has no steps, the reasons that keep it from squares where it could otherwise go.
 */
exclusions: Array<ReasonView>, steps: Array<LegalView>, };
export type StepAnswer = { legal: LegalView | null, reasons: Array<ReasonView>, };
export type MissCode = "over" | "stays" | "too-many" | "retaken" | "unreachable" | "landing" | "other-man" | "pincer-diagonal" | "pincer-far" | "pincer-edge" | "pincer-alone" | "aligned" | "corners" | "en-passant" | "leap" | "withdrawal" | "approach" | "count" | "no-check" | "no-attack" | "left" | "king-moved" | "king-stayed" | "king-still" | "king-one-square" | "no-promotion" | "promoted" | "not-touching" | "mobile" | "occurs" | "held" | "replies" | "refuted" | "out-of-reach";
export type MissView = { code: MissCode, 
/**
 * The man that moves, or that the sentence is about.
 */
man: PieceView | null, men: Array<PieceView>, 
/**
 * The square where the turn ends.
 */
to: Square | null, 
/**
 * The enemy's square, or the one that the man cannot reach.
 */
at: Square | null, 
/**
 * The king's square.
 */
king: Square | null, 
/**
 * Other squares: the one behind the enemy, the corners of a rectangle.
 */
squares: Square[], count: number, 
/**
 * The largest number of men that any turn takes.
 */
most: number, color: Color | null, 
/**
 * The role that a pawn promotes to.
 */
role: Role | null, 
/**
 * The outcome of the game, if it is over.
 */
outcome: string | null, reason: ReasonView | null, 
/**
 * A reply, in coordinate notation.
 */
turn: string | null, };
export type Defence = "over" | "ends" | "refutes" | "resists" | "unknown";
export type DefenceView = { outcome: Defence, 
/**
 * The coordinate notation of the turn that refutes the win, or of the one that resists longest.
 */
turn: string | null, 
/**
 * The number of turns within which the other side still wins.
 */
left: number | null, };
export type RatingView = { value: number, problems: number, };
