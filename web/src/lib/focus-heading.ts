import { tick } from 'svelte';

/**
 * Moves the focus to the page's title once the page shows its next part, and scrolls to the top.
 * The button that led there has disappeared, and the focus with it; on a phone, it was far below
 * the board.
 */
export async function focusHeading(): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>('main h1')?.focus();
  window.scrollTo(0, 0);
}
