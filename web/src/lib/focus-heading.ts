import { tick } from 'svelte';

/**
 * Moves the focus to the title of the page once it shows its next part. The button that led there
 * has disappeared with the focus, and on a phone the board is far above it.
 */
export async function focusHeading(): Promise<void> {
  await tick();
  document.querySelector<HTMLElement>('main h1')?.focus();
  window.scrollTo(0, 0);
}
