/** A helper thread: searches the engine's position and shares its transposition table. */
import { joinAsHelper, type SharedEngine } from './engine-module';
import type { FromHelper } from './messages';

function post(message: FromHelper): void {
  postMessage(message);
}

async function help(shared: SharedEngine): Promise<void> {
  let isSearching = false;
  try {
    const search = await joinAsHelper(shared);
    isSearching = true;
    search();
  } catch {
    post({ type: 'failed', isSearching });
  }
}

addEventListener('message', ({ data }: MessageEvent<SharedEngine>) => void help(data));
