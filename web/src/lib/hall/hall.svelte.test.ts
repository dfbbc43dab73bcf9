// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { HallState } from './hall.svelte';

afterEach(() => vi.unstubAllGlobals());

/** Replaces `WebSocket`; returns the sockets that the page opens. */
function sockets() {
  const opened: { url: string; sent: unknown[]; open: () => void }[] = [];
  class FakeSocket {
    onopen: (() => void) | null = null;
    readonly #sent: unknown[] = [];
    constructor(url: string) {
      opened.push({ url, sent: this.#sent, open: () => this.onopen?.() });
    }
    send(text: string): void {
      this.#sent.push(JSON.parse(text));
    }
    close(): void {}
  }
  vi.stubGlobal('WebSocket', FakeSocket);
  return opened;
}

it('requests the lists that a page begins to show while the socket is connecting', () => {
  const opened = sockets();
  const hall = new HallState();
  hall.connect();
  expect(opened[0]?.url).toContain('lists=false');
  const hide = hall.showLists();
  expect(opened[0]?.sent).toEqual([]);
  opened[0]?.open();
  expect(opened[0]?.sent).toEqual([{ type: 'show-lists' }]);
  hide();
  expect(opened[0]?.sent.at(-1)).toEqual({ type: 'hide-lists' });
  hall.close();
});

it('sends nothing when the socket opens if its URL already requests the lists', () => {
  const opened = sockets();
  const hall = new HallState();
  hall.showLists();
  opened[0]?.open();
  expect(opened[0]?.sent).toEqual([]);
  hall.close();
});
