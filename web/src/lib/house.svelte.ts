import type { House, HouseSettings, SignInMethods } from './api';
import { json } from './http';
import { Persisted } from './persisted.svelte';

/**
 * The name of the house at the last visit. It is shown until the current one arrives, so that the
 * header does not move.
 */
const lastName = new Persisted<string>(
  'house-name',
  (text) => text ?? '',
  (name) => name,
);

/** The public information about the house. */
class HouseState {
  settings: HouseSettings = $state.raw({
    name: lastName.current,
    contact: '',
    registration: 'open',
    chat: 'everybody',
    notice: '',
    games: [],
    clocks: [],
  });

  /** The sign-in methods other than a password. */
  signIn: SignInMethods = $state.raw({ openid: null, proxy: null });

  /** Whether the house sends e-mails. */
  sendsMail = $state(true);

  async load(): Promise<void> {
    ({
      settings: this.settings,
      signIn: this.signIn,
      sendsMail: this.sendsMail,
    } = await json<House>('/api/house'));
    lastName.current = this.settings.name;
  }
}

export const house = new HouseState();
