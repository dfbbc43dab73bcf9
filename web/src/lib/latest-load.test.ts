import { expect, it } from 'vitest';
import { RefusalError } from './refusal';
import { LatestLoad } from './latest-load.svelte';

const refused = (code: string): Promise<never> =>
  Promise.reject(new RefusalError({ code, args: {} }));

it('a success clears the refusal of an earlier request', async () => {
  const loading = new LatestLoad();
  expect(await loading.run(() => refused('network'))).toBeNull();
  expect(loading.refusal?.code).toBe('network');
  expect(await loading.run(() => Promise.resolve('text'))).toBe('text');
  expect(loading.refusal).toBeNull();
});

it('the response to a request that a later one has replaced is ignored', async () => {
  const loading = new LatestLoad();
  let answer: (text: string) => void = () => {};
  const first = loading.run(() => new Promise<string>((resolve) => (answer = resolve)));
  expect(await loading.run(() => Promise.resolve('second'))).toBe('second');
  answer('first');
  expect(await first).toBeNull();
});

it('the refusal of a request that a later one has replaced is ignored', async () => {
  const loading = new LatestLoad();
  let refuse: (error: unknown) => void = () => {};
  const first = loading.run(() => new Promise<never>((_, reject) => (refuse = reject)));
  await loading.run(() => Promise.resolve('second'));
  refuse(new RefusalError({ code: 'network', args: {} }));
  await first;
  expect(loading.refusal).toBeNull();
});
