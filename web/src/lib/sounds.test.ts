import { describe, expect, it } from 'vitest';
import { perform, scores, sounds, type Stage } from './sounds';

/** Creates an audio stage that records what is played. */
function listener() {
  const peaks: number[] = [];
  const starts: number[] = [];
  const param = { setValueAtTime() {}, exponentialRampToValueAtTime: (v: number) => peaks.push(v) };
  const stage = {
    currentTime: 10,
    destination: {},
    createGain: () => ({ gain: param, connect() {} }),
    createOscillator: () => ({
      type: 'sine',
      frequency: { setValueAtTime() {} },
      connect() {},
      start: (at: number) => starts.push(at),
      stop() {},
    }),
  } as unknown as Stage;
  return { stage, peaks, starts };
}

describe('sounds', () => {
  it.each(sounds)('%s is short and not loud', (sound) => {
    const notes = scores[sound];
    expect(notes.length).toBeGreaterThan(0);
    for (const { at, seconds, loudness } of notes) {
      expect(at + seconds).toBeLessThanOrEqual(1.2);
      expect(loudness).toBeLessThanOrEqual(1);
    }
  });

  it.each(sounds)('%s starts at once', (sound) => {
    const { stage, starts } = listener();
    perform(stage, sound, 0.5);
    expect(Math.min(...starts)).toBe(10);
  });

  it('follow the volume, and are silent at zero', () => {
    const loud = listener();
    const soft = listener();
    const off = listener();
    perform(loud.stage, 'move', 1);
    perform(soft.stage, 'move', 0.25);
    perform(off.stage, 'move', 0);
    expect(Math.max(...soft.peaks)).toBeCloseTo(Math.max(...loud.peaks) / 4);
    expect(off.starts).toEqual([]);
  });

  it('differ for a capture, a check and a quiet move', () => {
    const written = sounds.map((sound) => JSON.stringify(scores[sound]));
    expect(new Set(written).size).toBe(sounds.length);
  });
});
