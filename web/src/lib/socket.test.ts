import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Game, GameEvent } from './api';
import { backoffMs, GameSocket, type Connection, type SocketLike } from './socket';

/** A socket whose remote end is simulated by the test. */
class FakeSocket implements SocketLike {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  readonly sent: { type: string; command?: string }[] = [];
  isClosed = false;

  constructor(readonly version: number | null) {}

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.isClosed = true;
  }

  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const played = (turn: string): GameEvent => ({ type: 'played', color: 'white', turn });

function setUp(version: number | null = 3) {
  const sockets: FakeSocket[] = [];
  const received: unknown[] = [];
  const states: Connection[] = [];
  const socket = new GameSocket({
    version,
    random: () => 0,
    open(clientVersion) {
      const fake = new FakeSocket(clientVersion);
      sockets.push(fake);
      return fake;
    },
    handlers: {
      snapshot: (game) => received.push(['snapshot', game.version]),
      event: (event, eventVersion) => received.push(['event', event.type, eventVersion]),
      accepted: (command) => received.push(['accepted', command]),
      refused: (command, code) => received.push(['refused', command, code]),
      connection: (state) => states.push(state),
    },
  });
  const latest = (): FakeSocket => {
    const fake = sockets.at(-1);
    if (!fake) throw new Error('no socket was opened');
    return fake;
  };
  socket.connect();
  return { socket, sockets, latest, received, states };
}

const snapshot = (version: number): { type: 'snapshot'; game: Pick<Game, 'version' | 'at'> } => ({
  type: 'snapshot',
  game: { version, at: 0 },
});
const event = (version: number): unknown => ({
  type: 'event',
  version,
  at: 0,
  event: played('e2e4'),
});

