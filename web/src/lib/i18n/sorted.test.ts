import { expect, it } from 'vitest';
import { sortedByName } from './sorted';

it('sorts accented letters next to plain ones, and numbers by value', () => {
  const names = ['Zoé', 'Élodie', 'emile', 'Fanny', 'Classe 10', 'Classe 2'];
  expect(sortedByName(names, (name) => name)).toEqual([
    'Classe 2',
    'Classe 10',
    'Élodie',
    'emile',
    'Fanny',
    'Zoé',
  ]);
});
