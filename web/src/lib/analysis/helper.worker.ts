/** A helper thread of the engine: searches the same position and shares the transposition table. */
import { enter, type Shared } from './engine-module';
import type { FromHelper } from './messages';

function say(message: FromHelper): void {
  postMessage(message);
}

async function help(shared: Shared): Promise<void> {
  let isInside = false;
  try {
    const search = await enter(shared);
    isInside = true;
    search();
  } catch {
    say({ type: 'failed', isInside });
  }
}

addEventListener('message', ({ data }: MessageEvent<Shared>) => void help(data));
