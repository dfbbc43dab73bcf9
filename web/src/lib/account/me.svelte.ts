import type { Account } from '../api';
import { readMe } from './calls';

/** The visitor as the server knows them. */
class Visitor {
  account: Account | null = $state.raw(null);
  /** Whether the server has answered at all. */
  isKnown = $state(false);

  async load(): Promise<void> {
    const { account } = await readMe();
    this.is(account);
  }

  is(account: Account | null): void {
    this.account = account;
    this.isKnown = true;
  }
}

export const visitor = new Visitor();
