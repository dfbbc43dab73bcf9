import { expect, it, vi } from 'vitest';
import { ActRunner } from './act.svelte';
import { administer } from './calls';

vi.mock('./calls', () => ({ administer: vi.fn() }));
vi.mock('../announcer.svelte', () => ({ announcer: { announce: vi.fn() } }));
vi.mock('../i18n/i18n.svelte', () => ({ t: (key: string) => key }));

it('shows a refusal only in the part whose act was refused', async () => {
  const acting = new ActRunner();
  const [first, second] = [{}, {}];
  vi.mocked(administer).mockRejectedValue(new Error('refused'));
  for (const [part, other] of [
    [first, second],
    [second, first],
  ] as const) {
    expect(await acting.run({ type: 'hide-game', game: 'a', hidden: true }, part)).toBeNull();
    expect(acting.refusalOf(part)).toBe(acting.refusal);
    expect(acting.refusal).not.toBeNull();
    expect(acting.refusalOf(other)).toBeNull();
  }
  vi.mocked(administer).mockResolvedValue({ link: null, pupils: [] } as never);
  await acting.run({ type: 'hide-game', game: 'a', hidden: true }, first);
  expect(acting.refusalOf(first)).toBeNull();
});
