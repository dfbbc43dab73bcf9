// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { AdminAct } from '$lib/api';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench, userEvent } from '$lib/testing';
import HousePages from './HousePages.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('account');
  await i18n.need('admin');
});
afterEach(() => vi.unstubAllGlobals());

const page = (source: string): Response =>
  Response.json({ text: source, source, isTemplate: false, language: 'fr' });

/** Shows the section, with a server whose responses wait until the test sends them. */
function open() {
  const acts: AdminAct[] = [];
  /** The unanswered requests for pages, by page name. */
  const waiting = new Map<string, (response: Response) => void>();
  const server = (path: string, init: RequestInit): Promise<Response> => {
    if (path === '/api/admin/acts') {
      acts.push(JSON.parse(String(init.body)) as AdminAct);
      return Promise.resolve(Response.json({ link: null, pupils: [] }));
    }
    const name = /pages\/(\w+)/.exec(path)?.[1] ?? '';
    return new Promise((resolve) => waiting.set(name, resolve));
  };
  vi.stubGlobal('fetch', server);
  render(HousePages);
  const answer = (name: string, response: Response): void => {
    const send = waiting.get(name);
    if (send === undefined) throw new Error(`${name} was not requested`);
    waiting.delete(name);
    send(response);
  };
  const choose = (name: string): Promise<void> => user.click(screen.getByRole('radio', { name }));
  const user = userEvent.setup();
  return { acts, answer, choose, user };
}

const text = (): string | undefined => screen.queryByRole<HTMLTextAreaElement>('textbox')?.value;

it('no text can be saved for a page that has not been loaded', async () => {
  const { acts, answer, choose, user } = open();
  answer('legal', page('Our legal notice'));
  await vi.waitFor(() => expect(text()).toBe('Our legal notice'));
  await choose(i18n.text('footer-privacy'));
  expect(text()).toBeUndefined();
  expect(screen.queryByRole('button', { name: 'Enregistrer' })).toBeNull();
  answer('privacy', page('Our privacy notice'));
  await vi.waitFor(() => expect(text()).toBe('Our privacy notice'));
  await user.click(screen.getByRole('button', { name: 'Enregistrer' }));
  expect(acts).toEqual([
    { type: 'set-page', page: 'privacy', language: 'fr', text: 'Our privacy notice' },
  ]);
});

it('the chosen page is shown, in whatever order the responses arrive', async () => {
  const { answer, choose } = open();
  await choose(i18n.text('footer-privacy'));
  answer('privacy', page('Our privacy notice'));
  await vi.waitFor(() => expect(text()).toBe('Our privacy notice'));
  answer('legal', page('Our legal notice'));
  await new Promise((done) => setTimeout(done));
  expect(text()).toBe('Our privacy notice');
});

it('a refusal disappears when another page is loaded', async () => {
  const { answer, choose } = open();
  answer('legal', new Response(null, { status: 500 }));
  await screen.findByRole('alert');
  await choose(i18n.text('footer-privacy'));
  answer('privacy', page('Our privacy notice'));
  await vi.waitFor(() => expect(text()).toBe('Our privacy notice'));
  expect(screen.queryByRole('alert')).toBeNull();
});
