import { visitor } from '../account/me.svelte';
import type { Account, AttemptResult, ProblemStanding, RatingChange } from '../api';
import { json, withBody } from '../http';
import { refusalOf } from '../refusal';
import type { Rules } from '../rules';
import { retryUntilAnswered } from '../retry-until-answered';
import { uuid } from '../uuid';
import type { Variant } from '../variants';
import { count, standingIn, type Standing } from './standing.svelte';

/**
 * The standings of accounts in the problems of each game, as last received from the server. There
 * may be several accounts, because the visitor may sign in with another one.
 */
class AccountStandings {
  #standings: Readonly<Record<string, ProblemStanding>> = $state.raw({});

  of(account: Account, variant: Variant): ProblemStanding | null {
    return this.#standings[`${account.name} ${variant}`] ?? null;
  }

  set(account: Account, variant: Variant, standing: ProblemStanding): void {
    this.#standings = { ...this.#standings, [`${account.name} ${variant}`]: standing };
  }
}
const accounts = new AccountStandings();

/**
 * Returns the visitor's standing: the account's, if the visitor is signed in and it has been
 * loaded; otherwise the one stored in this browser.
 */
export function currentStanding(variant: Variant): Standing {
  const { account } = visitor;
  return (account && accounts.of(account, variant)) ?? standingIn(variant);
}

/**
 * Returns the standing used to choose the next problem. Results counted in this browser without an
 * account do not affect the account's rating, because they were checked by the page rather than the
 * server. The problems still count as seen.
 */
export function standingForNext(variant: Variant): Standing {
  const standing = currentStanding(variant);
  return { ...standing, seen: { ...standingIn(variant).seen, ...standing.seen } };
}

const path = (variant: Variant): string => `/api/standings/${variant}`;

/**
 * Loads the account's standing from the server, if the visitor is signed in. If the server does not
 * respond, the standing stored in this browser is used, so that problems can be solved offline.
 */
export async function loadStanding(variant: Variant): Promise<void> {
  try {
    if (!visitor.isKnown) await visitor.load();
    const { account } = visitor;
    if (account === null) return;
    accounts.set(account, variant, await json<ProblemStanding>(path(variant)));
  } catch (error) {
    if (refusalOf(error).code !== 'network') throw error;
  }
}

/**
 * Counts the first attempt at a problem, in the account or in this browser. The server checks the
 * turns itself. The request is retried until the server responds, even if the page moves on to
 * another problem. Resolves to the ratings before and after, or to null if an attempt at the
 * problem has been counted before.
 */
export async function recordAttempt(
  rules: Rules,
  variant: Variant,
  problem: { readonly id: string; readonly rating: number },
  solved: boolean,
  turns: readonly string[],
): Promise<RatingChange | null> {
  // The visitor may sign out before the response arrives.
  const { account } = visitor;
  if (account === null) return count(rules, variant, problem, solved);
  const attempt = withBody('POST', { command: uuid(), problem: problem.id, turns });
  const judged = await retryUntilAnswered(() => json<AttemptResult>(path(variant), attempt), {
    signal: new AbortController().signal,
    onNetworkFailure: () => {},
  });
  if (judged === null) return null;
  accounts.set(account, variant, judged.standing);
  return judged.rated;
}
