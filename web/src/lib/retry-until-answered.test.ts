import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RefusalError } from './refusal';
import { retryUntilAnswered } from './retry-until-answered';

const network = (): RefusalError => new RefusalError({ code: 'network', args: {} });
const waiting = () => ({
  onNetworkFailure: vi.fn(),
  signal: new AbortController().signal,
  random: () => 0,
  network: new EventTarget(),
});

describe('retrying until there is an answer', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('retries with increasing delays, and reports each failure', async () => {
    const ask = vi
      .fn()
      .mockRejectedValueOnce(network())
      .mockRejectedValueOnce(network())
      .mockResolvedValue('here');
    const { onNetworkFailure, ...rest } = waiting();
    const answer = retryUntilAnswered(ask, { onNetworkFailure, ...rest });
    await vi.advanceTimersByTimeAsync(249);
    expect(ask).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(ask).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(await answer).toBe('here');
    expect(onNetworkFailure).toHaveBeenCalledTimes(2);
  });

  it('retries at once when the network is back', async () => {
    const ask = vi.fn().mockRejectedValueOnce(network()).mockResolvedValue('here');
    const options = waiting();
    const answer = retryUntilAnswered(ask, options);
    await vi.advanceTimersByTimeAsync(1);
    options.network.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(await answer).toBe('here');
  });

  it('passes on a refusal, which is an answer', async () => {
    const refusal = new RefusalError({ code: 'not-found', args: {} });
    const ask = vi.fn().mockRejectedValue(refusal);
    await expect(retryUntilAnswered(ask, waiting())).rejects.toBe(refusal);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('stops when the signal aborts', async () => {
    const gone = new AbortController();
    const ask = vi.fn().mockRejectedValue(network());
    const answer = retryUntilAnswered(ask, { ...waiting(), signal: gone.signal });
    await vi.advanceTimersByTimeAsync(1);
    gone.abort();
    expect(await answer).toBeNull();
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
