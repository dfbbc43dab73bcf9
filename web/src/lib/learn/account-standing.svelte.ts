import { visitor } from '../account/me.svelte';
import type { JudgedTry, ProblemStanding, RatedTry } from '../api';
import { json, withBody } from '../http';
import type { Rules } from '../rules';
import { untilAnswered } from '../until-answered';
import { uuid } from '../uuid';
import type { Variant } from '../variants';
import { count, standingIn, type Standing } from './standing.svelte';

/** How the visitor's account stands in the problems of each game, as the server has told. */
class AccountStandings {
  #standings: Partial<Record<Variant, ProblemStanding>> = $state.raw({});

  of(variant: Variant): ProblemStanding | null {
    return visitor.account === null ? null : (this.#standings[variant] ?? null);
  }

  set(variant: Variant, standing: ProblemStanding): void {
    this.#standings = { ...this.#standings, [variant]: standing };
  }
}
const accounts = new AccountStandings();

/** How the visitor stands: in the account, if there is one, else in this browser. */
export const standingNow = (variant: Variant): Standing =>
  accounts.of(variant) ?? standingIn(variant);

/**
 * The standing by which the next problem is chosen. What this browser has counted without an account was judged by nobody but
 * the page, so that no rating is made of it; but who has seen a problem need not meet it again.
 */
export function standingForNext(variant: Variant): Standing {
  const standing = standingNow(variant);
  return { ...standing, seen: { ...standingIn(variant).seen, ...standing.seen } };
}

const path = (variant: Variant): string => `/api/standings/${variant}`;

/** Asks the server how the account stands, if there is one. */
export async function loadStanding(variant: Variant): Promise<void> {
  if (!visitor.isKnown) await visitor.load();
  if (visitor.account !== null) accounts.set(variant, await json<ProblemStanding>(path(variant)));
}

/**
 * Counts the first try of a problem, where the standing is kept. The server judges what was played by itself; it is asked until it
 * answers, even if the page goes on to another problem. Resolves to the ratings before and after; null if it had counted before.
 */
export async function countTry(
  rules: Rules,
  variant: Variant,
  problem: { readonly id: string; readonly rating: number },
  solved: boolean,
  turns: readonly string[],
): Promise<RatedTry | null> {
  if (visitor.account === null) return count(rules, variant, problem, solved);
  const attempt = withBody('POST', { command: uuid(), problem: problem.id, turns });
  const judged = await untilAnswered(() => json<JudgedTry>(path(variant), attempt), {
    signal: new AbortController().signal,
    onNetworkFailure: () => {},
  });
  if (judged === null) return null;
  accounts.set(variant, judged.standing);
  return judged.rated;
}
