import { afterEach, describe, expect, it, vi } from 'vitest';
import { play, playOn, samplesOf, sounds, type Sound, type AudioOutput } from './sounds';

const RATE = 44_100;

const loudest = (samples: Float32Array): number =>
  samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

/**
 * Returns the relative energy in each of a few frequency bands. Listeners distinguish sounds by
 * these and by their rhythm.
 */
function shapeOf(sound: Sound): number[] {
  const samples = samplesOf(sound, RATE);
  const bands = [165, 205, 345, 392, 494, 523, 587, 659, 784, 880, 988, 1319].map((hz) => {
    // The Goertzel algorithm.
    const factor = 2 * Math.cos((2 * Math.PI * hz) / RATE);
    let [one, two] = [0, 0];
    for (const sample of samples) [one, two] = [sample + factor * one - two, one];
    return one * one + two * two - factor * one * two;
  });
  const sum = Math.hypot(...bands);
  return bands.map((band) => band / sum);
}

describe('sounds', () => {
  it.each(sounds)('%s is short, begins at once, and neither clicks nor ends abruptly', (sound) => {
    const samples = samplesOf(sound, RATE);
    expect(samples.length).toBeLessThan(1.5 * RATE);
    expect(loudest(samples)).toBeLessThan(0.97);
    expect(loudest(samples)).toBeGreaterThan(0.15);
    expect(loudest(samples.subarray(0, 0.01 * RATE))).toBeGreaterThan(0.1);
    expect(Math.abs(samples[0] ?? 1)).toBeLessThan(0.01);
    expect(loudest(samples.subarray(samples.length - 0.005 * RATE))).toBeLessThan(0.003);
  });

  it('sound different', () => {
    for (const [index, one] of sounds.entries())
      for (const other of sounds.slice(index + 1)) {
        const second = shapeOf(other);
        const similarity = shapeOf(one).reduce(
          (sum, share, at) => sum + share * (second[at] ?? 0),
          0,
        );
        expect(similarity, `${one} and ${other}`).toBeLessThan(0.9);
      }
  });

  it('follow the volume, and are silent at zero', () => {
    const gains: number[] = [];
    let started = 0;
    const output = {
      sampleRate: RATE,
      destination: {},
      createBuffer: () => ({ copyToChannel() {} }),
      createBufferSource: () => ({ buffer: null, connect() {}, start: () => (started += 1) }),
      createGain: () => ({
        gain: {
          set value(gain: number) {
            gains.push(gain);
          },
        },
        connect() {},
      }),
    } as unknown as AudioOutput;
    playOn(output, 'move', 1);
    playOn(output, 'move', 0.5);
    playOn(output, 'move', 0);
    expect(gains).toEqual([1, 0.25]);
    expect(started).toBe(2);
  });
});

describe('the audio device', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('is released five seconds after the last sound, and used again for the next', async () => {
    vi.useFakeTimers();
    interface FakeSource {
      onended?: () => void;
      connect(): void;
      start(): void;
    }
    const started: FakeSource[] = [];
    class FakeContext {
      state = 'running';
      sampleRate = RATE;
      destination = {};
      createBuffer() {
        return { copyToChannel() {} };
      }
      createBufferSource() {
        const source: FakeSource = { connect() {}, start: () => void started.push(source) };
        return source;
      }
      createGain() {
        return { gain: { value: 0 }, connect() {} };
      }
      async suspend() {
        this.state = 'suspended';
      }
      async resume() {
        this.state = 'running';
      }
    }
    const contexts: FakeContext[] = [];
    vi.stubGlobal(
      'AudioContext',
      class extends FakeContext {
        constructor() {
          super();
          contexts.push(this);
        }
      },
    );
    vi.stubGlobal('navigator', { userActivation: { hasBeenActive: true } });
    const playMove = async (): Promise<void> => {
      play('move', 1);
      await vi.advanceTimersByTimeAsync(0);
    };
    await playMove();
    started[0]?.onended?.();
    await vi.advanceTimersByTimeAsync(4000);
    await playMove();
    await vi.advanceTimersByTimeAsync(4000);
    expect(contexts[0]?.state).toBe('running');
    started[1]?.onended?.();
    await vi.advanceTimersByTimeAsync(5000);
    expect(contexts[0]?.state).toBe('suspended');
    await playMove();
    expect([contexts.length, contexts[0]?.state, started.length]).toEqual([1, 'running', 3]);
  });
});
