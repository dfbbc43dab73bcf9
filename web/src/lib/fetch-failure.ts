import type { Refusal } from './refusal';

/**
 * URL of this script. The file name contains a hash of the script and of the files that it imports.
 * If any of them differs in another release, that release has no file with this name.
 */
const script = import.meta.url;

const timeoutMs = 15_000;

/**
 * Returns the reason why one of the page's files could not be fetched: either the server runs a
 * different release, whose files have different names, or the server cannot be reached. Import
 * errors do not always distinguish the two cases, so this function requests a file that the page
 * has already loaded.
 */
export async function fetchFailure(): Promise<Refusal> {
  let isOutdated = false;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { status } = await fetch(script, { method: 'HEAD', cache: 'no-store', signal });
    isOutdated = status === 404;
  } catch {
    // No response.
  }
  return { code: isOutdated ? 'page-outdated' : 'network', args: {} };
}
