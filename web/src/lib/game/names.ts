import { t } from '../i18n/i18n.svelte';
import type { Color, Game, Players, Seat } from '../api';

/** Returns the name of a seat, which is the same for all visitors. */
export function seatName(seat: Seat, color: Color): string {
  if (seat.type === 'machine') return t('player-machine', { level: t(`level-${seat.level}`) });
  if (seat.type === 'open') return t('player-open');
  return seat.name ?? (color === 'white' ? t('player-white') : t('player-black'));
}

/** Returns the names of both players as shown to other visitors; null if neither has a name. */
export function pairName({ white, black }: Players): string | null {
  const isUnnamed = (seat: Seat): boolean => seat.type === 'person' && seat.name === undefined;
  if (isUnnamed(white) && isUnnamed(black)) return null;
  const name = (seat: Seat, color: Color): string =>
    isUnnamed(seat) ? t('hall-without-name') : seatName(seat, color);
  return `${name(white, 'white')} – ${name(black, 'black')}`;
}

/** Returns true if one of the players is the machine. */
export const isAgainstMachine = ({ players }: Pick<Game, 'players'>): boolean =>
  players.white.type === 'machine' || players.black.type === 'machine';

/** Returns the name of a side as shown to this visitor. */
export function playerName({ players, you }: Pick<Game, 'players' | 'you'>, color: Color): string {
  const seat = players[color];
  if (seat.type === 'person' && seat.name === undefined && you !== null)
    return you === color ? t('player-you') : t('player-opponent');
  return seatName(seat, color);
}
