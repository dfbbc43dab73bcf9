import type { Account } from '../api';
import { readMe } from './calls';

/** The current visitor as identified by the server. */
class Visitor {
  account: Account | null = $state.raw(null);
  /** Whether the server has identified the visitor yet. */
  isKnown = $state(false);

  async load(): Promise<void> {
    const { account } = await readMe();
    this.setAccount(account);
  }

  setAccount(account: Account | null): void {
    this.account = account;
    this.isKnown = true;
  }
}

export const visitor = new Visitor();
