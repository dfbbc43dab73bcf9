/** Says what a wrong turn of a drill does in the position, and why that misses the goal. */
import type { Drill } from '../api';
import type { Square } from '../board';
import { turnText, turnWords } from '../game/announce';
import { i18n, t } from '../i18n/i18n.svelte';
import { outcomeText, pieceName } from '../i18n/names';
import { capitalize, reasonLine, thePiece, type Sentence } from '../question/answer-text';
import type {
  PieceView,
  Position,
  ReasonView,
  Rules,
  StepView,
  TakingView,
  TurnView,
} from '../rules';

/** A wrong turn, and what is needed to compare it with the right ones. */
export interface WrongTurn {
  readonly rules: Rules;
  readonly drill: Drill;
  /** Index of the question. */
  readonly stage: number;
  readonly before: Position;
  readonly turn: TurnView;
  readonly after: Position;
  /** The right answers to this question, as coordinate text. */
  readonly solutions: readonly string[];
  /** FEN of all positions of the drill up to `before`. */
  readonly past: readonly string[];
}

/** A complete turn with its result. */
interface Line {
  readonly text: string;
  readonly takes: readonly Square[];
  readonly after: Position;
}

/** The number of missed captures that are explained; more would hide the first. */
const MAX_EXPLAINED = 2;

/** Results by which the side that has just played wins. */
const WINNING: ReadonlySet<string> = new Set(['checkmate', 'no-moves', 'king-captured']);

/** Reasons that are about the way between two squares. */
const OF_THE_WAY: ReadonlySet<string> = new Set([
  'does-not-move-so',
  'other-shade',
  'blocked',
  'frozen-by-immobilizer',
  'frees-only-others',
  'frozen-by-chameleon',
]);

const plain = (text: string): Sentence => ({ text: capitalize(text), clauses: [] });

const pieceOn = (position: Position, square: string): PieceView | undefined =>
  position.view.pieces.find((piece) => piece.square === square);

const menText = (men: readonly PieceView[]): string =>
  men.map((man) => t('drill-why-man', { man: thePiece(man), at: man.square })).join(', ');

const offset = (from: Square, to: Square): readonly [number, number] => [
  to.charCodeAt(0) - from.charCodeAt(0),
  to.charCodeAt(1) - from.charCodeAt(1),
];

/** Returns the square at an offset, or null beyond the edge. */
function shifted(square: Square, [files, ranks]: readonly [number, number]): Square | null {
  const file = String.fromCharCode(square.charCodeAt(0) + files);
  const rank = String.fromCharCode(square.charCodeAt(1) + ranks);
  return /^[a-h][1-8]$/.test(file + rank) ? ((file + rank) as Square) : null;
}

const isStraight = (from: Square, to: Square): boolean => offset(from, to).includes(0);

const areNeighbours = (one: Square, other: Square): boolean =>
  Math.max(...offset(one, other).map(Math.abs)) === 1;

/** Returns how a game ended in a position, or null if it goes on. */
function outcomeOf(position: Position): string | null {
  const { turn, steps, pieces } = position.view;
  if (steps.length > 0) return null;
  const own = pieces.find(({ color }) => color === turn);
  const holding = own ? (position.explainPiece(own.square)?.holding ?? []) : [];
  return holding.find(({ outcome }) => outcome !== null)?.outcome ?? null;
}

/**
 * Lists the complete turns of the side to move. Playing a step costs much more than reading it, so
 * `fits` leaves out steps by what they capture.
 */
function* turnsOf(
  position: Position,
  fits: (takes: readonly Square[]) => boolean = () => true,
  taken: readonly Square[] = [],
): Generator<Line> {
  for (const step of position.view.steps) {
    if (!fits(step.takes)) continue;
    const after = position.play(step.text);
    const takes = [...taken, ...step.takes];
    if (after.view.chain === null) yield { text: after.currentSteps, takes, after };
    else yield* turnsOf(after, fits, takes);
  }
}

/** Lists the captures of a turn with the pieces they capture. */
function takingsOf(before: Position, steps: readonly StepView[]): TakingView[] {
  const takings: TakingView[] = [];
  let at = before;
  for (const { from, to, text } of steps) {
    takings.push(...(at.explainStep(from, to).legal?.takings ?? []));
    at = at.play(text);
  }
  return takings;
}

/** Returns the piece that a turn moves. */
const moverOf = (before: Position, { steps }: TurnView): PieceView | undefined =>
  steps[0] && pieceOn(before, steps[0].from);

