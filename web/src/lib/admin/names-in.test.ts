import { describe, expect, it } from 'vitest';
import { isTable, namesIn } from './names-in';

describe('namesIn', () => {
  it.each([
    ['lines', "Léa\nHugo\nO'Brien\n"],
    ['a Windows file', "\ufeffLéa\r\nHugo\r\n\r\nO'Brien"],
    ['a column with empty cells', "Léa;\r\nHugo;;\r\nO'Brien;\r\n;;\r\n"],
    ['a row', "Léa\tHugo\tO'Brien\t"],
    ['quotes and commas', '"Léa", "Hugo",\u00a0"O\'Brien"'],
    ['old Mac line endings', "Léa\rHugo \rO'Brien"],
  ])('reads %s', (_, text) => {
    expect(namesIn(text)).toEqual(['Léa', 'Hugo', "O'Brien"]);
  });

  it('keeps a name with a space together, so that it is refused as a whole', () => {
    expect(namesIn('Jean Luc\n')).toEqual(['Jean Luc']);
  });
});

describe('isTable', () => {
  it.each([
    ['DUPONT\tAdèle\nMARTIN\tAhmed', true],
    ['DUPONT;Adèle\r\nMARTIN;Ahmed\r\n', true],
    ['Léa\tHugo\tZoé', false],
    ['Léa;\r\nHugo;;\r\nZoé;\r\n;;\r\n', false],
    ['Léa, Hugo\nZoé, Ana', false],
    ['Léa\nHugo', false],
  ])('%j: %s', (text, expected) => {
    expect(isTable(text)).toBe(expected);
  });
});
