import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RefusalError } from './refusal';
import { retryUntilAnswered } from './retry-until-answered';

const network = (): RefusalError => new RefusalError({ code: 'network', args: {} });
const retryOptions = () => ({
  onNetworkFailure: vi.fn(),
  signal: new AbortController().signal,
  random: () => 0,
  network: new EventTarget(),
});

describe('retrying until the server responds', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('retries with increasing delays, and reports each failure', async () => {
    const send = vi
      .fn()
      .mockRejectedValueOnce(network())
      .mockRejectedValueOnce(network())
      .mockResolvedValue('here');
    const { onNetworkFailure, ...rest } = retryOptions();
    const response = retryUntilAnswered(send, { onNetworkFailure, ...rest });
    await vi.advanceTimersByTimeAsync(249);
    expect(send).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(send).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(await response).toBe('here');
    expect(onNetworkFailure).toHaveBeenCalledTimes(2);
  });

  it('retries at once when the network is back', async () => {
    const send = vi.fn().mockRejectedValueOnce(network()).mockResolvedValue('here');
    const options = retryOptions();
    const response = retryUntilAnswered(send, options);
    await vi.advanceTimersByTimeAsync(1);
    options.network.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(await response).toBe('here');
  });

  it('passes on a refusal, which is a response', async () => {
    const refusal = new RefusalError({ code: 'not-found', args: {} });
    const send = vi.fn().mockRejectedValue(refusal);
    await expect(retryUntilAnswered(send, retryOptions())).rejects.toBe(refusal);
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('stops when the signal aborts', async () => {
    const controller = new AbortController();
    const send = vi.fn().mockRejectedValue(network());
    const response = retryUntilAnswered(send, { ...retryOptions(), signal: controller.signal });
    await vi.advanceTimersByTimeAsync(1);
    controller.abort();
    expect(await response).toBeNull();
    expect(send).toHaveBeenCalledTimes(1);
  });
});
