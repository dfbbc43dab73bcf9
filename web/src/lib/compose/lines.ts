/** The lines of a composer's solution, each from the first turn. */
export type Lines = readonly (readonly string[])[];

const startsWith = (line: readonly string[], start: readonly string[]): boolean =>
  start.length <= line.length && start.every((turn, index) => turn === line[index]);

/**
 * Adds a line, which replaces the line that it extends, if any. Returns the lines unchanged if one
 * of them already starts with it.
 */
export function withLine(lines: Lines, played: readonly string[]): Lines {
  if (played.length === 0 || lines.some((line) => startsWith(line, played))) return lines;
  const extended = lines.findIndex((line) => startsWith(played, line));
  return extended === -1
    ? [...lines, played]
    : lines.map((line, index) => (index === extended ? played : line));
}

/** Returns the lines without one of them. */
export const withoutLine = (lines: Lines, index: number): Lines =>
  lines.filter((_, each) => each !== index);
