/**
 * Sounds, computed when they are first played, so that no files are fetched. Each imitates one or
 * more struck bodies: the wooden foot of a piece on a wooden board for events on the board, and the
 * bar of a marimba for everything else.
 */
export const sounds = ['move', 'take', 'check', 'low-time', 'start', 'end', 'notice'] as const;
export type Sound = (typeof sounds)[number];

/** A body that rings in several modes. */
interface Body {
  /**
   * For each mode: frequency relative to the lowest, loudness, and the time in seconds in which the
   * loudness falls to a thousandth.
   */
  readonly modes: readonly (readonly [ratio: number, loudness: number, seconds: number])[];
  /** Loudness and duration in seconds of the impact itself, which is a burst of noise. */
  readonly knock: readonly [loudness: number, seconds: number];
  /** Attack time in seconds: short for a hard mallet. */
  readonly attack: number;
}

/** A block of wood: its modes are not harmonic and die away within a sixth of a second. */
const FOOT: Body = {
  modes: [
    [1, 1, 0.16],
    [2.57, 0.5, 0.09],
    [4.95, 0.26, 0.055],
    [8.1, 0.12, 0.03],
  ],
  knock: [0.55, 0.012],
  attack: 0.0008,
};

/** A bar tuned like those of a marimba, whose second mode is two octaves above the first. */
const BAR: Body = {
  modes: [
    [1, 1, 0.75],
    [3.98, 0.2, 0.2],
    [9.6, 0.06, 0.07],
  ],
  knock: [0.05, 0.008],
  attack: 0.003,
};

/** A strike on a body; `at` is in seconds after the start of the sound. */
interface Strike {
  readonly body: Body;
  readonly hz: number;
  readonly at: number;
  /** From 0 to 1. */
  readonly loudness: number;
  /** Factor by which the body's decay times are multiplied. */
  readonly ring: number;
}

const foot = (hz: number, at = 0, loudness = 0.8): Strike => ({
  body: FOOT,
  hz,
  at,
  loudness,
  ring: 1,
});
const bar = (hz: number, at = 0, loudness = 0.32, ring = 1): Strike => ({
  body: BAR,
  hz,
  at,
  loudness,
  ring,
});

const STRIKES: Record<Sound, readonly Strike[]> = {
  move: [foot(205)],
  // The captured piece is hit before the other one is put down.
  take: [foot(345, 0, 0.55), foot(165, 0.06, 0.9)],
  check: [foot(205), bar(659.3, 0.05, 0.3, 0.8)],
  'low-time': [bar(987.8, 0, 0.38, 0.3), bar(987.8, 0.17, 0.38, 0.3)],
  start: [bar(523.3), bar(784, 0.13)],
  end: [bar(587.3), bar(493.9, 0.17), bar(392, 0.34, 0.36, 1.3)],
  notice: [bar(880, 0, 0.26, 0.8), bar(1318.5, 0.09, 0.22, 0.8)],
};

/**
 * The first reflections of a small room: delay in seconds and loudness. Without them, the sounds
 * are dry.
 */
const REFLECTIONS = [
  [0.011, 0.2],
  [0.023, 0.13],
  [0.041, 0.08],
] as const;

/** Returns the samples of a sound, from -1 to 1, at a rate in samples per second. */
export function samplesOf(sound: Sound, rate: number): Float32Array<ArrayBuffer> {
  const strikes = STRIKES[sound];
  const [longest] = REFLECTIONS.map(([delay]) => delay).toSorted((a, b) => b - a);
  const ends = strikes.map(({ body, at, ring }) => at + (body.modes[0]?.[2] ?? 0) * ring);
  const dry = new Float32Array(Math.ceil((Math.max(...ends) + (longest ?? 0)) * rate));
  for (const strike of strikes) add(dry, strike, rate);
  const room = dry.slice();
  for (const [delay, loudness] of REFLECTIONS) {
    const offset = Math.round(delay * rate);
    for (let i = offset; i < dry.length; i += 1)
      room[i] = (room[i] ?? 0) + loudness * (dry[i - offset] ?? 0);
  }
  // Soft-clips the peaks.
  return room.map((sample) => Math.tanh(sample));
}

