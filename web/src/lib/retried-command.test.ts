import { expect, it } from 'vitest';
import { RetriedCommand } from './retried-command';

it('repeats the id only for the same request after a failure', () => {
  const command = new RetriedCommand();
  const first = command.idFor({ variant: 'chess', level: 3 });
  expect(command.idFor({ variant: 'chess', level: 3 })).toBe(first);
  const other = command.idFor({ variant: 'chess', level: 4 });
  expect(other).not.toBe(first);
  command.succeeded();
  expect(command.idFor({ variant: 'chess', level: 4 })).not.toBe(other);
});
