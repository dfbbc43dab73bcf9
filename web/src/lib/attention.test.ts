// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

// Each test loads the modules again, which takes seconds on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** Sets the browser's capabilities, and loads the module as a new page would. */
async function notificationsOf(
  notification: unknown,
  registration: { active: object; showNotification: (...all: unknown[]) => Promise<void> } | null,
) {
  vi.resetModules();
  vi.stubGlobal('Notification', notification);
  const serviceWorker = { getRegistration: () => Promise.resolve(registration ?? undefined) };
  vi.stubGlobal('navigator', { ...navigator, serviceWorker });
  const { browserNotifications } = await import('./attention.svelte');
  const { preferences } = await import('./preferences.svelte');
  preferences.notifications.current = true;
  return browserNotifications;
}

beforeEach(() => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Simulates a phone: the API exists, but only a service worker may show notifications. */
class PhoneNotification {
  static permission = 'granted';
  constructor() {
    throw new TypeError('Illegal constructor');
  }
}

it('shows notifications through the service worker if there is one', async () => {
  const showNotification = vi.fn(() => Promise.resolve());
  const browserNotifications = await notificationsOf(PhoneNotification, {
    active: {},
    showNotification,
  });
  browserNotifications.show('Titre', 'Texte', 'tag', '/game/x');
  await vi.waitFor(() => expect(showNotification).toHaveBeenCalledOnce());
  expect(showNotification).toHaveBeenCalledWith(
    'Titre',
    expect.objectContaining({ body: 'Texte', tag: 'tag', data: { path: '/game/x' } }),
  );
  expect(browserNotifications.areOn).toBe(true);
});

it('without a service worker, a click on a notification opens its page', async () => {
  const shown: EventTarget[] = [];
  class WindowNotification extends EventTarget {
    static permission = 'granted';
    close = (): void => {};
    constructor() {
      super();
      shown.push(this);
    }
  }
  const browserNotifications = await notificationsOf(WindowNotification, null);
  const { router } = await import('./routing/router.svelte');
  const go = vi.spyOn(router, 'go').mockReturnValue();
  browserNotifications.show('Titre', 'Texte', 'tag', '/game/abcdefghijkl');
  await vi.waitFor(() => expect(shown).toHaveLength(1));
  shown[0]?.dispatchEvent(new Event('click'));
  expect(go).toHaveBeenCalledExactlyOnceWith('/game/abcdefghijkl');
  // Without a path, the notification belongs to the page that is open.
  browserNotifications.show('Titre', 'Texte', 'tag');
  await vi.waitFor(() => expect(shown).toHaveLength(2));
  shown[1]?.dispatchEvent(new Event('click'));
  expect(go).toHaveBeenCalledOnce();
});

it('reports notifications as unsupported once the browser has failed to show one', async () => {
  const browserNotifications = await notificationsOf(PhoneNotification, null);
  expect(browserNotifications.areOn).toBe(true);
  browserNotifications.show('Titre', 'Texte', 'tag');
  await vi.waitFor(() => expect(browserNotifications.permission).toBe('unsupported'));
  expect(browserNotifications.areOn).toBe(false);
});

it('reports notifications as unsupported if the browser lacks the API', async () => {
  const browserNotifications = await notificationsOf(undefined, null);
  expect([browserNotifications.permission, browserNotifications.areOn]).toEqual([
    'unsupported',
    false,
  ]);
});
