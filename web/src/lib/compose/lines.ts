/** The lines of a composer's solution, each from the first turn. */
export type Lines = readonly (readonly string[])[];

const startsWith = (line: readonly string[], start: readonly string[]): boolean =>
  start.length <= line.length && start.every((turn, index) => turn === line[index]);

/** Adds a line in place of the one that it extends, unless a known line already starts with it. */
export function withLine(lines: Lines, played: readonly string[]): Lines {
  if (played.length === 0 || lines.some((line) => startsWith(line, played))) return lines;
  const grown = lines.findIndex((line) => startsWith(played, line));
  return grown === -1
    ? [...lines, played]
    : lines.map((line, index) => (index === grown ? played : line));
}

/** Removes a whole line. */
export const withoutLine = (lines: Lines, index: number): Lines =>
  lines.filter((_, each) => each !== index);
