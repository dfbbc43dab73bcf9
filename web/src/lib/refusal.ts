import { i18n, t, type Args } from './i18n/i18n.svelte';

/** The reason for a refusal, as data. It is turned into text where it is displayed. */
export interface Refusal {
  code: string;
  args: Record<string, string>;
}

/** A refusal as an error, with further reasons if there are any. */
export class RefusalError extends Error {
  override name = 'RefusalError';
  constructor(
    readonly refusal: Refusal,
    readonly others: readonly Refusal[] = [],
  ) {
    super(refusal.code);
  }
}

export function refusalOf(error: unknown): Refusal {
  return refusalsOf(error)[0];
}

/** Returns all the reasons, most specific first. */
export function refusalsOf(error: unknown): [Refusal, ...Refusal[]] {
  return error instanceof RefusalError
    ? [error.refusal, ...error.others]
    : [{ code: 'unknown', args: {} }];
}

/** The latest time that a date can represent. The server sends later ones for `never`. */
const latestTime = 8.64e15;

/** Returns the day of a time in milliseconds, for a message; `never` if no date represents it. */
export const dayOf = (time: number): string =>
  time > latestTime
    ? 'never'
    : new Intl.DateTimeFormat(i18n.region, { dateStyle: 'long' }).format(time);

/** Returns the sentence for a refusal; a general one if its code is newer than this page. */
export function explain(refusal: Refusal): string {
  // Plurals need a numeric count; everything else is inserted unchanged.
  const args: Args = { ...refusal.args };
  for (const counted of ['found', 'most', 'turns']) {
    const count = refusal.args[counted];
    if (count !== undefined) args[counted] = Number(count);
  }
  const { until } = refusal.args;
  if (until !== undefined) args.date = dayOf(Number(until));
  return i18n.lookup(`error-${refusal.code}`, args) ?? t('error-unknown');
}

/**
 * Replaces the interpreted text in the refusal of a turn with the text that the visitor typed.
 * `san` writes turns in the visitor's notation.
 */
export function asTyped(
  { code, args }: Refusal,
  text: string,
  san: (text: string) => string,
): Refusal {
  const { turn, matches } = args;
  return {
    code,
    args: {
      ...args,
      ...(turn === undefined ? {} : { turn: text }),
      ...(matches === undefined ? {} : { matches: san(matches) }),
    },
  };
}
