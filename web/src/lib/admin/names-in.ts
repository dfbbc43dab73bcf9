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

/**
 * Returns true if the text has several columns from a spreadsheet, such as family names and first
 * names. A column with empty cells beside it is not a table, nor is a single row. Commas separate
 * names that were typed, not columns.
 */
export function isTable(text: string): boolean {
  const rows = text
    .split(/[\n\r]/)
    .map((line) => line.split(/[\t;]/).filter((cell) => namesIn(cell).length > 0));
  return rows.filter((cells) => cells.length > 1).length > 1;
}
