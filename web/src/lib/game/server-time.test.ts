import { expect, it } from 'vitest';
import { ServerTime } from './server-time';

it('uses the message with the smallest delay', () => {
  let localTime = 10_000;
  const time = new ServerTime(() => localTime);
  time.observe(4000);
  expect(time.now()).toBe(4000);
  localTime = 11_000;
  // Arrived 300 ms faster than the first.
  time.observe(5300);
  expect(time.now()).toBe(5300);
  localTime = 12_000;
  // A delayed event does not change the estimate.
  time.observe(2000);
  expect(time.now()).toBe(6300);
});
