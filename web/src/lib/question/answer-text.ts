/** Formats answers as text: a code selects the sentence, the other fields are its arguments. */
import type { Square } from '../board';
import { i18n, t } from '../i18n/i18n.svelte';
import { outcomeText, pieceName } from '../i18n/names';
import type { Obligation } from '../api';
import { explain } from '../refusal';
import type {
  ManExplanationView,
  ClauseView,
  LegalView,
  PieceView,
  ReasonView,
  StepAnswer,
  TakingView,
} from '../rules';
import { generalRulesVariant } from '../variants';

/** A sentence, and the clauses of the rules that it is based on. */
export interface Sentence {
  readonly text: string;
  readonly clauses: readonly ClauseView[];
}

export interface Answer {
  readonly head: string;
  readonly lines: readonly Sentence[];
}

/** Returns the name of a piece with its article and colour, such as `the white knight`. */
export const thePiece = ({ role, color }: PieceView): string => t(`the-${role}`, { color });

export function capitalize(text: string): string {
  return `${text.charAt(0).toLocaleUpperCase(i18n.language)}${text.slice(1)}`;
}

function captureText({ method, victim, with: beside, imitating }: TakingView): string {
  const words = t(`way-${method}`, {
    victim: thePiece(victim),
    at: victim.square,
    with: beside ?? '',
  });
  return imitating ? t('question-imitating', { words }) : words;
}

/** Describes an enemy threat. */
function threatText(taking: TakingView): string {
  const { by, to } = taking;
  const args = { by: thePiece(by), from: by.square, words: captureText(taking) };
  return by.square === to
    ? t('question-threat-in-place', args)
    : t('question-threat', { ...args, to });
}

export function reasonLine(reason: ReasonView): Sentence {
  const { man, other, second, at, color, distance, outcome, taking } = reason;
  const text = t(`why-${reason.code}`, {
    man: man ? thePiece(man) : '',
    other: other ? thePiece(other) : '',
    // In a sentence about a piece, `at` is the square where the piece stands.
    at: at ?? other?.square ?? man?.square ?? '',
    place: other?.square ?? '',
    second: second ? thePiece(second) : '',
    behind: second?.square ?? '',
    color: color ?? '',
    distance: distance ?? 0,
    outcome: outcome === null ? '' : outcomeText(outcome),
    threat: taking ? threatText(taking) : '',
    choices: reason.choices.map((role) => pieceName(man?.color ?? 'white', role)).join(', '),
    instead: alternativesText(reason.instead),
  });
  return { text: capitalize(text), clauses: [reason.clause] };
}

/** The sentences for several pieces that are in the way for the same reason. */
const SEVERAL = {
  'own-man': 'why-own-men',
  occupied: 'why-occupied-by-several',
  blocked: 'why-blocked-by-several',
  'leap-over-friend': 'why-leap-over-friends',
} as const;

const canBeGrouped = (code: ReasonView['code']): code is keyof typeof SEVERAL => code in SEVERAL;

/**
 * Lists the reasons in order. Pieces that are in the way for the same reason share a sentence, so
 * that the clause is not repeated for each neighbour.
 */
function reasonLines(reasons: readonly ReasonView[]): Sentence[] {
  const groups = new Map<string, ReasonView[]>();
  reasons.forEach((reason, index) => {
    const { code, clause, man } = reason;
    const key = canBeGrouped(code) ? [code, clause.id, man?.square].join(' ') : String(index);
    groups.set(key, [...(groups.get(key) ?? []), reason]);
  });
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (group.length === 1 || first === undefined || !canBeGrouped(first.code))
      return group.map(reasonLine);
    const squares = group.map(({ at, other }) => at ?? other?.square ?? '').join(', ');
    const text = t(SEVERAL[first.code], { squares, man: first.man ? thePiece(first.man) : '' });
    return [{ text: capitalize(text), clauses: [first.clause] }];
  });
}

/**
 * Lists each piece that can capture, with its destinations, or with its victims if it does not
 * move.
 */
function alternativesText(steps: readonly LegalView[]): string {
  const destinations = new Map<Square, Set<Square>>();
  const inPlace = new Map<Square, string>();
  for (const { man, to, takings } of steps) {
    const from = man.square;
    if (from === to) {
      const victims = takings.map(({ victim }) => victim.square).join(', ');
      inPlace.set(from, t('question-instead-in-place', { at: from, victims }));
    } else destinations.set(from, (destinations.get(from) ?? new Set()).add(to));
  }
  const moving = [...destinations].map(([from, to]) => `${from}–${[...to].join('/')}`);
  return [...moving, ...inPlace.values()].join(', ');
}

