/** A helper thread: searches the engine's position and shares its transposition table. */
import { joinAsHelper, type SharedEngine } from './engine-module';
import type { FromHelper } from './messages';

function post(message: FromHelper): void {
  postMessage(message);
}

async function help(shared: SharedEngine): Promise<void> {
  let isInside = false;
  try {
    const search = await joinAsHelper(shared);
    isInside = true;
    search();
  } catch {
    post({ type: 'failed', isInside });
  }
}

addEventListener('message', ({ data }: MessageEvent<SharedEngine>) => void help(data));
