/** An engine helper thread: searches the same position and shares the transposition table. */
import { joinAsHelper, type Shared } from './engine-module';
import type { FromHelper } from './messages';

function post(message: FromHelper): void {
  postMessage(message);
}

async function help(shared: Shared): Promise<void> {
  let isInside = false;
  try {
    const search = await joinAsHelper(shared);
    isInside = true;
    search();
  } catch {
    post({ type: 'failed', isInside });
  }
}

addEventListener('message', ({ data }: MessageEvent<Shared>) => void help(data));
