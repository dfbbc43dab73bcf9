/**
 * Calls `callback` once the next frame is on the screen, so that invisible work does not delay it.
 * On a hidden page, which has no frames, calls it at once.
 */
export function afterPaint(callback: () => void): void {
  if (document.visibilityState === 'hidden') callback();
  else requestAnimationFrame(() => setTimeout(callback));
}
