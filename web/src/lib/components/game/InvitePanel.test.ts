// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { announcer } from '$lib/announcer.svelte';
import { i18n } from '$lib/i18n/i18n.svelte';
import { storeInvitation } from '$lib/invitations';
import { render, screen, useFrench, userEvent } from '$lib/testing';
import InvitePanel from './InvitePanel.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('hall');
});
afterEach(() => vi.restoreAllMocks());

it('a shared link is not announced as copied', async () => {
  const share = vi.fn(() => Promise.resolve());
  Object.assign(navigator, { share });
  const announce = vi.spyOn(announcer, 'announce');
  storeInvitation('g', 't_o-ken');
  render(InvitePanel, { id: 'g', oncancel: () => {} });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Partager…' }));
  expect(share).toHaveBeenCalledWith({
    title: document.title,
    url: expect.stringContaining('t_o-ken'),
  });
  expect(announce).not.toHaveBeenCalled();
});
