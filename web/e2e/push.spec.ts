import { expect, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';

test.use({ serviceWorkers: 'allow' });

/** A browser's push subscription. Nothing is sent to it during this test. */
const subscription = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/nobody',
  keys: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
};

test('notifications on this device are turned on and off', async ({ page, context, baseURL }) => {
  const base = baseURL ?? '';
  await context.grantPermissions(['notifications'], { origin: base });
  // The test browser has no push service.
  await page.addInitScript((data) => {
    let current: object | null = null;
    PushManager.prototype.getSubscription = () =>
      Promise.resolve(current as PushSubscription | null);
    PushManager.prototype.subscribe = (options) => {
      current = {
        options,
        toJSON: () => data,
        unsubscribe: () => {
          current = null;
          return Promise.resolve(true);
        },
      };
      return Promise.resolve(current as PushSubscription);
    };
  }, subscription);
  await page.goto(`${base}/account`);
  await page.getByRole('radio', { name: 's’inscrire' }).check();
  await page
    .getByLabel('Nom', { exact: true })
    .fill(`Push${Math.random().toString(36).slice(2, 8)}`);
  await page.getByLabel('Mot de passe', { exact: true }).fill('un mot de passe assez long');
  await page.getByRole('button', { name: 'Créer le compte' }).click();

  const panel = page.getByRole('region', { name: 'Notifications sur vos appareils' });
  const toggle = panel.getByLabel('Recevoir des notifications sur cet appareil');
  await expect(toggle).not.toBeChecked();
  await toggle.check();
  await expect(panel.getByText('Les notifications sont activées sur cet appareil.')).toBeVisible();
  await expect(panel.getByText(/fcm\.googleapis\.com/)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);

  await toggle.uncheck();
  await expect(panel.getByText('Les notifications sont arrêtées sur cet appareil.')).toBeVisible();
  await expect(panel.getByText(/fcm\.googleapis\.com/)).toBeHidden();
});

test('the service worker shows pushed notifications', async ({ page, context, baseURL }) => {
  await page.goto(`${baseURL ?? ''}/games`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  const message = {
    title: 'À vous de jouer',
    body: 'Échecs contre Bela',
    language: 'fr',
    path: '/game/aaaaaaaaaaaa',
    tag: 'aaaaaaaaaaaa',
    stop: { title: 'Arrêter sur cet appareil', token: 'token' },
  };
  // The test browser has no push service and shows no notifications, so the push event is simulated
  // and the notification is intercepted.
  const shown = await worker.evaluate((data) => {
    const scope = globalThis as unknown as {
      registration: { showNotification: (...all: unknown[]) => Promise<void> };
      PushEvent: new (type: string, init: { data: string }) => Event;
    };
    return new Promise<unknown[]>((resolve) => {
      scope.registration.showNotification = (...all) => {
        resolve(all);
        return Promise.resolve();
      };
      dispatchEvent(new scope.PushEvent('push', { data }));
    });
  }, JSON.stringify(message));
  expect(shown).toEqual([
    message.title,
    expect.objectContaining({
      body: message.body,
      tag: message.tag,
      lang: 'fr',
      data: { path: message.path, stop: 'token' },
      actions: [{ action: 'stop', title: message.stop.title }],
    }),
  ]);
});
