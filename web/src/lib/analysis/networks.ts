import type { Variant } from '../variants';

/**
 * URLs of the networks that the page may fetch. The native network for chess is excluded: it is too
 * large.
 */
const urls = import.meta.glob<string>(
  [
    '../../../../crates/engine/networks/**/*.network',
    '!../../../../crates/engine/networks/chess.network',
  ],
  { eager: true, query: '?url', import: 'default' },
);

/** Returns the URL of a game's network; null if the game is evaluated without one. */
export function networkUrl(variant: Variant): string | null {
  const found = Object.entries(urls).find(([path]) => path.endsWith(`/${variant}.network`));
  return found?.[1] ?? null;
}
