/**
 * Calls `callback` once the next frame is on the screen, so that invisible work does not delay that
 * frame. On a hidden page, which has no frames, calls `callback` at once.
 */
export function afterPaint(callback: () => void): void {
  if (document.visibilityState === 'hidden') callback();
  else requestAnimationFrame(() => setTimeout(callback));
}
