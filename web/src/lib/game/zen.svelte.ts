import { untrack } from 'svelte';
import { afterPaint } from '../after-paint';
import { preferences } from '../preferences.svelte';

/** Zen mode on a game's page: it hides everything but the game. */
export class Zen {
  readonly isOn = $derived(preferences.zen.current);
  /**
   * Whether the rest is shown. Building it takes longer than a frame on a slow processor, so the
   * pressed button changes first.
   */
  showsRest = $state(!preferences.zen.current);

  /** Must be called while a component is being created. */
  constructor() {
    $effect(() => {
      if (this.isOn) this.showsRest = false;
      else if (!untrack(() => this.showsRest)) afterPaint(() => (this.showsRest = !this.isOn));
    });
  }

  toggle(): void {
    preferences.zen.current = !preferences.zen.current;
  }

  /** Leaves zen mode, and shows the rest at once. */
  leave(): void {
    preferences.zen.current = false;
    this.showsRest = true;
  }
}
