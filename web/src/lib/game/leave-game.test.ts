// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ClientMessage } from '../api';
import type { SocketLike } from '../socket';
import { leaveGame } from './leave-game';

type Command = Extract<ClientMessage, { command: string }>;

/** The refusal code for each type of command; null if the command is accepted. */
let answers: Partial<Record<Command['type'], string | null>>;
let sent: Command['type'][];

/** A socket whose server answers every command at once. */
class FakeSocket implements SocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    queueMicrotask(() => this.onopen?.());
  }

  send(text: string): void {
    const { type, command } = JSON.parse(text) as Command;
    sent.push(type);
    const code = answers[type] ?? null;
    const answer =
      code === null
        ? { type: 'accepted', command, version: 2 }
        : { type: 'refused', command, code, args: {} };
    this.onmessage?.({ data: JSON.stringify(answer) });
  }

  close(): void {}
}

beforeEach(() => {
  sent = [];
  vi.stubGlobal('WebSocket', FakeSocket);
});
afterEach(() => vi.unstubAllGlobals());

it('a game is aborted if that is possible', async () => {
  answers = {};
  expect(await leaveGame('g')).toBe(true);
  expect(sent).toEqual(['abort']);
});

it('a game is resigned once both sides have played their first turn', async () => {
  answers = { abort: 'first-turns-played' };
  expect(await leaveGame('g')).toBe(true);
  expect(sent).toEqual(['abort', 'resign']);
});

it.each(['too-many', 'not-saved', 'not-a-player'])(
  'a game is not resigned if the server answers the abort with the refusal %s',
  async (code) => {
    answers = { abort: code };
    expect(await leaveGame('g')).toBe(false);
    expect(sent).toEqual(['abort']);
  },
);

it('a game that is already over counts as left', async () => {
  answers = { abort: 'game-over' };
  expect(await leaveGame('g')).toBe(true);
  answers = { abort: 'first-turns-played', resign: 'game-over' };
  expect(await leaveGame('g')).toBe(true);
});

it('a game that can be neither aborted nor resigned is not left', async () => {
  answers = { abort: 'first-turns-played', resign: 'too-many' };
  expect(await leaveGame('g')).toBe(false);
});
