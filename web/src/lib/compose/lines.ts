/** The lines of a composer's solution, each from the first turn. */
export type Lines = readonly (readonly string[])[];

const begins = (line: readonly string[], start: readonly string[]): boolean =>
  start.length <= line.length && start.every((turn, index) => turn === line[index]);

/** Adds a line. It replaces the line that it extends; a line that is already known adds nothing. */
export function withLine(lines: Lines, played: readonly string[]): Lines {
  if (played.length === 0 || lines.some((line) => begins(line, played))) return lines;
  const grown = lines.findIndex((line) => begins(played, line));
  return grown === -1
    ? [...lines, played]
    : lines.map((line, index) => (index === grown ? played : line));
}

/** Removes a whole line. */
export const withoutLine = (lines: Lines, index: number): Lines =>
  lines.filter((_, each) => each !== index);
