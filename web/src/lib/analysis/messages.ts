/** What the page and its engine's worker say to each other. */
import type { AnswerView, InfoView, SearchRequest } from '../analysis-types';
import type { Refusal } from '../refusal';

/** To the worker. Searches are numbered from 1 on, and answered in order. */
export type ToWorker =
  /** Once, first. `stop` holds the number of the last search that must end; null where memory cannot be shared. */
  | { type: 'start'; stop: SharedArrayBuffer | null }
  /** `network`: where the network of the game is; null where there is none. */
  | { type: 'search'; id: number; request: SearchRequest; network: string | null };

/** From the worker. */
export type FromWorker =
  /** One line of one depth, again and again. */
  | { type: 'info'; id: number; info: InfoView }
  /** The search is over, also one that was told to end. */
  | { type: 'done'; id: number; answer: AnswerView }
  | { type: 'failed'; id: number; refusal: Refusal };
