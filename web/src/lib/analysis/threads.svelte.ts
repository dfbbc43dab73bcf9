import { Persisted } from '../persisted.svelte';
import { maxThreads, defaultThreads } from './engine-module';

/** The number of threads that the visitor has chosen for searches. */
export const threads = new Persisted<number>(
  'analysis.threads',
  (text) =>
    Math.min(maxThreads, Math.max(1, Math.round(Number(text ?? defaultThreads)) || defaultThreads)),
  String,
);
