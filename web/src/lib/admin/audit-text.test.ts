// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest';
import { i18n } from '../i18n/i18n.svelte';
import { detailsText } from './audit-text';

beforeAll(async () => {
  await i18n.use('en');
  await i18n.need('admin');
});

describe('details in the audit log', () => {
  it('name the settings that have changed', () => {
    const days = [{ type: 'unlimited' }, { type: 'correspondence', daysPerTurn: 3 }];
    const details = { clocks: JSON.stringify(days), contact: 'changed', games: 'chess baroque' };
    expect(detailsText({ details })).toBe(
      'time controls: no clock, 3 days per move · contact: changed · games: Chess, Baroque',
    );
  });

  it('say that a setting was cleared', () => {
    const details = { clocks: '[]', games: '', name: '', notice: '' };
    expect(detailsText({ details })).toBe(
      'time controls: any that players choose · games: all · name: (empty) · notice: (empty)',
    );
  });

  it('leave out an empty note', () => {
    const details = { note: '', outcome: 'upheld' };
    expect(detailsText({ details })).toBe('outcome: upheld');
  });
});
