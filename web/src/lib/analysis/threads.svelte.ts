import { Kept } from '../kept.svelte';
import { mostThreads, usualThreads } from './engine-module';

/** The number of threads that the visitor has chosen for searches. */
export const threads = new Kept<number>(
  'analysis.threads',
  (text) =>
    Math.min(mostThreads, Math.max(1, Math.round(Number(text ?? usualThreads)) || usualThreads)),
  String,
);
