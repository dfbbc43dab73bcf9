import { fetchFailure } from './fetch-failure';
import { RefusalError, type Refusal } from './refusal';

/** Calls a module's function. If it throws a JSON list of refusals, throws a `RefusalError`. */
export function withRefusals<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (typeof error !== 'string') throw error;
    const [first, ...others] = JSON.parse(error) as Refusal[];
    throw new RefusalError(first ?? { code: 'unknown', args: {} }, others);
  }
}

/** Loads a module on the first call. If that fails, the next call retries. */
export function loadOnce<T>(start: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= start().catch(async () => {
      loading = undefined;
      throw new RefusalError(await fetchFailure());
    });
    return loading;
  };
}
