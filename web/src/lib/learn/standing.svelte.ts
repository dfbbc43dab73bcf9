import { Persisted } from '../persisted.svelte';
import type { Rules } from '../rules';
import { variants, type Variant } from '../variants';

/** A solver's standing in a game's problems. */
export interface Standing {
  /** The rating. */
  readonly value: number;
  /** Number of problems counted so far. */
  readonly problems: number;
  /** Number of problems solved in a row. */
  readonly streak: number;
  /** The problems counted so far, by id; true if solved. */
  readonly seen: Readonly<Record<string, boolean>>;
}

const beginner: Standing = { value: 1000, problems: 0, streak: 0, seen: {} };

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0;

/** Parses the stored standing; returns a beginner's if there is none or it is invalid. */
export function readStanding(text: string | null): Standing {
  try {
    const parsed: unknown = JSON.parse(text ?? 'null');
    if (typeof parsed !== 'object' || parsed === null) return beginner;
    const { value, problems, streak, seen } = parsed as Partial<Record<keyof Standing, unknown>>;
    if (!isCount(value) || !isCount(problems) || !isCount(streak)) return beginner;
    if (typeof seen !== 'object' || seen === null) return beginner;
    const marks = Object.entries(seen).filter(([, solved]) => typeof solved === 'boolean');
    return {
      value: Math.min(3500, Math.max(100, value)),
      problems,
      streak,
      seen: Object.fromEntries(marks) as Record<string, boolean>,
    };
  } catch {
    return beginner;
  }
}

const standings = Object.fromEntries(
  variants.map((variant) => [
    variant,
    new Persisted<Standing>(`problems.${variant}`, readStanding, (standing) =>
      JSON.stringify(standing),
    ),
  ]),
) as Record<Variant, Persisted<Standing>>;

export const standingIn = (variant: Variant): Standing => standings[variant].current;

/**
 * Counts the first attempt at a problem. Returns the ratings before and after; null for a later
 * attempt, which is ignored.
 */
export function count(
  rules: Rules,
  variant: Variant,
  problem: { readonly id: string; readonly rating: number },
  solved: boolean,
): { before: number; after: number } | null {
  const standing = standings[variant].current;
  if (problem.id in standing.seen) return null;
  const rated = rules.rate(standing.value, standing.problems, problem.rating, solved);
  standings[variant].current = {
    ...rated,
    streak: solved ? standing.streak + 1 : 0,
    seen: { ...standing.seen, [problem.id]: solved },
  };
  return { before: standing.value, after: rated.value };
}

/**
 * Chooses the next problem: a new one if any are left, otherwise a failed one, otherwise any. Picks
 * at random among the few closest to the solver's rating, so that two solvers do not get the same
 * problems in the same order.
 */
export function nextProblem<T extends { readonly id: string; readonly rating: number }>(
  problems: readonly T[],
  standing: Standing,
  except: string | null,
  random: () => number = Math.random,
): T | undefined {
  const others = problems.filter(({ id }) => id !== except);
  const unseen = others.filter(({ id }) => !(id in standing.seen));
  const failed = others.filter(({ id }) => standing.seen[id] === false);
  const choices = [unseen, failed].find((list) => list.length > 0) ?? others;
  const distance = ({ rating }: T): number => Math.abs(rating - standing.value);
  const near = [...choices].sort((a, b) => distance(a) - distance(b)).slice(0, 8);
  return near[Math.floor(random() * near.length)];
}
