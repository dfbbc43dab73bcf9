import { untrack } from 'svelte';

let count = $state(0);

/** Whether a part of the page is still missing. */
export const loading = {
  get isActive(): boolean {
    return count > 0;
  },
};

/** Attachment for an element that stands in for a missing part of the page. */
export function whileLoading(): () => void {
  const add = (change: number): void => untrack(() => void (count += change));
  add(1);
  return () => add(-1);
}
