// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from 'vitest';
import type { Game } from '$lib/api';
import { gameFixture, mirrorsForTests, rulesForTests } from '$lib/game/fixtures';
import { GameState } from '$lib/game/game-state.svelte';
import RefusedAnswer from '$lib/components/question/RefusedAnswer.svelte';
import { Question } from '$lib/question/question.svelte';
import { RefusedStep } from '$lib/question/refused-step.svelte';
import { fireEvent, render, screen, useFrench, waitFor } from '$lib/testing';
import GameBoard from './GameBoard.svelte';

beforeAll(useFrench);

function open(changes: Partial<Game> = {}) {
  const send = vi.fn();
  const game = new GameState(gameFixture({ touchMove: true, ...changes }), {
    rules: rulesForTests(),
    mirrors: mirrorsForTests(),
    now: () => 0,
    send,
  });
  const refused = new RefusedStep(() => game.shown, game.obligationAgainst.bind(game));
  const question = new Question(() => game.shown, game.obligationAgainst.bind(game));
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
  const press = (name: string) => fireEvent.click(square(name));
  return { container, game, question, send, square, touch, press };
}

it('when another piece is pressed, says that the touched piece must be played (C13)', async () => {
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

it('when asked about another piece, says that the touched piece must be played (C13)', async () => {
  const { question, touch, press } = open();
  touch('g1', 2);
  question.toggle();
  const lines = () => question.answerText?.lines.map(({ text }) => text);
  const must = 'Pièce touchée\u00a0: il faut jouer la pièce en g1.';
  await press('d2');
  expect(lines()).toEqual([must]);
  // A forbidden step is not drawn when the pointer is on its square, but only after a press.
  question.aim('d4');
  expect(question.drawings).toEqual([]);
  await press('d4');
  expect(lines()).toEqual([must]);
  expect(question.drawings).toEqual([{ from: 'd2', to: 'd4', brush: 'shift-alt' }]);
  await press('g1');
  expect(lines()).not.toContain(must);
});

it('when asked about a piece that must capture, leaves out its other steps (C13)', async () => {
  const { game, question, press } = open({ turns: ['e2e4', 'd7d5'], version: 3 });
  const touch = { type: 'touched', color: 'white' } as const;
  const mustMove = { type: 'must-move', own: 'e4' } as const;
  game.event({ ...touch, square: 'e4', obligation: mustMove, outcome: { binds: true } }, 4, 0);
  const must = { type: 'must-take-with', own: 'e4', enemy: 'd5' } as const;
  const together = { binds: true, together: true };
  game.event({ ...touch, square: 'd5', obligation: must, outcome: together }, 5, 0);
  question.toggle();
  await press('e4');
  const words = question.answerText?.lines.map(({ text }) => text).join(' ') ?? '';
  expect(words).toMatch(/la pièce en e4 doit prendre la pièce en d5/);
  expect(words).not.toMatch(/e5/);
});

it('asking about a piece is not touching it (C13)', async () => {
  const { question, send, press } = open();
  question.toggle();
  await press('g1');
  expect(send).not.toHaveBeenCalled();
  question.toggle();
  await press('g1');
  expect(send).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ type: 'touch' }));
});
