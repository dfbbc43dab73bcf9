import { describe, expect, it } from 'vitest';
import { EngineClient, type WorkerLike } from './engine';
import type { SearchRequest } from '../analysis-types';
import type { Variant } from '../variants';
import type { ToWorker } from './messages';

class FakeWorker implements WorkerLike {
  onmessage: WorkerLike['onmessage'] = null;
  onerror: WorkerLike['onerror'] = null;
  heard: ToWorker[] = [];
  ended = false;
  postMessage(message: ToWorker): void {
    this.heard.push(message);
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
  elapsedMs: 1,
  pv: [],
};

function table(shared: boolean): { client: EngineClient; workers: FakeWorker[] } {
  const workers: FakeWorker[] = [];
  const spawn = (): WorkerLike => {
    const worker = new FakeWorker();
    workers.push(worker);
    return worker;
  };
  const client = new EngineClient(spawn, () => (shared ? new SharedArrayBuffer(4) : null));
  return { client, workers };
}

describe('EngineClient', () => {
  it('hears of its search, and of no other one', async () => {
    const { client, workers } = table(true);
    const depths: number[] = [];
    const first = client.search(request, ({ depth }) => depths.push(depth));
    const second = client.search(request, ({ depth }) => depths.push(depth));
    const [worker] = workers;
    worker?.onmessage?.({ data: { type: 'info', id: 1, info: { ...info, depth: 9 } } });
    worker?.onmessage?.({ data: { type: 'done', id: 1, answer: { best: info, points: null } } });
    worker?.onmessage?.({ data: { type: 'info', id: 2, info } });
    worker?.onmessage?.({ data: { type: 'done', id: 2, answer: { best: info, points: null } } });
    expect(await first).toBeNull();
    expect(await second).toEqual({ best: info, points: null });
    expect(depths).toEqual([1]);
    expect(workers).toHaveLength(1);
  });

  it('tells a search to end through shared memory', () => {
    const { client, workers } = table(true);
    void client.search(request, () => {});
    const start = workers[0]?.heard[0];
    if (start?.type !== 'start' || start.stop === null) throw new Error('no shared memory');
    const flag = new Int32Array(start.stop);
    expect(flag[0]).toBe(0);
    client.stop();
    expect(flag[0]).toBe(1);
    expect(workers[0]?.ended).toBe(false);
  });

  it('ends the worker where memory cannot be shared, and starts another one', () => {
    const { client, workers } = table(false);
    void client.search(request, () => {});
    client.stop();
    expect(workers[0]?.ended).toBe(true);
    void client.search(request, () => {});
    expect(workers).toHaveLength(2);
  });

  it('says why a search failed', async () => {
    const { client, workers } = table(true);
    const search = client.search(request, () => {});
    const refusal = { code: 'setup-kings', args: {} };
    workers[0]?.onmessage?.({ data: { type: 'failed', id: 1, refusal } });
    await expect(search).rejects.toMatchObject({ refusal });
    const other = client.search(request, () => {});
    workers[0]?.onerror?.({});
    await expect(other).rejects.toMatchObject({ refusal: { code: 'engine-load' } });
  });
});
