import { readStored, writeStored } from './storage';

const KEY = 'offline';

/**
 * Returns the last release that the service worker has cached in full, so problems and the
 * analysis board also open without a network; null if there is none.
 */
export const completeRelease = (): string | null => readStored(KEY);

export const storeCompleteRelease = (release: string): void => writeStored(KEY, release);
