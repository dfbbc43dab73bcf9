import { requestVoid, json, withBody } from '../http';
import { withBase, withoutBase } from '../routing/base-path';
import type {
  BlockList,
  ChangeAccount,
  ChangeMail,
  ChangePreferences,
  ChangeSecondFactor,
  CompleteIdentity,
  IdentityProvider,
  LinkStarted,
  LinkedIdentities,
  Me,
  NewSecondFactor,
  PendingIdentity,
  Preferences,
  PresenceAudience,
  PushDevices,
  Recover,
  RecoveryCodes,
  Register,
  SessionList,
  SignIn,
  SubscribePush,
  UnlinkIdentity,
} from '../api';

export const readMe = (): Promise<Me> => json('/api/account');

export const register = (body: Register): Promise<Me> =>
  json('/api/account', withBody('POST', body));

export const signIn = (body: SignIn): Promise<Me> => json('/api/session', withBody('POST', body));

export const signOut = (): Promise<void> => requestVoid('/api/session', { method: 'DELETE' });

export const changeAccount = (body: ChangeAccount): Promise<Me> =>
  json('/api/account', withBody('PATCH', body));

export const deleteAccount = (password: string): Promise<void> =>
  requestVoid('/api/account', withBody('DELETE', { password }));

export const listSessions = (): Promise<SessionList> => json('/api/account/sessions');

export const endSession = (id: string): Promise<void> =>
  requestVoid(`/api/account/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });

export const requestRecovery = (name: string): Promise<void> =>
  requestVoid('/api/recovery', withBody('POST', { name }));

/** Requests another e-mail with the confirmation link. */
export const requestConfirmation = (): Promise<void> =>
  requestVoid('/api/account/confirmation', { method: 'POST' });

export const confirmAddress = (token: string): Promise<void> =>
  requestVoid(`/api/confirmation/${encodeURIComponent(token)}`, { method: 'POST' });

/** Turns off reminders for the account that the token belongs to. Works without signing in. */
export const stopReminders = (token: string): Promise<void> =>
  requestVoid(`/api/mail/stop/${encodeURIComponent(token)}`, { method: 'POST' });

export const changeMail = (body: ChangeMail): Promise<Me> =>
  json('/api/account/mail', withBody('PATCH', body));

const preferencesPath = '/api/account/preferences';

export const readPreferences = (): Promise<Preferences> => json(preferencesPath);

/**
 * Changes the account's preferences. The request outlives the page, which may be closed right after
 * a choice.
 */
export const changePreferences = (body: ChangePreferences): Promise<Preferences> =>
  json(preferencesPath, { ...withBody('PATCH', body), keepalive: true });

/** Fails unless a recovery link is valid. Does not use it up. */
export const checkRecovery = (token: string): Promise<void> =>
  requestVoid(`/api/recovery/${encodeURIComponent(token)}`, {});

/** Sets a new password and signs in. */
export const recover = (token: string, body: Recover): Promise<Me> =>
  json(`/api/recovery/${encodeURIComponent(token)}`, withBody('POST', body));

const secondFactorPath = '/api/account/second-factor';

/** Requests a secret for an authenticator app. It takes effect once it is confirmed. */
export const beginSecondFactor = (password: string): Promise<NewSecondFactor> =>
  json(secondFactorPath, withBody('POST', { password }));

export const confirmSecondFactor = (code: string): Promise<RecoveryCodes> =>
  json(secondFactorPath, withBody('PUT', { code }));

export const endSecondFactor = (body: ChangeSecondFactor): Promise<void> =>
  requestVoid(secondFactorPath, withBody('DELETE', body));

export const renewRecoveryCodes = (body: ChangeSecondFactor): Promise<RecoveryCodes> =>
  json(`${secondFactorPath}/codes`, withBody('POST', body));

/**
 * Returns the address that starts a sign-in through a provider. After the sign-in, the browser
 * opens the address `to`, or the home page if `to` is outside the house.
 */
export function providerPath(provider: IdentityProvider, to: string, invitation?: string): string {
  const parameters = new URLSearchParams({
    to: withoutBase(to) ?? '/',
    ...(invitation === undefined ? {} : { invitation }),
  });
  return withBase(`/${provider}/begin?${parameters.toString()}`);
}

/** Reads an incomplete sign-in through a provider. */
export const readPendingIdentity = (): Promise<PendingIdentity> => json('/api/identity');

export const completeIdentity = (wanted: CompleteIdentity): Promise<Me> =>
  json('/api/identity', withBody('POST', wanted));

export const cancelIdentity = (): Promise<void> =>
  requestVoid('/api/identity', { method: 'DELETE' });

const blocksPath = '/api/account/blocks';

export const listBlocks = (): Promise<BlockList> => json(blocksPath);

export const block = (name: string): Promise<BlockList> =>
  json(blocksPath, withBody('POST', { name }));

export const unblock = (name: string): Promise<BlockList> =>
  json(blocksPath, withBody('DELETE', { name }));

/** Sets which other visitors may see that this one is online. */
export const changePresence = (shownTo: PresenceAudience): Promise<Me> =>
  json('/api/account/presence', withBody('PATCH', { shownTo }));

const pushPath = '/api/account/push';

/** Lists the browsers to which notifications are pushed, and reads the server's key. */
export const listPushDevices = (): Promise<PushDevices> => json(pushPath);

/** Subscribes this browser to notifications. */
export const subscribePush = (body: SubscribePush): Promise<PushDevices> =>
  json(pushPath, withBody('POST', body));

export const removePushDevice = (id: string): Promise<PushDevices> =>
  json(`${pushPath}/${encodeURIComponent(id)}`, { method: 'DELETE' });

const identitiesPath = '/api/account/identities';

export const listIdentities = (): Promise<LinkedIdentities> => json(identitiesPath);

/**
 * Links the identity that a proxy has proved, or returns the provider's URL at which the visitor
 * must prove it.
 */
export const linkIdentity = (provider: IdentityProvider, password: string): Promise<LinkStarted> =>
  json(identitiesPath, withBody('POST', { provider, password }));

export const unlinkIdentity = (wanted: UnlinkIdentity): Promise<void> =>
  requestVoid(identitiesPath, withBody('DELETE', wanted));

/** URLs for downloading the account's games as PGN, and all its data as JSON. */
export const exportPath = withBase('/api/account/export');
export const dataPath = withBase('/api/account/data');
