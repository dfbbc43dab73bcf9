import type { Variant } from '../variants';

/** The networks that come with the program, each a file of its own; those that are too large to be fetched are left out. */
const urls = import.meta.glob<string>(
  [
    '../../../../crates/engine/networks/**/*.network',
    '!../../../../crates/engine/networks/chess.network',
  ],
  { eager: true, query: '?url', import: 'default' },
);

/** Where the network of a game is; null for one that is evaluated without. */
export function networkUrl(variant: Variant): string | null {
  const found = Object.entries(urls).find(([path]) => path.endsWith(`/${variant}.network`));
  return found?.[1] ?? null;
}