/** Says why a piece cannot go to a square. */
function unreachable(at: Square, reason: ReasonView): Sentence {
  const { text, clauses } = reasonLine(reason);
  return { text: t('drill-why-unreachable', { at, why: text }), clauses };
}

/** Explains why a step to `to` does not capture a piece as `taking` captures it. */
function missedCapture(wrong: WrongTurn, taking: TakingView, mover: Square): Sentence | null {
  const { before, turn } = wrong;
  const [step, ...more] = turn.steps;
  const man = moverOf(before, turn);
  if (!step || !man) return null;
  const other = plain(t('drill-why-other-man'));
  if (more.length > 0) return man.square === mover ? null : other;
  const { from, to } = step;
  const { method, victim, with: partner } = taking;
  const at = victim.square;
  const args = { man: thePiece(man), from, to, at };
  if (method === 'landing') {
    const [reason] = before.explainStep(from, at).reasons;
    return reason ? unreachable(at, reason) : plain(t('drill-why-landing', args));
  }
  if (taking.by.role !== man.role) return other;
  const [files, ranks] = offset(to, at);
  switch (method) {
    case 'pincer':
    case 'custodian': {
      if (taking.imitating && !isStraight(from, to))
        return plain(t('drill-why-pincer-diagonal', args));
      if (Math.abs(files) + Math.abs(ranks) !== 1) return plain(t('drill-why-pincer-far', args));
      const behind = shifted(at, [files, ranks]);
      return behind === null
        ? plain(t('drill-why-pincer-edge', args))
        : plain(t('drill-why-pincer-alone', { ...args, behind }));
    }
    case 'coordination': {
      if (partner === null) return null;
      const king = partner;
      if (isStraight(king, to)) return plain(t('drill-why-aligned', { ...args, king }));
      const corners = [to.charAt(0) + king.charAt(1), king.charAt(0) + to.charAt(1)] as const;
      return plain(t('drill-why-corners', { ...args, king, one: corners[0], other: corners[1] }));
    }
    case 'en-passant':
      return plain(t('drill-why-en-passant'));
    case 'leap':
    case 'short-leap':
    case 'long-leap':
    case 'double-knight-leap':
      return plain(t('drill-why-leap', args));
    case 'withdrawal':
      return plain(t('drill-why-withdrawal', args));
    case 'approach':
      return plain(t('drill-why-approach', args));
    default:
      return taking.by.square === man.square ? null : other;
  }
}

/** The pieces that should have been captured and were not, or were and should not have been. */
function missedCaptures(wrong: WrongTurn): Sentence[] {
  const { before, turn, after, solutions } = wrong;
  const [solution] = solutions;
  if (solution === undefined) return [];
  const { steps } = before.describe(solution);
  const wanted = takingsOf(before, steps);
  const mover = steps[0]?.from;
  const taken = new Set(turn.steps.flatMap(({ takes }) => takes));
  const missing = wanted.filter(({ victim }) => !taken.has(victim.square));
  const extra = [...taken].filter(
    (square) => !wanted.some(({ victim }) => victim.square === square),
  );
  const lines: Sentence[] = [];
  if (missing.length > 0)
    lines.push(plain(t('drill-why-stays', { men: menText(missing.map((each) => each.victim)) })));
  for (const taking of missing.slice(0, MAX_EXPLAINED)) {
    const why = mover === undefined ? null : missedCapture(wrong, taking, mover);
    if (why && !lines.some(({ text }) => text === why.text)) lines.push(why);
  }
  const men = extra.flatMap((square) => pieceOn(before, square) ?? []);
  if (men.length > 0 && missing.length === 0)
    lines.push(plain(t('drill-why-too-many', { men: menText(men) })));
  const to = turn.steps.at(-1)?.to;
  const recapture = after.view.steps.find(({ takes }) => to !== undefined && takes.includes(to));
  const by = recapture && pieceOn(after, recapture.from);
  if (extra.length > 0 && by && to !== undefined)
    lines.push(plain(t('drill-why-retaken', { by: thePiece(by), from: by.square, to })));
  return lines;
}

/** Returns the king of the side to move that a check would be given to. */
const enemyKings = (position: Position): PieceView[] =>
  position.view.pieces.filter(({ role, color }) => role === 'king' && color === position.view.turn);

/** Returns a position with the other side to move; null if its rules do not allow it. */
function otherToMove(rules: Rules, { variant, view }: Position): Position | null {
  const [pieces = '', turn, ...rest] = view.fen.split(' ');
  try {
    return rules.fromFen(variant, [pieces, turn === 'w' ? 'b' : 'w', ...rest].join(' '));
  } catch {
    return null;
  }
}

