// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { explain } from './refusal';
import { useFrench } from './testing';

beforeAll(useFrench);

it('chooses the sentence by the number of kings that a game has', () => {
  const missing = (most: string): string =>
    explain({ code: 'setup-kings', args: { color: 'white', found: '0', most } });
  expect(missing('1')).toMatch(/pas de roi.*il en faut exactement un\.$/);
  expect(missing('2')).toMatch(/il en faut 2, ou moins/);
});
