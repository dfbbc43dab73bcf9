import type { TimeControl } from './api';
import { house } from './house.svelte';
import { keyOf } from './presets.svelte';
import { variants, type Variant } from './variants';

/**
 * The new games that the house offers. This is a separate module because only a few pages need it.
 */
export const offer = {
  /** The games on offer, in the order of the home page. */
  get variants(): readonly Variant[] {
    const offered = variants.filter((variant) => house.settings.games.includes(variant));
    return offered.length > 0 ? offered : variants;
  },

  /** The time controls on offer; null if players choose freely. */
  get clocks(): readonly TimeControl[] | null {
    return house.settings.clocks.length > 0 ? house.settings.clocks : null;
  },

  /**
   * Returns true if a new game against the machine is on offer. One without a clock is on offer in
   * every variant that the house offers.
   */
  hasMachine(variant: Variant, clock: TimeControl = { type: 'unlimited' }): boolean {
    return (
      this.variants.includes(variant) &&
      (clock.type === 'unlimited' ||
        this.clocks === null ||
        this.clocks.some((each) => keyOf(each) === keyOf(clock)))
    );
  },
};
