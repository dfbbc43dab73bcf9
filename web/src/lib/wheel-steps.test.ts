import { expect, it } from 'vitest';
import { WheelSteps } from './wheel-steps';

it('turns a notch, a few lines or several small movements into one step', () => {
  const wheel = new WheelSteps();
  const turn = (deltaY: number, timeStamp: number, deltaMode = 0): number =>
    wheel.turn({ deltaY, timeStamp, deltaMode });
  expect(turn(100, 0)).toBe(1);
  expect(turn(-100, 10)).toBe(-1);
  expect(turn(3, 20, 1)).toBe(1);
  expect(turn(1, 25, 2)).toBe(1);
  expect([turn(25, 30), turn(25, 40), turn(25, 50)]).toEqual([0, 0, 1]);
  // A pause or a change of direction resets the count.
  expect([turn(50, 1000), turn(50, 2000)]).toEqual([0, 0]);
  expect([turn(-50, 2010), turn(-50, 2020)]).toEqual([0, -1]);
});
