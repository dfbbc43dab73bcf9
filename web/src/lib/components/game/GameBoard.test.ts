// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from 'vitest';
import { gameFixture, mirrorsForTests, rulesForTests } from '$lib/game/fixtures';
import { GameState } from '$lib/game/game-state.svelte';
import RefusedAnswer from '$lib/components/question/RefusedAnswer.svelte';
import { Question } from '$lib/question/question.svelte';
import { RefusedStep } from '$lib/question/refused-step.svelte';
import { fireEvent, render, screen, useFrench, waitFor } from '$lib/testing';
import GameBoard from './GameBoard.svelte';

beforeAll(useFrench);

function open() {
  const game = new GameState(gameFixture({ touchMove: true }), {
    rules: rulesForTests(),
    mirrors: mirrorsForTests(),
    now: () => 0,
    send: vi.fn(),
  });
  const refused = new RefusedStep(
    () => game.shown,
    (from, to) => game.obligationAgainst(from, to),
  );
  const question = new Question(() => game.shown);
  const { container } = render(GameBoard, { game, orientation: 'white', question, refused });
  render(RefusedAnswer, { refused });
  const square = (name: string): Element => {
    const found = container.querySelector(`button[data-square="${name}"]`);
    if (!found) throw new Error(`no square ${name}`);
    return found;
  };
  const touch = (name: string, version: number): void => {
    const obligation = { type: 'must-move', own: 'g1' } as const;
    game.event({ type: 'touched', color: 'white', square: name, obligation }, version, 0);
  };
  return { container, square, touch, press: (name: string) => fireEvent.click(square(name)) };
}

it('says that a touched piece must be played when another is pressed (C13)', async () => {
  const { container, touch, press } = open();
  await press('g1');
  touch('g1', 2);
  await press('d2');
  const reason = () => container.ownerDocument.querySelector('.refused')?.textContent ?? '';
  expect(reason()).toMatch(/Le pion blanc en d2/);
  expect(reason()).toMatch(/il faut jouer la pièce en g1/);
  expect(screen.getByRole('link').getAttribute('href')).toMatch(/#C13$/);
  expect(container.querySelectorAll('[data-target]')).toHaveLength(0);
  await press('d4');
  expect(reason()).toMatch(/il faut jouer la pièce en g1/);
  expect(reason()).not.toMatch(/légal/);
});

it('distinguishes the touched piece that binds from those touched later', async () => {
  const { square, touch } = open();
  touch('g1', 2);
  touch('d2', 3);
  await waitFor(() => expect(square('d2').getAttribute('aria-label')).toMatch(/pièce touchée$/));
  expect(square('g1').getAttribute('aria-label')).toMatch(/pièce touchée, qui oblige$/);
  const frames = ['g1', 'd2'].map((name) => square(name).parentElement?.querySelector('.touched'));
  expect(frames.map((frame) => frame?.classList.contains('binding'))).toEqual([true, false]);
});

it('circles the piece that must be played, unless it is selected (C13)', async () => {
  const { container, touch, press } = open();
  const circled = () =>
    [...container.querySelectorAll('[data-drawing^="shift-alt-"]')].map((circle) =>
      circle.getAttribute('data-drawing'),
    );
  await press('g1');
  touch('g1', 2);
  await waitFor(() => expect(container.querySelectorAll('[data-target]')).toHaveLength(2));
  expect(circled()).toEqual([]);
  await press('d2');
  expect(circled()).toEqual(['shift-alt-g1']);
});
