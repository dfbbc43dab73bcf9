/** An engine helper thread: searches the same position and shares the transposition table. */
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
