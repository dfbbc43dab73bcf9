import type { Refusal } from './refusal';

/** The script that runs here. Its name has a hash of its content, so that no other release has a file of this name. */
const script = import.meta.url;

const timeoutMs = 15_000;

/**
 * Why a file of the page's own could not be fetched: the server has a newer release, which has other files, or it does not answer at all.
 * Not every kind of import tells the two apart, so that the server is asked for a file that this page already has.
 */
export async function fetchFailure(): Promise<Refusal> {
  let isOutdated = false;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const { status } = await fetch(script, { method: 'HEAD', cache: 'no-store', signal });
    isOutdated = status === 404;
  } catch {
    // No answer.
  }
  return { code: isOutdated ? 'page-outdated' : 'network', args: {} };
}