describe('GameSocket', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('sends the version it has', () => {
    expect(setUp(3).latest().version).toBe(3);
    expect(setUp(null).latest().version).toBeNull();
  });

  it('delivers each event once and in order', () => {
    const { latest, received, socket } = setUp(3);
    latest().onopen?.();
    for (const version of [4, 4, 3, 5]) latest().say(event(version));
    expect(received).toEqual([
      ['event', 'played', 4],
      ['event', 'played', 5],
    ]);
    expect(socket.version).toBe(5);
  });

  it('requests a snapshot when events are missing, and delivers none until it arrives', () => {
    const { latest, received } = setUp(3);
    latest().onopen?.();
    latest().say(event(6));
    latest().say(event(7));
    expect(received).toEqual([]);
    expect(latest().sent).toEqual([{ type: 'resync' }]);
    latest().say(snapshot(7));
    latest().say(event(8));
    expect(received).toEqual([
      ['snapshot', 7],
      ['event', 'played', 8],
    ]);
  });

  it('requests a snapshot when a pong shows that the last event was missed', () => {
    const { latest, received } = setUp(3);
    latest().onopen?.();
    latest().say({ type: 'pong', at: 0, version: 3, presence: 0 });
    latest().say({ type: 'pong', at: 0, version: 2, presence: 0 });
    expect(latest().sent).toEqual([]);
    latest().say({ type: 'pong', at: 0, version: 4, presence: 0 });
    // The snapshot is requested only once.
    latest().say({ type: 'pong', at: 0, version: 4, presence: 0 });
    expect(latest().sent).toEqual([{ type: 'resync' }]);
    latest().say(snapshot(4));
    latest().say({ type: 'pong', at: 0, version: 4, presence: 0 });
    expect(latest().sent).toHaveLength(1);
    expect(received).toEqual([['snapshot', 4]]);
  });

  it('requests a snapshot when a pong shows that the last change of presence was missed', () => {
    const { latest } = setUp(3);
    const presence = (version: number): unknown => ({
      type: 'presence',
      white: true,
      black: true,
      watchers: 0,
      version,
    });
    latest().onopen?.();
    latest().say(presence(7));
    latest().say({ type: 'pong', at: 0, version: 3, presence: 7 });
    expect(latest().sent).toEqual([]);
    latest().say({ type: 'pong', at: 0, version: 3, presence: 8 });
    expect(latest().sent).toEqual([{ type: 'resync' }]);
    // The presence versions of another server may be lower.
    latest().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(1000);
    latest().onopen?.();
    latest().say(presence(1));
    latest().say({ type: 'pong', at: 0, version: 3, presence: 2 });
    expect(latest().sent).toEqual([{ type: 'resync' }]);
  });

  it('retries a refused snapshot request', () => {
    const { latest, received } = setUp(3);
    latest().onopen?.();
    latest().say(event(6));
    latest().say({ type: 'refused', command: null, code: 'too-many', args: { seconds: '3' } });
    vi.advanceTimersByTime(2999);
    expect(latest().sent).toEqual([{ type: 'resync' }]);
    vi.advanceTimersByTime(1);
    expect(latest().sent).toEqual([{ type: 'resync' }, { type: 'resync' }]);
    latest().say(snapshot(7));
    latest().say(event(8));
    expect(received).toEqual([
      ['snapshot', 7],
      ['event', 'played', 8],
    ]);
    vi.advanceTimersByTime(4000);
    expect(latest().sent).toHaveLength(2);
  });

  it('reconnects with its current version after losing the connection', () => {
    const { latest, sockets, states } = setUp(3);
    latest().onopen?.();
    latest().say(event(4));
    latest().onclose?.({ code: 1006 });
    expect(sockets).toHaveLength(1);
    vi.advanceTimersByTime(250);
    expect(sockets).toHaveLength(2);
    expect(latest().version).toBe(4);
    latest().onopen?.();
    expect(states).toEqual(['connecting', 'open', 'reconnecting', 'reconnecting', 'open']);
  });

  it('waits longer after each failure, up to a limit', () => {
    const delays = [0, 1, 2, 3, 19, 20, 100].map((attempt) => backoffMs(attempt, 0));
    expect(delays).toEqual([250, 500, 1000, 1000, 1000, 7500, 7500]);
    expect(backoffMs(1, 0.5)).toBe(750);
  });

  it('keeps increasing the delay if the server closes the connection at once', () => {
    const { latest, sockets } = setUp();
    for (const delay of [250, 500, 1000]) {
      latest().onopen?.();
      latest().onclose?.({ code: 1006 });
      const before = sockets.length;
      vi.advanceTimersByTime(delay - 1);
      expect(sockets).toHaveLength(before);
      vi.advanceTimersByTime(1);
      expect(sockets).toHaveLength(before + 1);
    }
  });

  it('reconnects at once when the server restarts, because another one may respond', () => {
    const { sockets, latest } = setUp();
    latest().onopen?.();
    latest().say(event(4));
    latest().onclose?.({ code: 1012 });
    vi.advanceTimersByTime(0);
    expect(sockets.map((socket) => socket.version)).toEqual([3, 4]);
    // A server that does nothing but announce its restart is not contacted again and again.
    latest().onclose?.({ code: 1012 });
    vi.advanceTimersByTime(0);
    expect(sockets).toHaveLength(2);
    vi.advanceTimersByTime(1_000);
    expect(sockets).toHaveLength(3);
  });

  it('resends a command after a lost connection until it is answered', () => {
    const { latest, socket, received } = setUp();
    socket.send({ type: 'resign', command: 'a' });
    expect(latest().sent).toEqual([]);
    latest().onopen?.();
    socket.send({ type: 'offer-draw', command: 'b' });
    expect(latest().sent.map(({ command }) => command)).toEqual(['a', 'b']);
    latest().say({ type: 'accepted', command: 'a', version: 4 });
    latest().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(250);
    latest().onopen?.();
    expect(latest().sent.map(({ command }) => command)).toEqual(['b']);
    latest().say({ type: 'refused', command: 'b', code: 'game-over', args: {} });
    latest().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(1000);
    latest().onopen?.();
    expect(latest().sent).toEqual([]);
    expect(received).toEqual([
      ['accepted', 'a'],
      ['refused', 'b', 'game-over'],
    ]);
  });

  it('replaces a silent connection', () => {
    const { latest, sockets } = setUp();
    latest().onopen?.();
    vi.advanceTimersByTime(20_000);
    expect(latest().sent).toEqual([{ type: 'ping' }]);
    latest().say({ type: 'pong' });
    vi.advanceTimersByTime(20_000);
    vi.advanceTimersByTime(10_000);
    expect(sockets[0]?.isClosed).toBe(true);
    vi.advanceTimersByTime(250);
    expect(sockets).toHaveLength(2);
  });

  it('reports that an answer is overdue, and that the connection is back', () => {
    const { latest, socket, sockets, states } = setUp();
    latest().onopen?.();
    socket.send({ type: 'resign', command: 'a' });
    vi.advanceTimersByTime(2_499);
    expect(states.at(-1)).toBe('open');
    vi.advanceTimersByTime(1);
    expect(states.at(-1)).toBe('silent');
    latest().say({ type: 'accepted', command: 'a', version: 4 });
    expect(states.at(-1)).toBe('open');
    vi.advanceTimersByTime(19_000);
    expect([sockets.length, states.at(-1)]).toEqual([1, 'open']);
  });

  it('drops a connection that stays silent', () => {
    const { latest, socket, sockets, states } = setUp();
    latest().onopen?.();
    socket.send({ type: 'resign', command: 'a' });
    vi.advanceTimersByTime(10_000);
    expect([sockets[0]?.isClosed, states.at(-1)]).toEqual([true, 'reconnecting']);
  });

  it('checks the connection before it is used, unless a message has just arrived', () => {
    const { latest, socket, states } = setUp();
    latest().onopen?.();
    socket.probe();
    expect(latest().sent).toEqual([]);
    vi.advanceTimersByTime(3_000);
    socket.probe();
    socket.probe();
    expect(latest().sent).toEqual([{ type: 'ping' }]);
    vi.advanceTimersByTime(2_500);
    expect(states.at(-1)).toBe('silent');
  });

  it('notices within three seconds that a watched connection is lost', () => {
    const { latest, socket, states } = setUp();
    latest().onopen?.();
    socket.watch(true);
    vi.advanceTimersByTime(1_000);
    latest().say(event(4));
    vi.advanceTimersByTime(1_499);
    expect(latest().sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(latest().sent).toEqual([{ type: 'ping' }]);
    latest().say({ type: 'pong', at: 0, version: 4, presence: 0 });
    expect(states.at(-1)).toBe('open');
    // From here on nothing arrives.
    vi.advanceTimersByTime(2_999);
    expect(states.at(-1)).toBe('silent');
    vi.advanceTimersByTime(10_000 - 2_999 + 1_500);
    expect(states.at(-1)).toBe('reconnecting');
  });

  it('does not mistake a slow command on a watched connection for a loss', () => {
    const { latest, socket, states } = setUp();
    latest().onopen?.();
    socket.watch(true);
    vi.advanceTimersByTime(1_000);
    socket.send({ type: 'resign', command: 'a' });
    vi.advanceTimersByTime(2_499);
    expect(states.at(-1)).toBe('open');
    latest().say({ type: 'accepted', command: 'a', version: 4 });
    vi.advanceTimersByTime(1_500);
    expect(states.at(-1)).toBe('open');
  });

  it('pings at the usual rate when it is no longer watched, or when the page is hidden', () => {
    const { latest, socket } = setUp();
    latest().onopen?.();
    socket.watch(true);
    socket.watch(false);
    vi.advanceTimersByTime(19_999);
    expect(latest().sent).toEqual([]);
    const page = { visibilityState: 'hidden' };
    vi.stubGlobal('document', page);
    socket.watch(true);
    vi.advanceTimersByTime(19_999);
    expect(latest().sent).toEqual([]);
    // The connection may have died while the page was hidden.
    page.visibilityState = 'visible';
    socket.reconnectNow();
    expect(latest().sent).toEqual([{ type: 'ping' }]);
    latest().say({ type: 'pong', at: 0, version: 3, presence: 0 });
    vi.advanceTimersByTime(1_500);
    expect(latest().sent).toHaveLength(2);
    vi.unstubAllGlobals();
  });

  it('pings a watched connection, even a new one, soon after the page is visible again', () => {
    const { latest, socket } = setUp();
    const page = { visibilityState: 'hidden' };
    vi.stubGlobal('document', page);
    latest().onopen?.();
    socket.watch(true);
    vi.advanceTimersByTime(1_000);
    page.visibilityState = 'visible';
    socket.reconnectNow();
    vi.advanceTimersByTime(1_500);
    expect(latest().sent).toEqual([{ type: 'ping' }]);
    vi.unstubAllGlobals();
  });

  it('drops the connection when the network is lost', () => {
    const network = new EventTarget();
    vi.stubGlobal('addEventListener', network.addEventListener.bind(network));
    vi.stubGlobal('removeEventListener', network.removeEventListener.bind(network));
    const { latest, socket, states } = setUp();
    latest().onopen?.();
    network.dispatchEvent(new Event('offline'));
    expect(states.at(-1)).toBe('reconnecting');
    socket.close();
    network.dispatchEvent(new Event('offline'));
    expect(states.at(-1)).toBe('closed');
    vi.unstubAllGlobals();
  });

  it('ignores messages that cannot be parsed', () => {
    const { latest, received } = setUp(3);
    latest().onopen?.();
    latest().onmessage?.({ data: 'not json' });
    latest().onmessage?.({ data: new ArrayBuffer(1) });
    latest().say(event(4));
    expect(received).toHaveLength(1);
  });

  it('stays closed once closed', () => {
    const { latest, socket, sockets, states } = setUp();
    latest().onopen?.();
    socket.close();
    latest().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(1);
    expect(states.at(-1)).toBe('closed');
  });
});
