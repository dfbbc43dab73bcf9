import { describe, expect, it } from 'vitest';
import { EngineClient, type EngineWorker, type HelperWorker, type WorkerLike } from './engine';
import type { SearchRequest } from '../analysis-types';
import type { Variant } from '../variants';
import type { SharedEngine } from './engine-module';
import type { FromHelper, FromWorker, ToWorker } from './messages';

class FakeWorker<To, From> implements WorkerLike<To, From> {
  onmessage: WorkerLike<To, From>['onmessage'] = null;
  onerror: WorkerLike<To, From>['onerror'] = null;
  received: To[] = [];
  ended = false;
  postMessage(message: To): void {
    this.received.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
}

const request: SearchRequest & { variant: Variant } = {
  variant: 'chess',
  fen: '8/8/8/8/8/8/8/8 w - - 0 1',
  turns: [],
  lines: 1,
  threads: 1,
  nodes: null,
  depth: null,
};

const info = {
  depth: 1,
  selectiveDepth: 1,
  line: 1,
  centipawns: 12,
  mate: null,
  expected: 0.5,
  bound: null,
  nodes: 20,
  threads: 1,
  elapsedMs: 1,
  pv: [],
};

const answer = { best: info, points: null, values: {} };

interface Setup {
  client: EngineClient;
  workers: FakeWorker<ToWorker, FromWorker>[];
  helpers: FakeWorker<SharedEngine, FromHelper>[];
}

function setUp(isShared: boolean, preferredThreads = 1): Setup {
  const workers: Setup['workers'] = [];
  const helpers: Setup['helpers'] = [];
  const spawn = {
    engine: (): EngineWorker => {
      const worker = new FakeWorker<ToWorker, FromWorker>();
      workers.push(worker);
      return worker;
    },
    helper: (): HelperWorker => {
      const helper = new FakeWorker<SharedEngine, FromHelper>();
      helpers.push(helper);
      return helper;
    },
  };
  const client = new EngineClient(
    spawn,
    () => (isShared ? new SharedArrayBuffer(4) : null),
    () => preferredThreads,
  );
  return { client, workers, helpers };
}

const shared: SharedEngine = {
  module: new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])),
  memory: new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }),
};

describe('EngineClient', () => {
  it('receives only messages from the current search', async () => {
    const { client, workers } = setUp(true);
    const depths: number[] = [];
    const first = client.search(request, ({ depth }) => depths.push(depth));
    const second = client.search(request, ({ depth }) => depths.push(depth));
    const [worker] = workers;
    worker?.onmessage?.({ data: { type: 'info', id: 1, info: { ...info, depth: 9 } } });
    worker?.onmessage?.({ data: { type: 'done', id: 1, answer } });
    worker?.onmessage?.({ data: { type: 'info', id: 2, info } });
    worker?.onmessage?.({ data: { type: 'done', id: 2, answer } });
    expect(await first).toBeNull();
    expect(await second).toEqual(answer);
    expect(depths).toEqual([1]);
    expect(workers).toHaveLength(1);
  });

  it('stops a search through shared memory', () => {
    const { client, workers } = setUp(true);
    void client.search(request, () => {});
    const start = workers[0]?.received[0];
    if (start?.type !== 'start' || start.stop === null) throw new Error('no shared memory');
    const flag = new Int32Array(start.stop);
    expect(flag[0]).toBe(0);
    client.stop();
    expect(flag[0]).toBe(1);
    expect(workers[0]?.ended).toBe(false);
  });

  it('without shared memory, stops a search by replacing the worker', () => {
    const { client, workers } = setUp(false);
    void client.search(request, () => {});
    client.stop();
    expect(workers[0]?.ended).toBe(true);
    void client.search(request, () => {});
    expect(workers).toHaveLength(2);
  });

  it('reports why a search failed', async () => {
    const { client, workers } = setUp(true);
    const search = client.search(request, () => {});
    const refusal = { code: 'setup-kings', args: {} };
    workers[0]?.onmessage?.({ data: { type: 'failed', id: 1, refusal, isBroken: false } });
    await expect(search).rejects.toMatchObject({ refusal });
    expect(workers[0]?.ended).toBe(false);
    const other = client.search(request, () => {});
    workers[0]?.onerror?.({});
    await expect(other).rejects.toMatchObject({ refusal: { code: 'engine-load' } });
  });

  it('replaces a worker that crashed', async () => {
    const { client, workers } = setUp(true);
    const search = client.search(request, () => {});
    const refusal = { code: 'engine-load', args: {} };
    workers[0]?.onmessage?.({ data: { type: 'failed', id: 1, refusal, isBroken: true } });
    await expect(search).rejects.toMatchObject({ refusal });
    expect(workers[0]?.ended).toBe(true);
    void client.search(request, () => {});
    expect(workers).toHaveLength(2);
  });
});

