import { untrack } from 'svelte';
import { afterPaint } from './after-paint';

/**
 * A value that follows another one with the delay of a frame. Parts of the page that take long to build depend
 * on it, so that the control that has changed the value is drawn first.
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
