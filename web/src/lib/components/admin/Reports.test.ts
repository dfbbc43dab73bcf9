// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { ChatReport } from '$lib/api';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench, userEvent } from '$lib/testing';
import Reports from './Reports.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('admin');
});
afterEach(() => vi.unstubAllGlobals());

const report = (text: string): ChatReport => ({
  game: 'aaaaaaaaaaaa',
  room: 'players',
  line: 1,
  reporter: 'Ada',
  reason: 'spam',
  at: 0,
  author: 'Bela',
  lines: [{ id: 1, author: 'Bela', text, at: 0 }],
  handled: null,
});

const list = (...reports: ChatReport[]): Response => Response.json({ reports, next: null });

/** Shows the section. Its requests wait in `answers`, in the order in which they were sent. */
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