function add(samples: Float32Array, strike: Strike, rate: number): void {
  const { body, hz, at, loudness, ring } = strike;
  const from = Math.round(at * rate);
  for (const [ratio, strength, seconds] of body.modes) {
    const turn = (2 * Math.PI * hz * ratio) / rate;
    // Leaves out modes above the Nyquist frequency, which would alias, and those just below it.
    if (turn > 0.9 * Math.PI) continue;
    const decay = Math.log(1000) / (seconds * ring * rate);
    const length = Math.min(samples.length - from, Math.ceil(seconds * ring * rate));
    for (let i = 0; i < length; i += 1) {
      const attack = Math.min(1, i / (body.attack * rate));
      const value = loudness * strength * attack * Math.exp(-decay * i) * Math.sin(turn * i);
      samples[from + i] = (samples[from + i] ?? 0) + value;
    }
  }
  const [noise, seconds] = body.knock;
  const length = Math.min(samples.length - from, Math.ceil(seconds * rate));
  // The same noise each time, from a linear congruential generator. Averaging two samples softens
  // it.
  let state = 1;
  let last = 0;
  for (let i = 0; i < length; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const value = state / 2 ** 31 - 1;
    const fall = (1 - i / length) ** 2 * Math.min(1, i / (0.0005 * rate));
    samples[from + i] = (samples[from + i] ?? 0) + loudness * noise * fall * ((value + last) / 2);
    last = value;
  }
}

/** The part of an audio context used here. */
export type AudioOutput = Pick<
  AudioContext,
  'createBuffer' | 'createBufferSource' | 'createGain' | 'destination' | 'sampleRate'
>;

/** The sounds computed so far, by rate and name. */
const buffers = new Map<string, AudioBuffer>();

function bufferOf(output: AudioOutput, sound: Sound): AudioBuffer {
  const key = `${output.sampleRate} ${sound}`;
  let buffer = buffers.get(key);
  if (buffer === undefined) {
    const samples = samplesOf(sound, output.sampleRate);
    buffer = output.createBuffer(1, samples.length, output.sampleRate);
    buffer.copyToChannel(samples, 0);
    buffers.set(key, buffer);
  }
  return buffer;
}

/** Plays a sound, then calls `onEnded`; does neither at volume 0. The maximum `volume` is 1. */
export function playOn(
  output: AudioOutput,
  sound: Sound,
  volume: number,
  onEnded: () => void = () => {},
): void {
  if (volume <= 0) return;
  const source = output.createBufferSource();
  source.buffer = bufferOf(output, sound);
  const gain = output.createGain();
  // The square of the setting is perceived as roughly linear.
  gain.gain.value = Math.min(1, volume) ** 2;
  source.connect(gain);
  gain.connect(output.destination);
  source.onended = onEnded;
  source.start();
}

/** How long after a sound the audio device is released, in milliseconds. */
const RELEASE_MS = 5000;

let audioContext: AudioContext | null = null;
let releaseTimer: ReturnType<typeof setTimeout> | undefined;

/** Plays a sound in this browser, unless the browser has no audio or does not allow it yet. */
export function play(sound: Sound, volume: number): void {
  if (volume <= 0 || typeof AudioContext === 'undefined') return;
  // Browsers allow sound only after the visitor has interacted with the page.
  if (audioContext === null && !navigator.userActivation?.hasBeenActive) return;
  audioContext ??= new AudioContext();
  const context = audioContext;
  clearTimeout(releaseTimer);
  // A running context keeps the device and several threads busy, even in silence.
  const onEnded = (): void => {
    clearTimeout(releaseTimer);
    releaseTimer = setTimeout(() => void context.suspend(), RELEASE_MS);
  };
  // Resumes a running context as well, because it may be about to be suspended.
  void context.resume().then(() => playOn(context, sound, volume, onEnded));
}