describe('helper workers', () => {
  const sharing = ({ workers }: Setup): (boolean | null)[] =>
    workers.map(({ received: [start] }) => (start?.type === 'start' ? start.wantsToShare : null));

  it('get shared memory only once several threads are requested', () => {
    const { client, workers, helpers } = setUp(true);
    void client.search(request, () => {});
    void client.search(request, () => {});
    expect(sharing({ client, workers, helpers })).toEqual([false]);
    void client.search({ ...request, threads: 2 }, () => {});
    expect(sharing({ client, workers, helpers })).toEqual([false, true]);
    expect(workers.map(({ ended }) => ended)).toEqual([true, false]);
    void client.search(request, () => {});
    expect(workers).toHaveLength(2);
  });

  it('get shared memory from the start if the visitor prefers several threads', () => {
    const { client, workers, helpers } = setUp(true, 3);
    void client.search(request, () => {});
    expect(sharing({ client, workers, helpers })).toEqual([true]);
  });

  it('start once memory is shared, only as many as the search needs, and keep running', () => {
    const { client, workers, helpers } = setUp(true);
    void client.search({ ...request, threads: 3 }, () => {});
    expect(helpers).toHaveLength(0);
    workers[0]?.onmessage?.({ data: { type: 'shared', shared } });
    expect(helpers.map(({ received }) => received)).toEqual([[shared], [shared]]);
    void client.search({ ...request, threads: 2 }, () => {});
    void client.search({ ...request, threads: 4 }, () => {});
    expect(helpers).toHaveLength(3);
    expect(helpers.every(({ ended }) => !ended)).toBe(true);
    client.close();
    expect(helpers.every(({ ended }) => ended)).toBe(true);
    expect(workers[0]?.ended).toBe(true);
  });

  it('are not started without shared memory', () => {
    const { client, helpers } = setUp(false);
    void client.search({ ...request, threads: 4 }, () => {});
    client.stop();
    void client.search({ ...request, threads: 4 }, () => {});
    expect(helpers).toHaveLength(0);
  });

  it('end if they fail to start, and the others continue', () => {
    const { client, workers, helpers } = setUp(true);
    void client.search({ ...request, threads: 4 }, () => {});
    workers[0]?.onmessage?.({ data: { type: 'shared', shared } });
    helpers[1]?.onmessage?.({ data: { type: 'failed', isSearching: false } });
    helpers[2]?.onerror?.({});
    expect(helpers.map(({ ended }) => ended)).toEqual([false, true, true]);
    expect(workers[0]?.ended).toBe(false);
    void client.search({ ...request, threads: 4 }, () => {});
    expect(helpers).toHaveLength(3);
  });

  it('are disabled after one has crashed during a search, and the search restarts', async () => {
    const { client, workers, helpers } = setUp(true);
    const search = client.search({ ...request, threads: 3 }, () => {});
    workers[0]?.onmessage?.({ data: { type: 'shared', shared } });
    helpers[0]?.onmessage?.({ data: { type: 'failed', isSearching: true } });
    expect([workers[0], ...helpers].every((worker) => worker?.ended)).toBe(true);
    workers[1]?.onmessage?.({ data: { type: 'shared', shared } });
    expect(helpers).toHaveLength(2);
    expect(workers[1]?.received.at(-1)).toMatchObject({ type: 'search', id: 1 });
    workers[1]?.onmessage?.({ data: { type: 'done', id: 1, answer } });
    expect(await search).toEqual(answer);
  });
});
