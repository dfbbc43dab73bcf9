/**
 * Sounds, synthesised when they are played, so that no files are fetched. Each consists of a few struck notes: wood
 * for events on the board, a small bell for everything else.
 */
export const sounds = ['move', 'take', 'check', 'low-time', 'start', 'end', 'notice'] as const;
export type Sound = (typeof sounds)[number];

/** A struck note. */
export interface Note {
  readonly hz: number;
  /** Start of the note, in seconds after the start of the sound. */
  readonly at: number;
  /** Duration in seconds. */
  readonly seconds: number;
  /** From 0 to 1. */
  readonly loudness: number;
  /** `wood` has an additional short knock, `bell` an overtone. */
  readonly body: 'wood' | 'bell';
}

const wood = (hz: number, at = 0, loudness = 0.9): Note => ({
  hz,
  at,
  seconds: 0.09,
  loudness,
  body: 'wood',
});
const bell = (hz: number, at = 0, loudness = 0.35, seconds = 0.5): Note => ({
  hz,
  at,
  seconds,
  loudness,
  body: 'bell',
});

export const scores: Record<Sound, readonly Note[]> = {
  move: [wood(230)],
  take: [wood(310, 0, 0.7), wood(190, 0.055)],
  check: [wood(230), bell(784, 0.03, 0.3, 0.35)],
  'low-time': [bell(988, 0, 0.3, 0.16), bell(988, 0.2, 0.3, 0.16)],
  start: [bell(523.3), bell(784, 0.13)],
  end: [bell(659.3), bell(523.3, 0.16), bell(392, 0.32, 0.35, 0.8)],
  notice: [bell(880, 0, 0.3, 0.4)],
};

/** The part of an audio context used here. */
export type Stage = Pick<
  AudioContext,
  'currentTime' | 'destination' | 'createGain' | 'createOscillator' | 'resume' | 'state'
>;

/** Creates an envelope that rises at once and decays, like that of a struck object. */
function strike(stage: Stage, peak: number, from: number, seconds: number): GainNode {
  const gain = stage.createGain();
  gain.gain.setValueAtTime(0.0001, from);
  gain.gain.exponentialRampToValueAtTime(Math.max(peak, 0.0002), from + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + seconds);
  gain.connect(stage.destination);
  return gain;
}

function tone(
  stage: Stage,
  type: OscillatorType,
  hz: number,
  [from, seconds, peak]: readonly [number, number, number],
): void {
  const oscillator = stage.createOscillator();
  oscillator.type = type;
  oscillator.frequency.setValueAtTime(hz, from);
  oscillator.connect(strike(stage, peak, from, seconds));
  oscillator.start(from);
  oscillator.stop(from + seconds + 0.02);
}

/** Plays a sound; `volume` is from 0 to 1. */
export function perform(stage: Stage, sound: Sound, volume: number): void {
  if (volume <= 0) return;
  for (const { hz, at, seconds, loudness, body } of scores[sound]) {
    const from = stage.currentTime + at;
    const peak = loudness * volume;
    tone(stage, 'sine', hz, [from, seconds, peak]);
    if (body === 'wood') tone(stage, 'triangle', hz * 3.1, [from, 0.025, peak * 0.5]);
    else tone(stage, 'sine', hz * 2.76, [from, seconds * 0.5, peak * 0.2]);
  }
}

let stage: AudioContext | null = null;

/** Plays a sound in this browser; does nothing if the browser cannot or does not yet allow it. */
export function play(sound: Sound, volume: number): void {
  if (volume <= 0 || typeof AudioContext === 'undefined') return;
  // Browsers allow sound only after the visitor has interacted with the page.
  if (stage === null && !navigator.userActivation?.hasBeenActive) return;
  stage ??= new AudioContext();
  const context = stage;
  if (context.state === 'suspended') {
    void context.resume().then(() => perform(context, sound, volume));
    return;
  }
  perform(context, sound, volume);
}