function missedCheck({ rules, turn, after }: WrongTurn): Sentence[] {
  const to = turn.steps.at(-1)?.to;
  return enemyKings(after).flatMap((king) => {
    const at = king.square;
    const man = to === undefined ? undefined : pieceOn(after, to);
    if (!man || man.color === king.color || to === undefined)
      return [plain(t('drill-why-no-check', { king: thePiece(king), at }))];
    const lines = [plain(t('drill-why-no-attack', { man: thePiece(man), to, at }))];
    // A king gives no check in chess, so how it moves explains nothing.
    if (man.role === 'king') return lines;
    const reasons = otherToMove(rules, after)?.explainStep(to, at).reasons;
    const reason = reasons?.find(({ code }) => OF_THE_WAY.has(code));
    if (reason) lines.push(unreachable(at, reason));
    return lines;
  });
}

/** The replies that the opponent still has. */
function repliesTo({ after, turn: { steps } }: WrongTurn): Sentence[] {
  const replies = [...turnsOf(after)];
  const to = steps.at(-1)?.to;
  // A capture of the piece that has just moved says most.
  const first = replies.find(({ takes }) => to !== undefined && takes.includes(to)) ?? replies[0];
  if (!first) return [];
  const turn = turnWords(after.describe(first.text), after);
  return [plain(t('drill-replies', { count: replies.length, turn }))];
}

/** What the right turn brings about and the wrong one does not: mate, or what takes its place. */
function missedEnd(wrong: WrongTurn): Sentence[] {
  const { before, after, solutions } = wrong;
  const [solution] = solutions;
  if (solution === undefined) return [];
  const right = before.playTurn(solution);
  if (victimsOf(before, solution).some(({ role }) => role === 'king')) return missedCaptures(wrong);
  if (outcomeOf(right) === null && right.view.check.length === 0) {
    // The game is over because of the pieces that are left.
    const men = after.view.pieces.filter(({ role }) => role !== 'king');
    return [plain(t('drill-why-left', { men: menText(men) }))];
  }
  const isMate = right.view.check.length > 0;
  const quiet = isMate && after.view.check.length === 0 ? missedCheck(wrong) : [];
  return [...quiet, ...repliesTo(wrong)];
}

/** Returns the pieces that a turn captures. */
function victimsOf(before: Position, turn: string): PieceView[] {
  const squares = before.describe(turn).steps.flatMap(({ takes }) => takes);
  return squares.flatMap((square) => pieceOn(before, square) ?? []);
}

function missedParry({ before, turn }: WrongTurn): Sentence[] {
  const [step] = turn.steps;
  const man = moverOf(before, turn);
  if (!step || !man) return [];
  if (before.view.check.includes(step.from))
    return [plain(t('drill-why-king-moved', { man: thePiece(man) }))];
  // A capture is described with the turn.
  return step.takes.length > 0 ? [] : [plain(t('drill-why-king-stayed'))];
}

function missedCastling({ before, turn }: WrongTurn): Sentence[] {
  const man = moverOf(before, turn);
  const king = before.view.pieces.find(
    ({ role, color }) => role === 'king' && color === before.view.turn,
  );
  if (!king) return [];
  const args = { king: thePiece(king) };
  return [
    man?.square === king.square
      ? plain(t('drill-why-king-one', args))
      : plain(t('drill-why-king-still', args)),
  ];
}

function missedPromotion({ before, turn }: WrongTurn): Sentence[] {
  const promotion = turn.steps.find((step) => step.promotion !== null)?.promotion;
  if (!promotion) return [plain(t('drill-why-no-promotion'))];
  return [plain(t('drill-why-promoted', { piece: pieceName(before.view.turn, promotion) }))];
}

/** Why the freezing piece of the right turn does not freeze after this one. */
function missedFreeze(wrong: WrongTurn): Sentence[] {
  const { before, after, turn, solutions, drill } = wrong;
  const target = drill.man as Square | null;
  const freezer = solutions[0] && moverOf(before, before.describe(solutions[0]));
  if (!freezer || target === null) return [];
  const moved = turn.steps[0]?.from === freezer.square;
  const place = moved ? (turn.steps.at(-1)?.to ?? freezer.square) : freezer.square;
  if (areNeighbours(place, target)) return [];
  const man = thePiece(pieceOn(after, place) ?? freezer);
  return [plain(t('drill-why-not-touching', { man, place, at: target }))];
}

