/**
 * Returns the names in text that was typed, or pasted from a spreadsheet: one per line or per cell,
 * possibly in quotes or with empty cells. No name contains a separator. The command
 * `adoube user add-pupils` does the same.
 */
export const namesIn = (text: string): string[] =>
  text
    .split(/[\n\r\t;,]/)
    .map((name) => name.replace(/^[\s"\ufeff]+|[\s"\ufeff]+$/g, ''))
    .filter((name) => name !== '');
