import { describe, expect, it } from 'vitest';
import { nextProblem, readStanding } from './standing.svelte';

describe('readStanding', () => {
  it('reads a stored standing, and ignores invalid data', () => {
    const standing = { value: 1234, problems: 5, streak: 2, seen: { a: true, b: false } };
    expect(readStanding(JSON.stringify(standing))).toEqual(standing);
    const beginner = { value: 1000, problems: 0, streak: 0, seen: {} };
    for (const text of [null, '', '{', '[]', '{"value":"x"}', '{"value":1,"problems":-1}'])
      expect(readStanding(text), String(text)).toEqual(beginner);
  });

  it('keeps ratings within their bounds', () => {
    const text = JSON.stringify({ value: 99999, problems: 1, streak: 1, seen: { a: 1 } });
    expect(readStanding(text)).toEqual({ value: 3500, problems: 1, streak: 1, seen: {} });
  });
});

describe('nextProblem', () => {
  const problems = Array.from({ length: 40 }, (_, index) => ({
    id: String(index),
    rating: 500 + index * 50,
  }));
  const standing = { value: 1000, problems: 0, streak: 0, seen: {} };

  it("is close to the solver's rating", () => {
    for (const chance of [0, 0.5, 0.99]) {
      const next = nextProblem(problems, standing, null, () => chance);
      expect(Math.abs((next?.rating ?? 0) - 1000)).toBeLessThanOrEqual(200);
    }
  });

  it('is a new problem if any are left, and otherwise a failed one', () => {
    const seen = Object.fromEntries(problems.map(({ id }) => [id, id !== '7']));
    const { '3': _, ...others } = seen;
    expect(nextProblem(problems, { ...standing, seen: others }, null)?.id).toBe('3');
    expect(nextProblem(problems, { ...standing, seen }, null)?.id).toBe('7');
    expect(nextProblem(problems, { ...standing, seen }, '7')).toBeDefined();
    expect(nextProblem([], standing, null)).toBeUndefined();
  });
});
