/** The lines of a composer's solution, each from the first turn. */
export type Lines = readonly (readonly string[])[];

const startsWith = (line: readonly string[], start: readonly string[]): boolean =>
  start.length <= line.length && start.every((turn, index) => turn === line[index]);

/**
 * Returns the lines with another one, which replaces the line that it extends, if any. If a line
 * already starts with the new one, returns the lines unchanged.
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
