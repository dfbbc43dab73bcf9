import { announcer } from '../announcer.svelte';
import type { AdminAct, AdminDone } from '../api';
import { t } from '../i18n/i18n.svelte';
import { refusalOf, type Refusal } from '../refusal';
import { administer } from './calls';

/** Runs one section's acts, at most one at a time, and stores the refusal of the last one. */
export class ActRunner {
  isBusy = $state(false);
  refusal = $state.raw<Refusal | null>(null);
  #part: object | null = null;

  /**
   * Carries out an act; returns null if it was refused or another act is still running. `part` is
   * the part of the section that shows the refusal.
   */
  async run(act: AdminAct, part: object | null = null): Promise<AdminDone | null> {
    if (this.isBusy) return null;
    this.#part = part;
    this.isBusy = true;
    this.refusal = null;
    try {
      const done = await administer(act);
      announcer.announce(t('admin-done'));
      return done;
    } catch (error) {
      this.refusal = refusalOf(error);
      return null;
    } finally {
      this.isBusy = false;
    }
  }

  /** Returns the last refusal if it concerns an act from this part of the section. */
  refusalOf(part: object): Refusal | null {
    return this.#part === part ? this.refusal : null;
  }
}
