import type { ChatLine, Color } from '../api';
import { leftAfterMs } from '../game-types';
import type { Presence } from '../socket';

/** Presence and chat of a game. */
export class Company {
  white = $state(true);
  black = $state(true);
  watchers = $state(0);
  lines: readonly ChatLine[] = $state.raw([]);
  /** Those whom the visitor does not want to read in this game. */
  muted: ReadonlySet<string> = $state.raw(new Set<string>());
  /** Since when each side has been away, by the clock of this page. */
  #awaySince: Record<Color, number | null> = $state.raw({ white: null, black: null });

  constructor(private readonly now: () => number = Date.now) {}

  presence({ white, black, watchers }: Presence): void {
    this.white = white;
    this.black = black;
    this.watchers = watchers;
    const since = (here: boolean, color: Color): number | null =>
      here ? null : (this.#awaySince[color] ?? this.now());
    this.#awaySince = { white: since(white, 'white'), black: since(black, 'black') };
  }

  /** How long until a side may be held to have left; `null` while it is here. */
  untilLeftMs(color: Color, now: number): number | null {
    const since = this.#awaySince[color];
    return since === null ? null : Math.max(0, leftAfterMs - (now - since));
  }

  said(lines: readonly ChatLine[], isAll: boolean): void {
    const before = isAll ? [] : this.lines;
    const known = new Set(before.map(({ id }) => id));
    this.lines = [...before, ...lines.filter(({ id }) => !known.has(id))];
  }

  get heard(): readonly ChatLine[] {
    return this.lines.filter(({ author }) => !this.muted.has(author));
  }

  mute(author: string): void {
    this.muted = new Set([...this.muted, author]);
  }

  unmuteAll(): void {
    this.muted = new Set();
  }
}
