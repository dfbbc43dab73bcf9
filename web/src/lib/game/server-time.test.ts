import { expect, it } from 'vitest';
import { ServerTime } from './server-time';

it('believes the message that was the quickest', () => {
  let here = 10_000;
  const time = new ServerTime(() => here);
  time.heard(4000);
  expect(time.now()).toBe(4000);
  here = 11_000;
  // 300 ms faster than the first.
  time.heard(5300);
  expect(time.now()).toBe(5300);
  here = 12_000;
  // An event that was told late changes nothing.
  time.heard(2000);
  expect(time.now()).toBe(6300);
});
