/** Registers the service worker, and has it keep what rules and drills need without a network. */
import { i18n } from './i18n/i18n.svelte';
import { router } from './routing/router.svelte';
import { parsePath } from './routing/routes';
import { variants } from './variants';

/** Delay until files that the page has requested by then are there, in milliseconds. */
const SETTLE_MS = 4_000;

/** Returns the files that this page has loaded, and the texts of all games. */
function filesToKeep(): string[] {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const language = encodeURIComponent(i18n.language);
  const texts = variants.flatMap((variant) => [
    `/api/rules/${variant}?language=${language}`,
    `/api/drills/${variant}`,
  ]);
  return ['/', ...loaded, ...texts];
}

function open(event: MessageEvent<unknown>): void {
  const { data } = event;
  if (typeof data !== 'object' || data === null || !('open' in data)) return;
  const path = String(data.open);
  if (parsePath(path).page !== 'not-found' && path !== router.path) router.go(path);
}

/** Where service workers are missing (an insecure page, a private window), nothing happens. */
export async function startServiceWorker(): Promise<void> {
  // Absent on insecure pages, whatever the types say.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!container) return;
  try {
    container.addEventListener('message', open);
    await container.register('/sw.js');
    const { active } = await container.ready;
    // Drills need code that the first page does not. It is small, and fetched when everything else is there.
    router.prepare('learn');
    await new Promise((settled) => setTimeout(settled, SETTLE_MS));
    active?.postMessage({ keep: filesToKeep() });
  } catch {
    // The page works without it.
  }
}
