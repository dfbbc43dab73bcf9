/**
 * Registers the service worker, and makes it cache the files that rules, drills and problems need
 * offline; in an installed page, also those of the analysis and the engine.
 */
import { i18n } from './i18n/i18n.svelte';
import { router } from './routing/router.svelte';
import { parsePath } from './routing/routes';
import { variants } from './variants';

/** Delay after which the files requested by the page should have arrived, in milliseconds. */
const SETTLE_MS = 4_000;

/** Returns the files that this page has loaded, and the texts of all games. */
function filesToKeep(): string[] {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const language = encodeURIComponent(i18n.language);
  const texts = variants.flatMap((variant) => [
    `/api/rules/${variant}?language=${language}`,
    `/api/drills/${variant}`,
    `/api/problems/${variant}`,
  ]);
  return ['/', ...loaded, ...texts];
}

/** Returns whether the visitor has installed the page, and so expects it to work offline. */
const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches;

/** Loads the code and the texts of the pages that work offline, whether or not they are opened. */
async function loadOfflinePages(): Promise<void> {
  router.prepare('learn');
  router.prepare('problems');
  await i18n.need('drill');
  if (!isInstalled()) return;
  router.prepare('analysis');
  await i18n.need('analysis');
  // 1.5 MB, which a visitor who only looks around does not need.
  const { loadEngineFiles } = await import('./analysis/load-all');
  await loadEngineFiles();
}

function openFromMessage(event: MessageEvent<unknown>): void {
  const { data } = event;
  if (typeof data !== 'object' || data === null || !('open' in data)) return;
  const path = String(data.open);
  if (parsePath(path).page !== 'not-found' && path !== router.path) router.go(path);
}

/**
 * Does nothing if service workers are not available (on an insecure page, or in a private window).
 */
export async function startServiceWorker(): Promise<void> {
  // Absent on insecure pages, although the types say otherwise.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!container) return;
  try {
    container.addEventListener('message', openFromMessage);
    await container.register('/sw.js');
    const { active } = await container.ready;
    await loadOfflinePages();
    await new Promise((settled) => setTimeout(settled, SETTLE_MS));
    active?.postMessage({ keep: filesToKeep() });
  } catch {
    // The page works without the service worker.
  }
}
