/** The messages between the page and the workers of its engine. */
import type { AnswerView, InfoView, SearchRequest } from '../analysis-types';
import type { Refusal } from '../refusal';
import type { Shared } from './engine-module';

/** To the worker. Searches are numbered from 1 on, and answered in order. */
export type ToWorker =
  /**
   * Once, first. `stop` holds the number of the last search that must end; null where memory cannot be shared. `wantsToShare`:
   * whether there will be helpers.
   */
  | { type: 'start'; stop: SharedArrayBuffer | null; wantsToShare: boolean }
  /** `network`: where the network of the game is; null where there is none. */
  | { type: 'search'; id: number; request: SearchRequest; network: string | null };

/** From the worker. */
export type FromWorker =
  /** Once, before the first search, where other threads can help with searches: what they need to get in. */
  | { type: 'shared'; shared: Shared }
  /** One line of one depth, again and again. */
  | { type: 'info'; id: number; info: InfoView }
  /** The search is over, also one that was told to end. */
  | { type: 'done'; id: number; answer: AnswerView }
  /** `isBroken`: neither the worker nor its helpers can be used any more. */
  | { type: 'failed'; id: number; refusal: Refusal; isBroken: boolean };

/** From a helper, which is told what it needs to get in, and then never ends: it could not get in, or broke off inside. */
export type FromHelper = { type: 'failed'; isInside: boolean };
