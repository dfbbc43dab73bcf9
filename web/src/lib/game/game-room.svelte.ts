import type { ChatLine, Color } from '../api';
import { leftAfterMs } from '../game-types';
import type { Presence } from '../socket';

/** Who is present in a game, and its chat. */
export class GameRoom {
  white = $state(true);
  black = $state(true);
  watchers = $state(0);
  lines: readonly ChatLine[] = $state.raw([]);
  /** Authors whom the visitor has muted in this game. */
  muted: ReadonlySet<string> = $state.raw(new Set<string>());
  /** Id of the last message that the visitor has seen. */
  #seen = $state.raw(0);
  /** When each side was first reported absent, by this page's clock; null if it is present. */
  #awaySince: Record<Color, number | null> = $state.raw({ white: null, black: null });

  constructor(private readonly now: () => number = Date.now) {}

  presence({ white, black, watchers }: Presence): void {
    this.white = white;
    this.black = black;
    this.watchers = watchers;
    const since = (isPresent: boolean, color: Color): number | null =>
      isPresent ? null : (this.#awaySince[color] ?? this.now());
    this.#awaySince = { white: since(white, 'white'), black: since(black, 'black') };
  }

  /** Returns the milliseconds until a side counts as having left; null while it is present. */
  untilLeftMs(color: Color, now: number): number | null {
    const since = this.#awaySince[color];
    return since === null ? null : Math.max(0, leftAfterMs - (now - since));
  }

  addLines(lines: readonly ChatLine[], isComplete: boolean): void {
    const before = isComplete ? [] : this.lines;
    const known = new Set(before.map(({ id }) => id));
    this.lines = [...before, ...lines.filter(({ id }) => !known.has(id))];
  }

  get visibleLines(): readonly ChatLine[] {
    return this.lines.filter(({ author }) => !this.muted.has(author));
  }

  /**
   * Returns the number of unread visible messages. `you` is the visitor's side, whose messages are
   * not counted. A spectator's own messages cannot be told from those of others, but the chat is in
   * view when they are sent.
   */
  unseen(you: Color | null): number {
    const isOwn = ({ color }: ChatLine): boolean => you !== null && color === you;
    return this.visibleLines.filter((line) => line.id > this.#seen && !isOwn(line)).length;
  }

  /** Marks all messages as seen. */
  markAllSeen(): void {
    this.#seen = Math.max(0, ...this.lines.map(({ id }) => id));
  }

  mute(author: string): void {
    this.muted = new Set([...this.muted, author]);
  }

  unmuteAll(): void {
    this.muted = new Set();
  }
}
