import { done, json, withBody } from '../http';
import type { ChangeAccount, Me, Register, SessionList, SignIn } from '../api';

export const readMe = (): Promise<Me> => json('/api/account');

export const register = (wanted: Register): Promise<Me> =>
  json('/api/account', withBody('POST', wanted));

export const signIn = (wanted: SignIn): Promise<Me> =>
  json('/api/session', withBody('POST', wanted));

export const signOut = (): Promise<void> => done('/api/session', { method: 'DELETE' });

export const changeAccount = (wanted: ChangeAccount): Promise<Me> =>
  json('/api/account', withBody('PATCH', wanted));

export const deleteAccount = (password: string): Promise<void> =>
  done('/api/account', withBody('DELETE', { password }));

export const listSessions = (): Promise<SessionList> => json('/api/account/sessions');

export const endSession = (id: string): Promise<void> =>
  done(`/api/account/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });

export const askRecovery = (name: string): Promise<void> =>
  done('/api/recovery', withBody('POST', { name }));

/** Sets a new password, and signs in. */
export const recover = (token: string, password: string): Promise<Me> =>
  json(`/api/recovery/${encodeURIComponent(token)}`, withBody('POST', { password }));

/** All games of the account as PGN, and all that is kept of it as JSON: addresses to download. */
export const exportPath = '/api/account/export';
export const dataPath = '/api/account/data';
