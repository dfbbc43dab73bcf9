import { i18n, t, type Args } from './i18n/i18n.svelte';

/** Why something was refused, as a value: the words are made where they are shown. */
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

/** All the reasons, the most telling first. */
export function refusalsOf(error: unknown): [Refusal, ...Refusal[]] {
  return error instanceof RefusalError
    ? [error.refusal, ...error.others]
    : [{ code: 'unknown', args: {} }];
}

/** The sentence for a refusal; a code newer than this page gets the general one. */
export function explain(refusal: Refusal): string {
  // The grammar of a count needs a number; everything else is quoted as it came.
  const args: Args = { ...refusal.args };
  for (const counted of ['found', 'turns']) {
    const count = refusal.args[counted];
    if (count !== undefined) args[counted] = Number(count);
  }
  return i18n.lookup(`error-${refusal.code}`, args) ?? t('error-unknown');
}
