/**
 * Registers the service worker, and has it cache the files that rules and drills need offline or,
 * if the page is installed, all files.
 */
import { i18n } from './i18n/i18n.svelte';
import { completeRelease, storeCompleteRelease } from './offline-files';
import { withBase } from './routing/base-path';
import { router } from './routing/router.svelte';
import { parsePath } from './routing/routes';
import { variants } from './variants';

/** Delay after which the files requested by the page should have arrived, in milliseconds. */
const SETTLE_MS = 4_000;

/** Identifies the release, because the address of the script contains a hash of its content. */
const RELEASE = import.meta.url;

/** Returns the files that this page has loaded, and the rules and drills of all games. */
function filesToKeep(): string[] {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
  const language = encodeURIComponent(i18n.language);
  const texts = variants.flatMap((variant) => [
    withBase(`/api/rules/${variant}?language=${language}`),
    withBase(`/api/drills/${variant}`),
  ]);
  return [withBase('/'), ...loaded, ...texts];
}

/** Returns true if the visitor has installed the page, and so expects it to work offline. */
const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches;

/** An entry in the build's manifest, with the names of its files. */
interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
}

/** Returns all files of the page, and the problems of all games. */
async function filesOfInstalledPage(): Promise<string[]> {
  const chunks = (await (await fetch(withBase('/chunks.json'))).json()) as Record<string, Chunk>;
  const paths = new Set(variants.map((variant) => withBase(`/api/problems/${variant}`)));
  for (const { file, css = [], assets = [] } of Object.values(chunks))
    for (const name of [file, ...css, ...assets]) paths.add(withBase(`/${name}`));
  return [...paths];
}

/**
 * Has the worker cache these files; resolves to true once all of them are cached, and to false if
 * some could not be fetched. There may be no answer, for example if the worker is from an old
 * release.
 */
function keepAll(worker: ServiceWorker, files: readonly string[]): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((answered) => {
    port1.onmessage = ({ data }) => answered(data === true);
    worker.postMessage({ keep: files }, [port2]);
  });
}

function openFromMessage(event: MessageEvent<unknown>): void {
  const { data } = event;
  if (typeof data !== 'object' || data === null || !('open' in data)) return;
  const path = String(data.open);
  if (parsePath(path).page !== 'not-found' && path !== router.path) router.go(path);
}

/**
 * Registers the service worker and fills its cache, unless service workers are not available (on
 * an insecure page, or in a private window).
 */
export async function startServiceWorker(): Promise<void> {
  // Absent on insecure pages, although the types say otherwise.
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (!container) return;
  try {
    container.addEventListener('message', openFromMessage);
    await container.register(withBase('/sw.js'));
    const { active } = await container.ready;
    // Drills need code and messages that the first page does not. They are small, and fetched after
    // everything else.
    router.prepare('learn');
    await Promise.all([i18n.need('drill'), import('./components/learn/DrillPanel.svelte')]);
    await new Promise((settled) => setTimeout(settled, SETTLE_MS));
    active?.postMessage({ keep: filesToKeep() });
    if (!isInstalled() || completeRelease() === RELEASE) return;
    const keeping = active && keepAll(active, await filesOfInstalledPage());
    // The files that only workers load are not in the manifest.
    const { loadEngineFiles } = await import('./analysis/load-engine-files');
    await loadEngineFiles();
    // If a file is missing, the next visit fetches it.
    if (await keeping) storeCompleteRelease(RELEASE);
  } catch {
    // The page works without the service worker.
  }
}
