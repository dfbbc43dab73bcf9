import { socketUrl } from '../http';
import { GameSocket, type SocketLike } from '../socket';
import { uuid } from '../uuid';

/** Maximum time to wait for the server's response. */
const timeoutMs = 15_000;

/**
 * Leaves a game permanently: aborts it without a result, or resigns if both sides have already
 * played their first turn. Resolves to true if the game is then over, even if it was over before;
 * to false if the server refuses to end it or does not respond in time.
 */
export function leaveGame(id: string): Promise<boolean> {
  return new Promise((resolve) => {
    const abort = { type: 'abort', command: uuid() } as const;
    const resign = { type: 'resign', command: uuid() } as const;
    const done = (isOver: boolean): void => {
      clearTimeout(timeout);
      socket.close();
      resolve(isOver);
    };
    const timeout = setTimeout(() => done(false), timeoutMs);
    const socket = new GameSocket({
      version: null,
      open: (version) => new WebSocket(socketUrl(id, version)) as SocketLike,
      handlers: {
        snapshot: () => {},
        event: () => {},
        connection: () => {},
        accepted: () => done(true),
        refused: (command, code) => {
          if (code === 'game-over') done(true);
          else if (command === abort.command && code === 'first-turns-played') socket.send(resign);
          else if (command === abort.command || command === resign.command) done(false);
        },
      },
    });
    socket.send(abort);
    socket.connect();
  });
}
