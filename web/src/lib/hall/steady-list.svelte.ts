/** An entry in its place, and whether it is still offered. */
export interface SteadyRow<T> {
  readonly item: T;
  readonly isOpen: boolean;
}

interface Row<T> extends SteadyRow<T> {
  /** When the entry disappeared, in milliseconds since 1970; null if it is open. */
  readonly goneAt: number | null;
}

/** How long an entry that is gone keeps its place, in milliseconds. */
export const GONE_MS = 10_000;
/** The maximum number of entries that are gone and keep their places. */
export const MAX_GONE = 30;

/**
 * A list in which entries do not move while the visitor is about to press one. New entries are added
 * at the end, and an entry that is gone keeps its place for a while.
 */
export class SteadyList<T extends { readonly id: string }> {
  #rows: readonly Row<T>[] = $state.raw([]);
  #isHeld = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get rows(): readonly SteadyRow<T>[] {
    return this.#rows;
  }

  /** Shows these entries in this order, without those that are gone. */
  reset(items: readonly T[]): void {
    clearTimeout(this.#timer);
    this.#rows = items.map((item) => ({ item, isOpen: true, goneAt: null }));
  }

  /** Updates the list to these entries. */
  update(items: readonly T[]): void {
    const current = new Map(items.map((item) => [item.id, item]));
    const kept = this.#rows.map(({ item, goneAt }): Row<T> => {
      const now = current.get(item.id);
      current.delete(item.id);
      return now
        ? { item: now, isOpen: true, goneAt: null }
        : { item, isOpen: false, goneAt: goneAt ?? Date.now() };
    });
    const added = [...current.values()].map((item) => ({ item, isOpen: true, goneAt: null }));
    this.#rows = [...kept, ...added];
    const gone = this.#rows.filter(({ isOpen }) => !isOpen).length;
    if (gone > MAX_GONE) this.#removeGone(Infinity);
    else this.#removeGoneLater();
  }

  /** While true, gaps are not closed unless more than `MAX_GONE` entries are gone. */
  set isHeld(isHeld: boolean) {
    this.#isHeld = isHeld;
    if (!isHeld) this.#removeGoneLater();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  /** Removes each entry that has been gone for `GONE_MS`, however many others come and go. */
  #removeGoneLater(): void {
    clearTimeout(this.#timer);
    const times = this.#rows.flatMap(({ goneAt }) => goneAt ?? []);
    if (times.length === 0) return;
    const delay = Math.max(0, Math.min(...times) + GONE_MS - Date.now());
    this.#timer = setTimeout(() => {
      if (this.#isHeld) return;
      this.#removeGone(Date.now() - GONE_MS);
      this.#removeGoneLater();
    }, delay);
  }

  /** Removes the entries that disappeared at or before a time. */
  #removeGone(time: number): void {
    this.#rows = this.#rows.filter(({ goneAt }) => goneAt === null || goneAt > time);
  }
}
