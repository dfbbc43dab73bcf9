import { daysAndHours } from './game/clock';
import { i18n, t } from './i18n/i18n.svelte';
import type { GameSettings, TimeControl } from './api';

const minutesOf = (ms: number): string => {
  const minutes = ms / 60_000;
  const named: Record<string, string> = { '0.25': '¼', '0.5': '½', '0.75': '¾' };
  return named[String(minutes)] ?? (ms % 60_000 === 0 ? String(minutes) : `${ms / 1000} s`);
};

/** Formats a time control as players write it, such as `5 + 3`. */
export function controlText(control: TimeControl): string {
  switch (control.type) {
    case 'unlimited':
      return t('clock-unlimited');
    case 'fischer':
      return `${minutesOf(control.initialMs)} + ${control.incrementMs / 1000}`;
    case 'delay':
      return t('clock-delay-short', {
        minutes: minutesOf(control.initialMs),
        delay: control.delayMs / 1000,
      });
    case 'correspondence':
      return t('clock-days-per-turn', { days: control.daysPerTurn });
  }
}

/** Describes the non-default settings of a game, in a few words each. */
export function settingTexts(settings: GameSettings): string[] {
  const words: string[] = [];
  if (settings.touchMove) words.push(t('setting-touch-move'));
  if (settings.casual === false) words.push(t('setting-serious'));
  if (settings.drawRules === 'fide') words.push(t('setting-fide'));
  if (settings.shuffle)
    words.push(i18n.lookup(`setting-shuffled-${settings.variant}`) ?? t('setting-shuffled'));
  if (settings.fen !== undefined) words.push(t('setting-position'));
  if (settings.games !== undefined && settings.games > 1)
    words.push(t('setting-match', { games: settings.games }));
  return words;
}

/** Describes the time left for a turn in a correspondence game. */
export function timeLeftText(ms: number): string {
  const days = daysAndHours(ms)?.days;
  return days === undefined
    ? t('time-left-hours', { hours: Math.max(0, Math.floor(ms / 3_600_000)) })
    : t('time-left-days', { days });
}
