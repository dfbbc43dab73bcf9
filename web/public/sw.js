/**
 * The service worker. It caches everything that can be used without a network. It shows the
 * notifications that the server pushes while no page is open, and handles clicks on these and on
 * the page's own.
 *
 * Pages always come from the network if there is one. Without it, the cached shell opens and says
 * that it is offline. Of the API's responses, only those that belong to a release (rules, drills
 * and problems) are cached; nothing about a game, a player or the hall is.
 */
/** The path of the house on its host, such as `/echecs`; empty at the root. */
const BASE = new URL(self.registration.scope).pathname.replace(/\/$/, '');
/** Houses under different paths of one host share its caches, so the path is part of the name. */
const CACHE = `adoube-1${BASE}`;
/** Tells whether a cache belongs to this house, whichever version wrote it. */
const isOwnCache = (name) => /^adoube-\d+(.*)$/.exec(name)?.[1] === BASE;
const SHELL = `${BASE}/`;
/**
 * Maximum number of cached files after a page has listed those that it uses: enough for several
 * releases. The oldest of the others are removed first.
 */
const MAX_ENTRIES = 400;

/** Files whose names change with their content. */
const isAsset = ({ pathname }) => pathname.startsWith(`${BASE}/assets/`);
/**
 * Content that changes only with a release: rules, drills and problems. The responses at longer
 * paths below these contain players' data.
 */
const isText = ({ pathname }) =>
  pathname.startsWith(SHELL) &&
  /^\/api\/(rules|drills|problems)\/[a-z]+$/.test(pathname.slice(BASE.length));
const isCacheable = (url) =>
  url.origin === self.location.origin && (isAsset(url) || isText(url) || url.pathname === SHELL);

addEventListener('install', (event) => {
  event.waitUntil(keep([SHELL]).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  const drop = async () => {
    const names = await caches.keys();
    await Promise.all(
      names.filter((name) => isOwnCache(name) && name !== CACHE).map((name) => caches.delete(name)),
    );
    await clients.claim();
  };
  event.waitUntil(drop());
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (isAsset(url)) event.respondWith(asset(request));
  else if (isText(url)) event.respondWith(text(request));
});

/**
 * An open page lists the files that it needs without a network: those that it has loaded, the rules
 * and the drills. If it is installed, it lists all files in a second message. If a message comes
 * with a port, the reply says whether all files in the message are cached.
 */
addEventListener('message', (event) => {
  const urls = event.data?.keep;
  if (!Array.isArray(urls)) return;
  const kept = keep(urls.map(String));
  event.waitUntil(kept.then((areAllKept) => event.ports[0]?.postMessage(areAllKept)));
});

/** The server pushes messages only while no page is open. Browsers require each to be shown. */
addEventListener('push', (event) => {
  const { title, body, language, path, tag, stop } = event.data?.json() ?? {};
  if (!title) return;
  const shown = registration.showNotification(title, {
    body,
    tag,
    lang: language,
    icon: `${BASE}/icon-192.png`,
    badge: `${BASE}/icon-badge.png`,
    data: { path: BASE + path, stop: stop.token },
    // Not all browsers show actions; the account page has a switch too.
    actions: [{ action: 'stop', title: stop.title }],
  });
  event.waitUntil(shown);
});

/** The browser has replaced its subscription, so the server needs the new one. */
addEventListener('pushsubscriptionchange', (event) => {
  const renew = async () => {
    const options = event.oldSubscription?.options;
    const subscription =
      event.newSubscription ?? (options && (await registration.pushManager.subscribe(options)));
    if (!subscription) return;
    const { endpoint, keys } = subscription.toJSON();
    await fetch(`${BASE}/api/account/push`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ endpoint, ...keys }),
    });
  };
  event.waitUntil(renew());
});

/**
 * Stops notifications on this device. If the server cannot be reached, it finds out from the push
 * service, which rejects the next notification for a subscription that has ended.
 */
async function stopNotifications(token) {
  const sent = fetch(`${BASE}/api/push/stop/${token}`, { method: 'POST' }).catch(() => undefined);
  const subscription = await registration.pushManager.getSubscription();
  await Promise.all([sent, subscription?.unsubscribe()]);
}

addEventListener('notificationclick', (event) => {
  event.notification.close();
  if (event.action === 'stop') {
    event.waitUntil(stopNotifications(event.notification.data.stop));
    return;
  }
  const path = event.notification.data?.path ?? SHELL;
  const open = async () => {
    const windows = await clients.matchAll({ type: 'window' });
    const shown = windows.find((each) => new URL(each.url).pathname === path) ?? windows[0];
    if (!shown) {
      await clients.openWindow(path);
      return;
    }
    await shown.focus();
    shown.postMessage({ open: path });
  };
  event.waitUntil(open());
});

/**
 * Caches the files among `urls` that may be cached; assets that are already cached are not fetched
 * again. Returns false if any of these files could not be fetched.
 */
async function keep(urls) {
  const cache = await caches.open(CACHE);
  const wanted = urls.map((url) => new URL(url, self.location.origin)).filter(isCacheable);
  const kept = await Promise.all(
    wanted.map(async (url) => {
      if (isAsset(url) && (await cache.match(url.href))) return true;
      try {
        const response = await fetch(url.href, { credentials: 'same-origin' });
        if (response.ok) await cache.put(url.href, response);
        return response.ok;
      } catch {
        // The network was lost. A page lists the file again when it is next opened.
        return false;
      }
    }),
  );
  // A file that never changes stays where it was first cached, so age alone does not show disuse.
  const used = new Set(wanted.map(({ href }) => href));
  const cached = await cache.keys();
  const unused = cached.filter(({ url }) => !used.has(url));
  await Promise.all(
    unused.slice(0, Math.max(0, cached.length - MAX_ENTRIES)).map((each) => cache.delete(each)),
  );
  return kept.every((isKept) => isKept);
}

async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const shell = await caches.match(SHELL);
    if (shell) return shell;
    throw error;
  }
}

async function asset(request) {
  const cached = await caches.match(request.url);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) {
    const cache = await caches.open(CACHE);
    await cache.put(request.url, response.clone());
  }
  return response;
}

async function text(request) {
  try {
    const response = await fetch(request);
    if (response.ok) {
      const cache = await caches.open(CACHE);
      await cache.put(request.url, response.clone());
    }
    return response;
  } catch (error) {
    const cached = await caches.match(request.url);
    if (cached) return cached;
    throw error;
  }
}
