import type { Challenge, Hall, HallServerMessage } from '../api';

export const emptyHall: Hall = {
  version: 0,
  seeks: [],
  mine: [],
  challenges: { received: [], sent: [] },
  people: { count: 0, names: [] },
  games: [],
};

/** Returns the hall reduced to the visitor's own seeks and challenges. */
export function ownPart({ version, seeks, mine, challenges }: Hall): Hall {
  return {
    ...emptyHall,
    version,
    seeks: seeks.filter(({ id }) => mine.includes(id)),
    mine,
    challenges,
  };
}

const without = <T extends { id: string }>(list: readonly T[], id: string): T[] =>
  list.filter((each) => each.id !== id);

/** Returns true if the server has sent changes that are missing from the hall. */
export function isBehind(hall: Hall, message: HallServerMessage): boolean {
  return message.type === 'pong' && message.version > hall.version;
}

/**
 * Returns the hall after a message. `name` is the name of the visitor's account; null without an
 * account.
 */
export function applyMessage(hall: Hall, message: HallServerMessage, name: string | null): Hall {
  const after = applyChange(hall, message, name);
  // A full hall may come from another server, whose version numbers may be lower.
  if (message.type === 'pong' || !('version' in message)) return after;
  return { ...after, version: Math.max(hall.version, message.version) };
}

function applyChange(hall: Hall, message: HallServerMessage, name: string | null): Hall {
  switch (message.type) {
    case 'hall':
      return message.hall;
    case 'own': {
      const { version, seeks, challenges } = message.own;
      return { ...emptyHall, version, seeks, mine: seeks.map(({ id }) => id), challenges };
    }
    case 'seek-added': {
      const { id } = message.seek;
      const isNewlyMine = message.mine === true && !hall.mine.includes(id);
      return {
        ...hall,
        seeks: [message.seek, ...without(hall.seeks, id)],
        mine: isNewlyMine ? [...hall.mine, id] : hall.mine,
      };
    }
    case 'seek-removed':
      return {
        ...hall,
        seeks: without(hall.seeks, message.id),
        mine: hall.mine.filter((id) => id !== message.id),
      };
    case 'people':
      return { ...hall, people: message.people };
    case 'games':
      return { ...hall, games: message.games };
    case 'challenge':
      return { ...hall, challenges: withChallenge(hall.challenges, message.challenge, name) };
    case 'challenge-gone': {
      const { received, sent } = hall.challenges;
      const challenges = {
        received: without(received, message.id),
        sent: without(sent, message.id),
      };
      return { ...hall, challenges };
    }
    case 'house':
    case 'game':
    case 'refused':
    case 'pong':
      return hall;
  }
}

function withChallenge(
  { received, sent }: Hall['challenges'],
  challenge: Challenge,
  name: string | null,
): Hall['challenges'] {
  const isMine = name !== null && challenge.to.toLowerCase() !== name.toLowerCase();
  return {
    received: isMine ? received : [challenge, ...without(received, challenge.id)],
    sent: isMine ? [challenge, ...without(sent, challenge.id)] : sent,
  };
}
