import { tick } from 'svelte';

/**
 * Moves the focus to the page's title once the page shows its next part, and scrolls to the top.
 * The button that was pressed has disappeared, and the focus with it; on a phone, that button was
 * far below the board.
 */
export async function focusHeading(): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>('main h1')?.focus();
  window.scrollTo(0, 0);
}
