/**
 * This browser's subscription to notifications that arrive while no page is open. The server sends
 * them through the push service of the browser's vendor, and the service worker shows them.
 */
import { listPushDevices, subscribePush } from './calls';
import { browserNotifications } from '../attention.svelte';
import { withBase } from '../routing/base-path';
import type { PushDevices } from '../api';

/** Why this browser does not get notifications although the visitor wants them. */
export type PushProblem = 'denied' | 'unsupported' | 'failed';

/**
 * Returns `false` in browsers without push, on insecure pages, and on iOS unless the site has been
 * added to the home screen.
 */
export function isPushSupported(): boolean {
  return (
    typeof navigator !== 'undefined' &&
    'serviceWorker' in navigator &&
    'PushManager' in globalThis &&
    'Notification' in globalThis
  );
}

/** Decodes base64 with the URL alphabet. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function isSame(one: Uint8Array, other: ArrayBuffer | null): boolean {
  if (other === null || other.byteLength !== one.length) return false;
  return new Uint8Array(other).every((byte, index) => byte === one[index]);
}

async function currentSubscription(): Promise<PushSubscription | null> {
  if (!isPushSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/**
 * Subscribes this browser after asking the visitor. Must be called while a click is being
 * handled, because some browsers ask only then. Returns the account's devices, or the reason why this
 * browser cannot be subscribed.
 */
export async function turnPushOn(key: string): Promise<PushDevices | PushProblem> {
  if (!isPushSupported()) return 'unsupported';
  browserNotifications.permission = await Notification.requestPermission();
  if (browserNotifications.permission !== 'granted') return 'denied';
  const applicationServerKey = bytesOf(key);
  let subscription: PushSubscription;
  try {
    await navigator.serviceWorker.register(withBase('/sw.js'));
    const { pushManager } = await navigator.serviceWorker.ready;
    let existing = await pushManager.getSubscription();
    // A subscription with a different key belongs to a server that previously used this address.
    if (existing && !isSame(applicationServerKey, existing.options.applicationServerKey)) {
      await existing.unsubscribe();
      existing = null;
    }
    subscription =
      existing ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  } catch {
    return 'failed';
  }
  const { endpoint, keys } = subscription.toJSON();
  if (endpoint === undefined || keys === undefined) return 'failed';
  return subscribePush({ endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' });
}

/** Ends this browser's subscription, so that nothing more can be sent to it. */
export async function dropPushSubscription(): Promise<void> {
  try {
    await (await currentSubscription())?.unsubscribe();
  } catch {
    // The server has stopped sending to this browser anyway.
  }
}

/** Reads the account's devices, and whether this browser gets notifications. */
export async function readPush(): Promise<PushDevices & { isOn: boolean }> {
  const [list, subscription] = await Promise.all([
    listPushDevices(),
    currentSubscription().catch(() => null),
  ]);
  // The browser may have lost its subscription, for example because permission was withdrawn.
  const isOn = subscription !== null && list.devices.some(({ current }) => current);
  return { ...list, isOn };
}
