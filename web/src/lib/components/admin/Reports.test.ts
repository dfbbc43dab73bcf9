// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { ChatReport } from '$lib/api';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench, userEvent, waitFor, within } from '$lib/testing';
import Reports from './Reports.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('admin');
});
afterEach(() => vi.unstubAllGlobals());

const report = (text: string, line = 1): ChatReport => ({
  game: 'aaaaaaaaaaaa',
  room: 'players',
  line,
  reporter: 'Ada',
  reason: 'spam',
  at: 0,
  author: 'Bela',
  lines: [{ id: line, author: 'Bela', text, at: 0 }],
  handled: null,
});

const list = (...reports: ChatReport[]): Response => Response.json({ reports, next: null });

/**
 * Shows the section. `answers` has a function for each request, in the order sent, that responds to
 * that request.
 */
function open() {
  const answers: ((response: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => answers.push(resolve)));
  render(Reports, { onact: () => {} });
  const toggle = (): Promise<void> => userEvent.setup().click(screen.getByRole('checkbox'));
  return { answers, toggle };
}

it('a refusal disappears once the reports are loaded', async () => {
  const { answers, toggle } = open();
  answers[0]?.(new Response(null, { status: 500 }));
  await screen.findByRole('alert');
  await toggle();
  answers[1]?.(list(report('Buy this')));
  await screen.findByText(/Buy this/);
  expect(screen.queryByRole('alert')).toBeNull();
});

it('the chosen list is shown, in whatever order the responses arrive', async () => {
  const { answers, toggle } = open();
  await toggle();
  answers[1]?.(list(report('Buy this')));
  await screen.findByText(/Buy this/);
  answers[0]?.(list());
  await new Promise((done) => setTimeout(done));
  expect(screen.queryByText(/Buy this/)).not.toBeNull();
});

it('the focus moves from a report that is gone to the next one, not to its buttons', async () => {
  const { answers } = open();
  // Two people have reported the first message.
  answers[0]?.(list(report('Buy this', 1), report('Buy this', 1), report('Fool', 2)));
  const [first, , last] = await screen.findAllByRole('article');
  if (!first || !last) throw new Error('there are no cards');
  await userEvent.setup().click(within(first).getByRole('button', { name: 'Signalement fondé' }));
  answers[1]?.(Response.json({ entry: 1, endedSessions: 0, link: null, pupils: [] }));
  await waitFor(() => expect(answers).toHaveLength(3));
  answers[2]?.(list(report('Fool', 2)));
  await waitFor(() => expect(screen.queryAllByRole('article')).toHaveLength(1));
  expect(screen.getByRole('article')).toBe(last);
  await waitFor(() => expect(document.activeElement).toBe(last));
});

it('once an author is silenced, all buttons for that author say so and are disabled', async () => {
  const { answers } = open();
  answers[0]?.(list(report('Buy this', 1), report('Fool', 2)));
  const silence = await screen.findAllByRole('button', { name: /^Réduire Bela au silence/ });
  const notes = screen.getAllByRole('textbox');
  if (!silence[0] || !notes[0]) throw new Error('there is no button, or no note');
  const user = userEvent.setup();
  await user.type(notes[0], 'Averti.');
  await user.click(silence[0]);
  answers[1]?.(Response.json({ entry: 1, endedSessions: 0, link: null, pupils: [] }));
  const done = await screen.findAllByRole('button', { name: 'Silence d’une semaine pour Bela' });
  expect(done.map((button) => button.hasAttribute('disabled'))).toEqual([true, true]);
  // What the administrator has written is kept.
  expect(notes[0]).toHaveProperty('value', 'Averti. Silence d’une semaine.');
});

it('an unknown handler of a report is described as the command line or a deleted account', async () => {
  const { answers } = open();
  const handled = { outcome: 'upheld', by: null, at: 0, note: '' } as const;
  answers[0]?.(list({ ...report('Buy this'), handled }));
  const card = await screen.findByRole('article');
  expect(card.textContent).toContain('la ligne de commande, ou un compte supprimé depuis');
});
