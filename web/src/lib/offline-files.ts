import { readStored, writeStored } from './storage';

const KEY = 'offline';

/**
 * Returns the last release all of whose files the service worker has cached, so that problems and
 * the analysis open without a network too; null if there is none.
 */
export const completeRelease = (): string | null => readStored(KEY);

export const storeCompleteRelease = (release: string): void => writeStored(KEY, release);
