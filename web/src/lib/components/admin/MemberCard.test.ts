// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { ActRunner } from '$lib/admin/act.svelte';
import type { Member } from '$lib/api';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench, userEvent } from '$lib/testing';
import MemberCard from './MemberCard.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('account');
  await i18n.need('admin');
});

const tessa: Member = {
  name: 'Tessa',
  role: 'teacher',
  state: 'open',
  silencedUntil: null,
  teacher: null,
  class: null,
  classes: [
    { name: 'CM1', teacher: 'Tessa', pupils: 1, pupil: 'Karim' },
    { name: 'CM2', teacher: 'Tessa', pupils: 17, pupil: 'Emma' },
  ],
  hasEmail: false,
  secondFactor: false,
  createdAt: 0,
  usedAt: null,
  sessions: 0,
};

async function open(member: Member): Promise<void> {
  const acting = new ActRunner();
  render(MemberCard, { member, role: 'administrator', acting, onchange: () => {} });
  await userEvent.setup().click(screen.getByText(member.name));
}

it('lists a teacher’s classes, and links to the page where they can be given to somebody else', async () => {
  await open(tessa);
  const text = screen.getByText(/Ses classes/).textContent;
  expect(text).toMatch(/CM1 \(un élève\), CM2 \(17 élèves\)/);
  const link = screen.getByRole('link', { name: 'Confier une classe' });
  expect(link.getAttribute('href')).toContain('/admin/pupils');
  expect(screen.queryByText(/C’est le compte d’un élève/)).toBeNull();
});

it('says what a role would change for a pupil', async () => {
  await open({ ...tessa, name: 'Emma', role: null, class: 'CM2', teacher: 'Theo', classes: [] });
  expect(screen.getByText(/C’est le compte d’un élève/)).toBeTruthy();
  expect(screen.queryByText(/Ses classes/)).toBeNull();
});
