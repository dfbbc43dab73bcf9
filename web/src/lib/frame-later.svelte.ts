import { untrack } from 'svelte';
import { afterPaint } from './after-paint';

/**
 * A value that follows another with a delay of one frame. Parts of the page that take a long time
 * to build depend on it, so that the control that changed the value is drawn first.
 */
export class FrameLater<T> {
  current: T = $state.raw() as T;

  /** Must be called while a component is being created. */
  constructor(read: () => T) {
    this.current = untrack(read);
    $effect(() => {
      if (read() !== untrack(() => this.current)) afterPaint(() => (this.current = read()));
    });
  }
}
