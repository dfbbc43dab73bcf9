import type { House, HouseSettings, SignInMethods } from './api';
import { json } from './http';
import { Persisted } from './persisted.svelte';

/** The name at the last visit, so that the header does not move when the name arrives. */
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
