import { fetchFailure } from './fetch-failure';
import { RefusalError, type Refusal } from './refusal';

/** Calls into a module; what it throws is a list of refusals as JSON. */
export function asking<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (typeof error !== 'string') throw error;
    const [first, ...others] = JSON.parse(error) as Refusal[];
    throw new RefusalError(first ?? { code: 'unknown', args: {} }, others);
  }
}

/** Fetches a module on the first call; if that fails, the next call tries again. */
export function fetchedOnce<T>(start: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= start().catch(async () => {
      loading = undefined;
      throw new RefusalError(await fetchFailure());
    });
    return loading;
  };
}