/** The pieces other than kings that can still move, for either side. */
function mobile(wrong: WrongTurn): Sentence[] {
  const { after } = wrong;
  const men = after.view.pieces.filter(
    ({ role, square }) => role !== 'king' && (after.explainPiece(square)?.steps.length ?? 0) > 0,
  );
  if (men.length === 0) return repliesTo(wrong);
  return [plain(t('drill-why-mobile', { men: menText(men) }))];
}

/** What two positions must share to be the same: everything but the clocks. */
const sameness = (fen: string): string => fen.split(' ').slice(0, -2).join(' ');

function occurrences({ after, past }: WrongTurn): Sentence[] {
  const now = sameness(after.view.fen);
  const count = past.filter((fen) => sameness(fen) === now).length + 1;
  return [plain(t('drill-why-occurs', { count }))];
}

/** Finds a reply after which the goal cannot be reached with the next turn. */
function refutation(wrong: WrongTurn): Sentence[] {
  const { before, after, solutions, drill, stage } = wrong;
  const next = drill.then[stage];
  const [solution] = solutions;
  const isLastButOne = stage === drill.then.length - 1;
  const [finish] = next?.solutions ?? [];
  if (!next || !isLastButOne || solution === undefined || finish === undefined)
    return repliesTo(wrong);
  const question = before.playTurn(solution).playTurn(next.reply);
  const right = [...turnsOf(question)].find(({ text }) => text === finish);
  if (!right) return repliesTo(wrong);
  const outcome = outcomeOf(right.after);
  const fits = (takes: readonly Square[]): boolean =>
    drill.goal !== 'takes' ||
    (takes.length > 0 && takes.every((square) => right.takes.includes(square)));
  const reaches = ({ takes, after: end }: Line): boolean => {
    if (drill.goal === 'takes')
      return (
        takes.length === right.takes.length && right.takes.every((each) => takes.includes(each))
      );
    const found = outcomeOf(end);
    if (found === null) return false;
    return drill.goal === 'wins' ? WINNING.has(found) : found === outcome;
  };
  const replies = [...turnsOf(after)];
  const refutes = replies.filter((reply) => ![...turnsOf(reply.after, fits)].some(reaches));
  const [first] = refutes;
  if (!first) return repliesTo(wrong);
  if (refutes.length === replies.length) return [plain(t('drill-why-out-of-reach'))];
  return [plain(t('drill-why-refuted', { turn: turnText(after.describe(first.text), after) }))];
}

/** Returns the sentence that says which goal was missed. */
export function missedGoal({ drill, stage, after }: WrongTurn): string {
  if (stage < drill.then.length) return t('drill-not-forced');
  if (drill.goal === 'ends' && outcomeOf(after) !== null) return t('drill-not-ended-so');
  return i18n.lookup(`drill-not-${drill.goal}`) ?? t('drill-not-forced');
}

/** Returns the sentences about a wrong turn, after the one that says which goal was missed. */
export function wrongTurnLines(wrong: WrongTurn): Sentence[] {
  const { drill, stage, before, turn, after, solutions } = wrong;
  const over = outcomeOf(after);
  const ends = over === null ? [] : [plain(t('drill-over', { outcome: outcomeText(over) }))];
  if (stage < drill.then.length) return over === null ? refutation(wrong) : ends;
  switch (drill.goal) {
    case 'takes':
    case 'passes':
      return [...missedCaptures(wrong), ...ends];
    case 'most': {
      const count = turn.steps.flatMap(({ takes }) => takes).length;
      const most = solutions[0] === undefined ? count : victimsOf(before, solutions[0]).length;
      return [plain(t('drill-why-count', { count, most })), ...ends];
    }
    case 'ends':
    case 'wins':
      return over === null ? missedEnd(wrong) : ends;
    case 'parries':
      return missedParry(wrong);
    case 'checks':
      return over === null ? missedCheck(wrong) : ends;
    case 'castles':
      return missedCastling(wrong);
    case 'promotes':
      return missedPromotion(wrong);
    case 'frees': {
      const holding = after.explainPiece(drill.man as Square)?.holding ?? [];
      return holding.filter(({ code }) => code !== 'not-your-turn').map(reasonLine);
    }
    case 'freezes':
      return missedFreeze(wrong);
    case 'dies':
      return mobile(wrong);
    case 'repeats':
      return occurrences(wrong);
    default:
      return ends;
  }
}