function goesOn(words: string, step: LegalView): string {
  return step.goesOn ? t('question-goes-on', { words }) : words;
}

function castlingLines({ castling, to }: LegalView): Sentence[] {
  if (!castling) return [];
  const [rook, beside] = castling;
  return [{ text: t('question-castling', { to, rook, beside }), clauses: [] }];
}

/** Describes a piece's captures, grouping those with the same text. */
function takingLines(steps: readonly LegalView[]): Sentence[] {
  const groups = new Map<string, { squares: Square[]; step: LegalView }>();
  for (const step of steps) {
    if (step.takings.length === 0) continue;
    const words = goesOn(
      step.takings.map(captureText).reduce((all, more) => t('question-also', { words: all, more })),
      step,
    );
    const group = groups.get(words);
    if (group) group.squares.push(step.to);
    else groups.set(words, { squares: [step.to], step });
  }
  return [...groups].map(([words, { squares, step }]) => ({
    text:
      step.man.square === step.to
        ? t('question-in-place-at', { words })
        : t('question-at', { squares: squares.join(', '), words }),
    clauses: distinctClauses(step.takings),
  }));
}

function distinctClauses(takings: readonly TakingView[]): ClauseView[] {
  return [...new Map(takings.map(({ clause }) => [clause.id, clause])).values()];
}

/**
 * Describes a piece. `obligation` is the obligation that a touched piece imposes, if it forbids
 * some of the described piece's steps.
 */
export function manAnswer(about: ManExplanationView, obligation: Obligation | null = null): Answer {
  const { man, holding, exclusions, steps, toMove } = about;
  const quiet = steps
    .filter(({ takings, castling, givingUp }) => takings.length === 0 && !castling && !givingUp)
    .map(({ to }) => to);
  const squares = [...new Set(quiet)].join(', ');
  // The box on the page may be too short for the whole answer, so the conclusion comes first.
  const conclusion: Sentence[] =
    steps.length === 0 ? [{ text: t('question-nowhere'), clauses: [] }] : [];
  const lines = [...conclusion, ...reasonLines([...holding, ...exclusions])];
  if (obligation !== null) lines.unshift(obligationLine(obligation));
  lines.push(...takingLines(steps));
  if (squares !== '') {
    const text = toMove ? t('question-goes', { squares }) : t('question-would-go', { squares });
    lines.push({ text, clauses: [] });
  }
  for (const { givingUp } of steps) {
    if (givingUp === null) continue;
    const text = toMove ? t('question-gives-up') : t('question-would-give-up');
    lines.push({ text, clauses: [givingUp] });
  }
  lines.push(...steps.flatMap(castlingLines));
  return { head: capitalize(t('question-man', { man: thePiece(man), at: man.square })), lines };
}

export function stepAnswer(man: PieceView, to: Square, answer: StepAnswer): Answer {
  const { legal, reasons } = answer;
  const from = man.square;
  const args = { man: thePiece(man), from, to, at: from };
  if (!legal) {
    const head = capitalize(t('question-tried', args));
    return { head, lines: reasonLines(reasons) };
  }
  if (legal.givingUp !== null) {
    const text = t('question-gives-up');
    return {
      head: capitalize(t('question-given-up', args)),
      lines: [{ text, clauses: [legal.givingUp] }],
    };
  }
  const head = from === to ? t('question-in-place', args) : t('question-legal', args);
  const takings = legal.takings.map((taking, index) => {
    const isLast = index === legal.takings.length - 1;
    const words = captureText(taking);
    return {
      text: `${capitalize(isLast ? goesOn(words, legal) : words)}.`,
      clauses: [taking.clause],
    };
  });
  const details = [...castlingLines(legal), ...takings];
  const nothing: Sentence = { text: t('question-takes-nothing'), clauses: [] };
  const lines = details.length > 0 ? details : [nothing];
  return { head: capitalize(head), lines };
}

function obligationLine({ type, ...squares }: Obligation): Sentence {
  const text = explain({ code: `touched-${type}`, args: squares });
  return { text, clauses: [{ id: 'C13', rules: generalRulesVariant }] };
}

/** Says which touched piece must be played or captured instead. */
export function obligationText(man: PieceView, obligation: Obligation): Answer {
  return {
    head: capitalize(t('question-man', { man: thePiece(man), at: man.square })),
    lines: [obligationLine(obligation)],
  };
}
