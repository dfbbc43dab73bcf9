// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import Push from '$lib/components/account/Push.svelte';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench, userEvent, waitFor } from '$lib/testing';

/** The server's key: 65 bytes, in base64 with the URL alphabet. */
const key = btoa(String.fromCharCode(4, ...Array.from({ length: 64 }, () => 0xff)))
  .replaceAll('+', '-')
  .replaceAll('/', '_')
  .replaceAll('=', '');

const device = (id: string, current: boolean) => ({
  id,
  service: 'push.example.org',
  agent: 'Mozilla/5.0 (Android) Firefox/140.0',
  createdAt: 0,
  current,
});

/** The state of the server and of the browser in a test. */
const state = {
  key: key as string | null,
  devices: [] as ReturnType<typeof device>[],
  permission: 'granted' as NotificationPermission,
  subscription: null as ReturnType<typeof subscriptionWith> | null,
  fails: false,
};
const requests: string[] = [];

function subscriptionWith(options: { applicationServerKey: ArrayBuffer | null }) {
  return {
    options,
    toJSON: () => ({ endpoint: 'https://push.example.org/1', keys: { p256dh: 'P', auth: 'A' } }),
    unsubscribe: vi.fn(() => {
      state.subscription = null;
      return Promise.resolve(true);
    }),
  };
}

const subscribe = vi.fn((options: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
  if (state.fails) return Promise.reject(new Error('no push service'));
  state.subscription = subscriptionWith({
    applicationServerKey: options.applicationServerKey.buffer,
  });
  return Promise.resolve(state.subscription);
});

function respond(url: string, init?: RequestInit): Promise<Response> {
  requests.push([init?.method ?? 'GET', url, init?.body ?? ''].join(' ').trim());
  if (init?.method === 'POST') state.devices = [device('here', true), ...state.devices];
  if (init?.method === 'DELETE') {
    state.devices = state.devices.filter(({ id }) => !url.endsWith(`/${id}`));
  }
  return Promise.resolve(Response.json({ key: state.key, devices: state.devices }));
}

beforeEach(async () => {
  await useFrench();
  await i18n.need('account');
  Object.assign(state, {
    key,
    devices: [],
    permission: 'granted',
    subscription: null,
    fails: false,
  });
  requests.length = 0;
  const registration = {
    pushManager: { getSubscription: () => Promise.resolve(state.subscription), subscribe },
  };
  vi.stubGlobal('fetch', vi.fn(respond));
  vi.stubGlobal('PushManager', vi.fn());
  vi.stubGlobal('Notification', { requestPermission: () => Promise.resolve(state.permission) });
  const serviceWorker = {
    register: () => Promise.resolve(registration),
    getRegistration: () => Promise.resolve(registration),
    ready: Promise.resolve(registration),
  };
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker, configurable: true });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker');
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

async function shownSwitch(): Promise<HTMLInputElement> {
  render(Push);
  const found = await screen.findByRole<HTMLInputElement>('checkbox', {
    name: 'Recevoir des notifications sur cet appareil',
  });
  await waitFor(() => expect(found.disabled).toBe(false));
  return found;
}

it('subscribes this device and unsubscribes it again', async () => {
  const user = userEvent.setup();
  const toggle = await shownSwitch();
  expect(toggle.checked).toBe(false);
  await user.click(toggle);
  await screen.findByText('Les notifications sont activées sur cet appareil.');
  expect(toggle.checked).toBe(true);
  expect(subscribe).toHaveBeenCalledWith({
    userVisibleOnly: true,
    applicationServerKey: Uint8Array.from([4, ...Array.from({ length: 64 }, () => 0xff)]),
  });
  expect(requests.at(-1)).toBe(
    'POST /api/account/push {"endpoint":"https://push.example.org/1","p256dh":"P","auth":"A"}',
  );
  expect(screen.getByText('Firefox, Android, celui-ci')).toBeTruthy();

  const unsubscribe = state.subscription?.unsubscribe;
  await user.click(toggle);
  await screen.findByText('Les notifications sont arrêtées sur cet appareil.');
  expect(toggle.checked).toBe(false);
  expect(requests.at(-1)).toBe('DELETE /api/account/push/here');
  expect(unsubscribe).toHaveBeenCalledOnce();
});

it('says so when the browser refuses, and stays off', async () => {
  state.permission = 'denied';
  const toggle = await shownSwitch();
  await userEvent.setup().click(toggle);
  expect((await screen.findByRole('alert')).textContent).toContain('Le navigateur bloque');
  expect([toggle.checked, subscribe.mock.calls.length]).toEqual([false, 0]);
});

it('says so when the push service fails, and stays off', async () => {
  state.fails = true;
  const toggle = await shownSwitch();
  await userEvent.setup().click(toggle);
  expect((await screen.findByRole('alert')).textContent).toContain('ne répond pas');
  expect(toggle.checked).toBe(false);
});

