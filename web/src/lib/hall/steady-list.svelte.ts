/** An entry in its place, and whether it is still offered. */
export interface SteadyRow<T> {
  readonly item: T;
  readonly isOpen: boolean;
}

/** How long an entry that is gone keeps its place, in milliseconds. */
export const GONE_MS = 10_000;
/** The maximum number of entries that are gone and keep their places. */
export const MAX_GONE = 30;

/**
 * A list whose entries stay where they are while somebody aims at one of them: new entries are added
 * at the end, and one that is gone keeps its place for a while.
 */
export class SteadyList<T extends { readonly id: string }> {
  rows: readonly SteadyRow<T>[] = $state.raw([]);
  /** Whether the mouse pointer or the focus is in the list. */
  #isHeld = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Shows these entries in this order, without those that are gone. */
  reset(items: readonly T[]): void {
    clearTimeout(this.#timer);
    this.rows = items.map((item) => ({ item, isOpen: true }));
  }

  /** Updates the list to these entries. */
  update(items: readonly T[]): void {
    const current = new Map(items.map((item) => [item.id, item]));
    const kept = this.rows.map(({ item }) => {
      const now = current.get(item.id);
      current.delete(item.id);
      return { item: now ?? item, isOpen: now !== undefined };
    });
    this.rows = [...kept, ...[...current.values()].map((item) => ({ item, isOpen: true }))];
    const gone = this.rows.filter(({ isOpen }) => !isOpen).length;
    if (gone > MAX_GONE) this.#removeGone();
    else if (gone > 0) this.#removeGoneLater();
  }

  /** While true, no gap is closed. */
  set isHeld(isHeld: boolean) {
    this.#isHeld = isHeld;
    if (!isHeld && this.rows.some(({ isOpen }) => !isOpen)) this.#removeGoneLater();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #removeGoneLater(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.#isHeld) this.#removeGone();
    }, GONE_MS);
  }

  #removeGone(): void {
    clearTimeout(this.#timer);
    this.rows = this.rows.filter(({ isOpen }) => isOpen);
  }
}
