import type { GameView } from '../analysis-types';
import type { Game } from '../api';
import { seatName } from '../game/names';
import { absoluteUrl } from '../routing/address';
import { pathOf } from '../routing/routes';

/** Converts a game on this site to a PGN game. */
export function gameViewOf(game: Game): GameView {
  const date = new Date(game.createdAt).toISOString().slice(0, 10).replaceAll('-', '.');
  return {
    variant: game.variant as GameView['variant'],
    fen: game.initialFen,
    tags: [
      { name: 'Site', value: absoluteUrl(pathOf('game', { id: game.id })).href },
      { name: 'Date', value: date },
      { name: 'White', value: seatName(game.players.white, 'white') },
      { name: 'Black', value: seatName(game.players.black, 'black') },
    ],
    result: game.status.type === 'over' ? game.status.result : '*',
    main: {
      comments: [],
      nodes: game.turns.map((turn) => ({ turn, nags: [], comments: [], variations: [] })),
    },
  };
}
