import type { House, HouseSettings } from './api';
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

  async load(): Promise<void> {
    this.settings = (await json<House>('/api/house')).settings;
  }
}

export const house = new HouseState();
