// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { visitor } from '../account/me.svelte';
import type { Account, AttemptResult, ProblemStanding } from '../api';
import { rulesForTests } from '../game/fixtures';
import { currentStanding, loadStanding, recordAttempt } from './account-standing.svelte';

const signIn = (name: string | null): void =>
  visitor.setAccount(name === null ? null : ({ name } as Account));
const standing = (value: number): ProblemStanding =>
  ({ value, problems: 9, streak: 1, seen: {} }) as ProblemStanding;

/** The server answers every request with this. */
function answerWith(body: unknown): void {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(body)));
}

it('shows the standing of the account that is signed in', async () => {
  signIn('Ana');
  answerWith(standing(1700));
  await loadStanding('chess');
  expect(currentStanding('chess').value).toBe(1700);
  expect(currentStanding('baroque').value).toBe(1000);
  signIn('Bela');
  expect(currentStanding('chess').value).toBe(1000);
  signIn(null);
  expect(currentStanding('chess').value).toBe(1000);
  signIn('Ana');
  expect(currentStanding('chess').value).toBe(1700);
});

it('counts an attempt for the account that made it, even if it has signed out since', async () => {
  signIn('Cleo');
  let respond: (response: Response) => void = () => {};
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (respond = resolve)));
  const attempt = recordAttempt(rulesForTests(), 'chess', { id: 'p', rating: 1000 }, true, []);
  signIn('Dana');
  const rated = { before: 1500, after: 1510 };
  const result = { solved: true, rated, standing: standing(1510) } satisfies AttemptResult;
  respond(Response.json(result));
  expect(await attempt).toEqual(rated);
  expect(currentStanding('chess').value).toBe(1000);
  signIn('Cleo');
  expect(currentStanding('chess').value).toBe(1510);
});

it('counts an attempt without an account in this browser, once', async () => {
  signIn(null);
  const problem = { id: 'q', rating: 1000 };
  const rated = await recordAttempt(rulesForTests(), 'chess', problem, true, []);
  expect(rated?.after).toBeGreaterThan(rated?.before ?? Infinity);
  expect(currentStanding('chess').value).toBe(rated?.after);
  expect(await recordAttempt(rulesForTests(), 'chess', problem, false, [])).toBeNull();
  expect(currentStanding('chess').value).toBe(rated?.after);
});

it('uses the standing stored in the browser if the server does not respond', async () => {
  signIn(null);
  const problem = { id: 'r', rating: 1000 };
  const rated = await recordAttempt(rulesForTests(), 'baroque', problem, true, []);
  signIn('Emil');
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  await loadStanding('baroque');
  expect(rated?.after).toBeGreaterThan(1000);
  expect(currentStanding('baroque').value).toBe(rated?.after);
});
