import type { Color, Game, GameEvent, Millis, Times } from '../api';
import { afterTurn, atTurnOf, delayLeftMs, leftMs } from './clock';

const other = (color: Color): Color => (color === 'white' ? 'black' : 'white');

const untouched = { squares: [], adjusting: false, obligation: null };

/**
 * A game after one more event. `mover` is the side to move before it. The clocks keep the instant
 * they were read at: `at` changes only with them.
 */
export function applied(game: Game, event: GameEvent, at: Millis, mover: Color): Game {
  switch (event.type) {
    case 'joined': {
      const players = { ...game.players, [event.color]: event.seat };
      const waits = [players.white, players.black].some((seat) => seat.type === 'open');
      if (waits) return { ...game, players };
      return begun({ ...game, players, status: { type: 'playing' } }, mover, at);
    }
    case 'played': {
      const turns = [...game.turns, event.turn];
      return {
        ...game,
        turns,
        // The turn answers an offer of the other side by declining it.
        drawOffer: game.drawOffer === event.color ? game.drawOffer : null,
        takeback: null,
        touch: untouched,
        conditions: followed(game, event.turn, event.color),
        ...(event.clock === undefined || game.clock === null
          ? {}
          : afterTurn(event.clock, event.color, turns.length, at, clockRules(game))),
      };
    }
    case 'draw-offered':
      return { ...game, drawOffer: event.color };
    case 'draw-declined':
      return { ...game, drawOffer: null };
    case 'takeback-proposed':
      return { ...game, takeback: event.color };
    case 'takeback-declined':
      return { ...game, takeback: null };
    case 'taken-back': {
      const turns = game.turns.slice(0, game.turns.length - event.plies);
      const now = event.plies % 2 === 0 ? mover : other(mover);
      const left = event.clock ?? game.clock?.left;
      const clock =
        game.clock === null || left === undefined
          ? null
          : atTurnOf(left, now, turns.length, at, clockRules(game));
      return {
        ...game,
        turns,
        clock,
        at,
        drawOffer: null,
        takeback: null,
        touch: untouched,
        conditions: [],
      };
    }
    case 'time-given':
      return retimed(game, event.clock, at);
    case 'interrupted':
      return retimed(game, event.clock, at, event.until - event.from);
    case 'touched': {
      const { touch } = game;
      if (touch.adjusting) return { ...game, touch: { ...touch, adjusting: false } };
      const squares = [...touch.squares, event.square];
      return { ...game, touch: { ...touch, squares, obligation: event.obligation } };
    }
    case 'adjusted':
      return { ...game, touch: { ...game.touch, adjusting: true } };
    case 'conditions-set':
      return event.color === game.you ? { ...game, conditions: event.tree } : game;
    case 'hidden':
      return game;
    case 'ended': {
      const { result, reason } = event;
      const left = event.clock ?? still(game, at);
      return {
        ...game,
        status: { type: 'over', result, reason },
        drawOffer: null,
        takeback: null,
        touch: untouched,
        conditions: [],
        clock: game.clock && left && { ...stopped, left },
      };
    }
    case 'rematch-offered':
      return { ...game, rematchOffer: event.color };
    case 'rematch-declined':
      return { ...game, rematchOffer: null };
    case 'rematch-accepted':
      return { ...game, rematchOffer: null, rematch: event.next };
  }
}

const stopped = { running: null, delayLeftMs: 0, firstTurnUntil: null };

function clockRules({ timeControl, firstTurnMs }: Game) {
  return { control: timeControl, firstTurnMs };
}

function begun(game: Game, mover: Color, at: Millis): Game {
  if (game.clock === null) return game;
  return {
    ...game,
    clock: atTurnOf(game.clock.left, mover, game.turns.length, at, clockRules(game)),
    at,
  };
}

/** What both clocks show at an instant. */
function still(game: Game, at: Millis): Times | null {
  if (game.clock === null) return null;
  const reading = { clock: game.clock, at: game.at };
  return { white: leftMs(reading, 'white', at), black: leftMs(reading, 'black', at) };
}

/** The same turn with other times; `uncharged` milliseconds of it are charged to nobody. */
function retimed(game: Game, left: Times, at: Millis, uncharged = 0): Game {
  if (game.clock === null) return game;
  const waits = delayLeftMs({ clock: game.clock, at: game.at }, at - uncharged);
  const until = game.clock.firstTurnUntil;
  const firstTurnUntil = until === null ? null : until + uncharged;
  return { ...game, clock: { ...game.clock, left, delayLeftMs: waits, firstTurnUntil }, at };
}

/** What is left of the visitor's own conditional turns after a turn. */
function followed(game: Game, turn: string, color: Color): Game['conditions'] {
  if (game.you === null) return [];
  if (color !== game.you) return game.conditions.filter(({ reply }) => reply === turn);
  const [expected] = game.conditions;
  return expected?.answer === turn ? (expected.then ?? []) : [];
}
