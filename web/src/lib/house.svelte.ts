import type { House, HouseSettings, SignInMeans } from './api';
import { json } from './http';

/** What every visitor may know about the house. */
class HouseState {
  settings: HouseSettings = $state.raw({
    name: '',
    contact: '',
    registration: 'open',
    chat: 'everybody',
    notice: '',
  });

  /** The means of signing in besides a password. */
  signIn: SignInMeans = $state.raw({ openid: null, proxy: null });

  async load(): Promise<void> {
    ({ settings: this.settings, signIn: this.signIn } = await json<House>('/api/house'));
  }
}

export const house = new HouseState();
