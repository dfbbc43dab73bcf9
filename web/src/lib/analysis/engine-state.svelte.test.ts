// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { InfoView } from '../analysis-types';
import { rulesForTests } from '../game/fixtures';
import type { Position } from '../rules';
import type { EngineClient } from './engine';
import { EngineState, type EngineRequest } from './engine-state.svelte';
import type { Records } from './module';

const rules = rulesForTests();
const start = rules.initial('chess');
const afterE4 = rules.fromFen(
  'chess',
  'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1',
);

const info = { line: 1, bound: null, pv: [] } as unknown as InfoView;
let stop: () => void = () => {};
beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const requestFor = (position: Position): EngineRequest => ({
  variant: 'chess',
  fen: position.view.fen,
  turns: [],
  position,
});

/** An engine that is on, follows the board, and finds a line in every search. */
class Fixture {
  request = $state.raw<EngineRequest>(requestFor(start));
  /** The FENs searched, in order. */
  readonly searched: string[] = [];
  readonly engine: EngineState;

  constructor() {
    const client = {
      stop: vi.fn(),
      search: (request: { fen: string }, receive: (info: InfoView) => void) => {
        this.searched.push(request.fen);
        receive(info);
        return new Promise(() => {});
      },
    } as unknown as EngineClient;
    const records = {
      afterPassing: (_: string, fen: string) => fen.replace(' w ', ' b '),
    } as unknown as Records;
    this.engine = new EngineState(records, client);
    this.engine.on.current = true;
    stop = $effect.root(() => this.engine.follow(() => this.request));
    this.search();
  }

  /** Lets time pass until the requested search has started. */
  search(): void {
    flushSync();
    vi.advanceTimersByTime(100);
  }
}

it('has no lines for a new position until its search has started', () => {
  const fixture = new Fixture();
  const { engine } = fixture;
  expect(engine.isAbout(start)).toBe(true);
  fixture.request = requestFor(afterE4);
  flushSync();
  // The lines of the old position are still shown, but they cannot be played in the new one.
  expect(engine.infos).toEqual([info]);
  expect(engine.isAbout(afterE4)).toBe(false);
  fixture.search();
  expect(engine.isAbout(afterE4)).toBe(true);
  expect(engine.isAbout(start)).toBe(false);
});

it('does not take the lines of a threat for those of a turn, or the reverse', () => {
  const fixture = new Fixture();
  const { engine, searched } = fixture;
  engine.threat = true;
  flushSync();
  expect(engine.isAbout(start)).toBe(false);
  fixture.search();
  expect(engine.isAbout(start)).toBe(true);
  expect(engine.searchedFen).toContain(' b ');
  engine.threat = false;
  flushSync();
  expect(engine.isAbout(start)).toBe(false);
  fixture.search();
  expect(engine.isAbout(start)).toBe(true);
  expect(searched.map((fen) => fen.split(' ')[1])).toEqual(['w', 'b', 'w']);
});

it('searches only the last of several positions that follow each other quickly', () => {
  const fixture = new Fixture();
  fixture.request = requestFor(afterE4);
  flushSync();
  fixture.request = requestFor(start);
  flushSync();
  fixture.request = requestFor(afterE4);
  fixture.search();
  expect(fixture.searched).toEqual([start.view.fen, afterE4.view.fen]);
});

it('forgets its lines when it is switched off or the board needs none', () => {
  const fixture = new Fixture();
  const { engine } = fixture;
  fixture.request = 'wait';
  fixture.search();
  expect(engine.infos).toEqual([info]);
  fixture.request = 'rest';
  fixture.search();
  expect([engine.infos, engine.about, engine.isSearching]).toEqual([[], null, false]);
  fixture.request = requestFor(start);
  fixture.search();
  expect(engine.isSearching).toBe(true);
  engine.on.current = false;
  fixture.search();
  expect([engine.infos, engine.about, engine.isSearching]).toEqual([[], null, false]);
  expect(engine.isAbout(start)).toBe(false);
});
