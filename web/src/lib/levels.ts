import type { Level } from './api';

export type { Level };

/** The machine's levels, weakest first. */
export const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const satisfies readonly Level[];
