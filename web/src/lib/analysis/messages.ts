/** Messages between the page and the engine's workers. */
import type { AnswerView, InfoView, SearchRequest } from '../analysis-types';
import type { Refusal } from '../refusal';
import type { SharedEngine } from './engine-module';

/** Messages to the worker. Searches are numbered from 1 and answered in order. */
export type ToWorker =
  /**
   * The first message, sent once. `stop` holds the number of the last search to stop; null without
   * shared memory. `wantsToShare`: whether the worker may have helpers.
   */
  | { type: 'start'; stop: SharedArrayBuffer | null; wantsToShare: boolean }
  /** `network`: URL of the game's network; null if it has none. */
  | { type: 'search'; id: number; request: SearchRequest; network: string | null };

/** Messages from the worker. */
export type FromWorker =
  /** Sent once, before the first search, if helpers are possible. They need `shared` to join. */
  | { type: 'shared'; shared: SharedEngine }
  /** One line at one depth. Sent many times. */
  | { type: 'info'; id: number; info: InfoView }
  /** The search has ended or was stopped. */
  | { type: 'done'; id: number; answer: AnswerView }
  /** `isBroken`: neither the worker nor its helpers can be used again. */
  | { type: 'failed'; id: number; refusal: Refusal; isBroken: boolean };

/** Message from a helper. `isSearching`: it failed during a search, not while it started. */
export type FromHelper = { type: 'failed'; isSearching: boolean };
