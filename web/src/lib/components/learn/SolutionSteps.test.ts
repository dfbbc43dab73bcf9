// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { rulesForTests } from '$lib/game/fixtures';
import { i18n } from '$lib/i18n/i18n.svelte';
import type { LineEngine } from '$lib/learn/engine-line';
import { afterFork, fixedEngine, fork } from '$lib/learn/line-engine-fixture';
import { ProblemState } from '$lib/learn/problem-state.svelte';
import { render, screen, useFrench, userEvent } from '$lib/testing';
import SolutionSteps from './SolutionSteps.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('problem');
});

/** Shows the solution of the fork. */
function show(startEngine: () => Promise<LineEngine>): ProblemState {
  const attempt = new ProblemState(rulesForTests(), 'chess', fork, () => {}, startEngine);
  attempt.show();
  render(SolutionSteps, { attempt });
  return attempt;
}

it("shows what the solution wins, and the engine's line", async () => {
  const attempt = show(() => Promise.resolve(fixedEngine(afterFork, 500)));
  expect(screen.getByText('Le moteur calcule la suite…')).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
  const gain = 'Les Blancs gagnent la tour noire en a8 contre le fou blanc en e8.';
  expect(await screen.findByText(gain)).toBeTruthy();
  expect(screen.getByText(/^Le moteur continue/)).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  await userEvent.setup().click(screen.getByRole('button', { name: /xa8/ }));
  expect(attempt.ply).toBe(3);
});

it('says that the engine is not available', async () => {
  show(() => Promise.reject(new Error('offline')));
  expect(await screen.findByText(/^Le moteur n’est pas disponible/)).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(1);
});
