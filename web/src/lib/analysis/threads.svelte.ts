import { Kept } from '../kept.svelte';
import { mostThreads, usualThreads } from './engine-module';

/** How many threads the visitor wants a search to have. */
export const threads = new Kept<number>(
  'analysis.threads',
  (text) =>
    Math.min(mostThreads, Math.max(1, Math.round(Number(text ?? usualThreads)) || usualThreads)),
  String,
);