it('says so when the browser does not support push', async () => {
  vi.stubGlobal('PushManager', undefined);
  // The property must be absent, as in such a browser.
  delete (globalThis as { PushManager?: unknown }).PushManager;
  render(Push);
  expect((await screen.findByRole('alert')).textContent).toContain('écran d’accueil');
  expect(screen.queryByRole('checkbox')).toBeNull();
});

it('says so when the server does not send notifications', async () => {
  state.key = null;
  render(Push);
  await screen.findByText(/n’envoie pas de notifications/);
  expect(screen.queryByRole('checkbox')).toBeNull();
});

it('replaces a subscription to a different server', async () => {
  const earlier = subscriptionWith({ applicationServerKey: new Uint8Array(65).buffer });
  state.subscription = earlier;
  await userEvent.setup().click(await shownSwitch());
  await screen.findByText('Les notifications sont activées sur cet appareil.');
  expect(earlier.unsubscribe).toHaveBeenCalledOnce();
  expect(subscribe).toHaveBeenCalledOnce();
});

it('is off when the browser has lost its subscription, and lists the other devices', async () => {
  state.devices = [device('here', true), device('phone', false)];
  const toggle = await shownSwitch();
  expect(toggle.checked).toBe(false);
  const [, phone] = screen.getAllByRole('button', { name: /Retirer Firefox, Android/ });
  await userEvent.setup().click(phone as HTMLElement);
  await screen.findByText('L’appareil est retiré.');
  expect(requests.at(-1)).toBe('DELETE /api/account/push/phone');
});

/**
 * Runs the service worker with the given globals, as on a host where the house has a path of its
 * own. Returns a function that dispatches an event to the worker's handlers.
 */
function runServiceWorker(globals: Record<string, unknown>) {
  const handlers: Record<string, (event: unknown) => void> = {};
  const scope = 'https://club.example.org/echecs/';
  const all: Record<string, unknown> = {
    self: { registration: { scope }, location: new URL(scope) },
    addEventListener: (name: string, handler: (event: unknown) => void) => {
      handlers[name] = handler;
    },
    ...globals,
  };
  const source = readFileSync(`${process.cwd()}/public/sw.js`, 'utf8');
  // The worker is a script, not a module.
  // oxlint-disable-next-line no-implied-eval
  const run = new Function(...Object.keys(all), source) as (...values: unknown[]) => void;
  run(...Object.values(all));
  return async (name: string, event: object): Promise<void> => {
    const pending: Promise<unknown>[] = [];
    handlers[name]?.({ ...event, waitUntil: (work: Promise<unknown>) => pending.push(work) });
    await Promise.all(pending);
  };
}

it('shows a pushed message, and stops notifications when its action is chosen', async () => {
  const showNotification = vi.fn(() => Promise.resolve());
  const unsubscribe = vi.fn(() => Promise.resolve(true));
  const getSubscription = () => Promise.resolve({ unsubscribe });
  const fetched = vi.fn(() => Promise.reject(new Error('offline')));
  const openWindow = vi.fn(() => Promise.resolve());
  const dispatch = runServiceWorker({
    registration: { showNotification, pushManager: { getSubscription } },
    clients: { matchAll: () => Promise.resolve([]), openWindow },
    fetch: fetched,
  });
  const message = {
    title: 'À vous de jouer',
    body: 'Échecs contre Bela',
    language: 'fr',
    path: '/game/x',
    tag: 'x',
    stop: { title: 'Arrêter', token: 'token' },
  };
  await dispatch('push', { data: { json: () => message } });
  const expected = {
    body: 'Échecs contre Bela',
    tag: 'x',
    lang: 'fr',
    data: { path: '/echecs/game/x', stop: 'token' },
    actions: [{ action: 'stop', title: 'Arrêter' }],
  };
  expect(showNotification).toHaveBeenCalledWith(
    'À vous de jouer',
    expect.objectContaining(expected),
  );
  const notification = { close: vi.fn(), data: { path: '/echecs/game/x', stop: 'token' } };
  await dispatch('notificationclick', { notification, action: '' });
  expect(openWindow).toHaveBeenCalledWith('/echecs/game/x');
  await dispatch('notificationclick', { notification, action: 'stop' });
  expect(fetched).toHaveBeenCalledWith('/echecs/api/push/stop/token', { method: 'POST' });
  expect(unsubscribe).toHaveBeenCalledOnce();
  expect(openWindow).toHaveBeenCalledOnce();
});

it('replaces a subscription that the browser has ended, and tells the server', async () => {
  const fetched = vi.fn(() => Promise.resolve(new Response()));
  const subscribed = vi.fn(() => Promise.resolve(subscriptionWith({ applicationServerKey: null })));
  const dispatch = runServiceWorker({
    registration: { pushManager: { subscribe: subscribed } },
    fetch: fetched,
  });
  const options = { userVisibleOnly: true };
  await dispatch('pushsubscriptionchange', { oldSubscription: { options } });
  expect(subscribed).toHaveBeenCalledWith(options);
  expect(fetched).toHaveBeenCalledWith(
    '/echecs/api/account/push',
    expect.objectContaining({
      body: '{"endpoint":"https://push.example.org/1","p256dh":"P","auth":"A"}',
    }),
  );
});
